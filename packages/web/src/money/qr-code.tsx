/** A text as a QR code, black on white in every theme, because not every camera reads it the other way round. */

import { encode } from 'uqr';

const SIZE = 148;
const BORDER = 2;

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: BORDER });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={SIZE}
      height={SIZE}
      shapeRendering="crispEdges"
      className="shrink-0 rounded-md bg-white"
    >
      <path d={path} fill="#000000" />
    </svg>
  );
}
