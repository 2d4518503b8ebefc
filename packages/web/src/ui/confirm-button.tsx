/** A button for what cannot be undone: it asks first, and says how much it is about. */

import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmButtonProps {
  readonly label: string;
  /** Such as "Cancel 12 orders in BTC-USDT?" */
  readonly question: string;
  readonly about?: ReactNode;
  readonly yes: string;
  readonly no: string;
  readonly isBusy: boolean;
  readonly size?: ButtonProps['size'];
  readonly onConfirm: () => void;
}

export function ConfirmButton({
  label,
  question,
  about,
  yes,
  no,
  isBusy,
  size = 'small',
  onConfirm,
}: ConfirmButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size={size} isBusy={isBusy} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog isOpen={isOpen} onOpen={setIsOpen} title={question} about={about}>
        <div className="flex gap-2">
          <Button
            kind="danger"
            onClick={() => {
              setIsOpen(false);
              onConfirm();
            }}
          >
            {yes}
          </Button>
          <Button onClick={() => setIsOpen(false)}>{no}</Button>
        </div>
      </Dialog>
    </>
  );
}
