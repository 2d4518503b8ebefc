/** Asks for one factor: a passkey, a code of the app, a recovery code, or the password. */

import { useState } from 'react';
import { useSending } from '../exchange/query-client.ts';
import type { Factor, GivenFactor } from '../session/identity.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { FormError } from '../ui/states.tsx';
import { askPasskey, canUsePasskeys } from './passkey.tsx';
import { PasswordField } from './password-field.tsx';

export interface FactorFormProps {
  readonly factors: readonly Factor[];
  /** Whether a recovery code is accepted too. */
  readonly takesRecoveryCodes: boolean;
  /** Its error is shown here. */
  readonly onGive: (given: GivenFactor) => Promise<unknown>;
}

type Kind = 'totp' | 'recoveryCode' | 'password';

const fields: Readonly<Record<Kind, { readonly label: string; readonly hint: string }>> = {
  totp: { label: 'Code of your authenticator app', hint: '6 digits. Each code works once.' },
  recoveryCode: { label: 'Recovery code', hint: 'One of the ten that you wrote down. Each works once.' },
  password: { label: 'Password', hint: '' },
};

export function FactorForm({ factors, takesRecoveryCodes, onGive }: FactorFormProps) {
  const first: Kind = factors.includes('totp')
    ? 'totp'
    : factors.includes('password')
      ? 'password'
      : 'recoveryCode';
  const [kind, setKind] = useState<Kind>(first);
  const [text, setText] = useState('');
  const give = useSending({ mutationFn: async (get: () => Promise<GivenFactor>) => onGive(await get()) });
  const hasPasskey = factors.includes('passkey');
  const hasText = first !== 'recoveryCode' || takesRecoveryCodes;
  const choose = (next: Kind): void => {
    give.reset();
    setText('');
    setKind(next);
  };
  return (
    <div className="flex flex-col gap-3">
      {hasPasskey && (
        <Button
          kind="primary"
          size="large"
          data-autofocus
          isBusy={give.isPending}
          disabled={!canUsePasskeys()}
          onClick={() => give.mutate(async () => ({ passkey: await askPasskey() }))}
        >
          <Icon name="key" /> Use a passkey
        </Button>
      )}
      {hasText && (
        <form
          aria-label="Second factor"
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            give.mutate(() => Promise.resolve({ [kind]: text.trim() }));
          }}
        >
          {kind === 'password' ? (
            <PasswordField label="Password" data-autofocus value={text} onValue={setText} />
          ) : (
            <TextField
              key={kind}
              {...fields[kind]}
              data-autofocus
              value={text}
              onValue={setText}
              {...(kind === 'totp' && { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 8 })}
            />
          )}
          <Button
            type="submit"
            kind={hasPasskey ? 'neutral' : 'primary'}
            size="large"
            isBusy={give.isPending}
            disabled={text.trim() === ''}
          >
            Continue
          </Button>
        </form>
      )}
      <FormError error={give.error} />
      {takesRecoveryCodes && first === 'totp' && (
        <Button
          kind="quiet"
          size="small"
          className="self-start"
          onClick={() => choose(kind === 'totp' ? 'recoveryCode' : 'totp')}
        >
          {kind === 'totp' ? 'Lost your phone? Use a recovery code' : 'Use the app instead'}
        </Button>
      )}
    </div>
  );
}
