/** Copies a text that is shown. */

import { IconButton } from './button.tsx';
import { showToast } from './toast.tsx';

export interface CopyButtonProps {
  /** What it is, such as "Address". */
  readonly label: string;
  readonly text: string;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  return (
    <IconButton
      icon="copy"
      size="small"
      label={`Copy: ${label}`}
      onClick={() =>
        navigator.clipboard.writeText(text).then(
          () => showToast('done', `${label} copied`),
          () => showToast('refused', 'Not copied', 'The browser did not allow it. Select the text instead.'),
        )
      }
    />
  );
}
