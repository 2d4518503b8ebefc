/** The exchange's error message for a form. */

import { sentenceOf } from '../ui/states.tsx';

export function FormError({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className="text-xs break-words text-danger">
      {sentenceOf(error)}
    </p>
  );
}
