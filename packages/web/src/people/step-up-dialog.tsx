/** Asks for a factor before a sensitive change. */

import { callIdentity } from '../session/identity.ts';
import { usePerson } from '../session/person.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/states.tsx';
import { FactorForm } from './factors.tsx';

interface StepUpDialogProps {
  readonly given: () => void;
  readonly refused: () => void;
}

export default function StepUpDialog({ given, refused }: StepUpDialogProps) {
  const factors = usePerson().data?.factors;
  const has = [
    ...(factors?.totp === true ? (['totp'] as const) : []),
    ...((factors?.passkeys ?? 0) > 0 ? (['passkey'] as const) : []),
  ];
  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || refused()}
      title="Confirm that it is you"
      about="This needs a second factor, or your password if you have none. It stays valid for five minutes."
      className="w-[min(24rem,calc(100vw-1.5rem))]"
    >
      {factors === undefined ? (
        <Loading label="Loading" lines={2} />
      ) : (
        <FactorForm
          factors={has.length === 0 ? ['password'] : has}
          takesRecoveryCodes={false}
          onGive={(factor) => callIdentity('POST', '/step-up', factor).then(given)}
        />
      )}
    </Dialog>
  );
}
