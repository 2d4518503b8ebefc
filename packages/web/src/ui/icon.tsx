/**
 * Line icons of one weight on a 16 by 16 grid. They are decoration; the control around one has the accessible name.
 */

const paths = {
  alert: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  bell: 'M8 2a4 4 0 0 1 4 4v3l1.2 2.2H2.8L4 9V6a4 4 0 0 1 4-4M6.5 13.4h3',
  book: 'M2.5 3.5h11M2.5 6.5h8M2.5 9.5h11M2.5 12.5h6',
  chart: 'M4 3v10M4 5.5h0M2.5 5h3v5h-3zM11.5 2v12M10 4.5h3v6h-3z',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  chevronDown: 'm4 6 4 4 4-4',
  chevronRight: 'm6 4 4 4-4 4',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.8V8l2.2 1.6',
  code: 'M5.5 4 2 8l3.5 4M10.5 4 14 8l-3.5 4',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3',
  cross: 'm4 4 8 8M12 4l-8 8',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
  expand: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  exit: 'M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6',
  flask: 'M6 2h4M6.7 2v4.2L3 13.2c-.3.6 0 .8.6.8h8.8c.6 0 .9-.2.6-.8L9.3 6.2V2M5 10h6',
  gear: 'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4',
  key: 'M5.5 12.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M7.7 7.4 13.5 2M11 4.2l1.8 1.8',
  layout: 'M2.5 2.5h11v11h-11zM9.5 2.5v11M2.5 9.5h7',
  mail: 'M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5',
  moon: 'M13.5 9.8A5.8 5.8 0 0 1 6.2 2.5 5.8 5.8 0 1 0 13.5 9.8',
  pencil: 'm3 13 .8-3L11 2.8 13.2 5 6 12.2zM9.5 4.3l2.2 2.2',
  plus: 'M8 3v10M3 8h10',
  pulse: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3 14 14',
  shield: 'M8 1.8 13 3.6v4c0 3.2-2 5.4-5 6.6-3-1.2-5-3.4-5-6.6v-4zM5.8 8l1.6 1.6 3-3.2',
  shrink: 'M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5',
  star: 'm8 1.9 1.9 3.9 4.2.6-3 3 .7 4.2L8 11.6l-3.8 2 .7-4.2-3-3 4.2-.6z',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  swap: 'M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8l-2.5 2.5L6 13',
  user: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8M2.8 14c.5-2.6 2.5-4 5.2-4s4.7 1.4 5.2 4',
  wave: 'M1.5 8c1.6-6.4 4-6.4 6.5 0s4.9 6.4 6.5 0',
  wallet: 'M2.5 4.5h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-10zM2.5 4.5v-1a1 1 0 0 1 1-1H11M10.5 9h.1',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, isFilled = false }: { readonly name: IconName; readonly isFilled?: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 shrink-0"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
