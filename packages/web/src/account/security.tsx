/** Credentials, locks, and closing the account. */

import { useState } from 'react';
import { PASSWORD_HINT, PasswordField } from '../people/factors.tsx';
import type { PersonInfo } from '../session/identity.ts';
import { signOut } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { emptiedAfter, SelectField, TextField } from '../ui/field.tsx';
import { SettingSection } from '../ui/panel.tsx';
import { Badge } from '../ui/states.tsx';
import { dateTime } from '../ui/text.ts';
import { useIdentityCall } from './identity-calls.ts';
import { AuthenticatorApp, Passkeys } from './second-factors.tsx';

export function Security({ info }: { readonly info: PersonInfo }) {
  return (
    <>
      <Passkeys device={info.session.device} />
      <AuthenticatorApp factors={info.factors} />
      <Password />
      <Email email={info.person.email} />
      <Lock until={info.lock?.until} />
      <Freeze />
      <Close />
    </>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useIdentityCall();
  return (
    <SettingSection
      title="Password"
      about="A change ends all other sessions and locks withdrawals for 24 hours. API keys stay."
    >
      <form
        aria-label="Change the password"
        className="flex w-full max-w-sm flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(
            { method: 'POST', path: '/password', body: { current, next }, done: 'Password changed' },
            {
              onSuccess: () => {
                setCurrent(emptiedAfter(current));
                setNext(emptiedAfter(next));
              },
            },
          );
        }}
      >
        <PasswordField label="Current password" value={current} onValue={setCurrent} />
        <PasswordField label="New password" isNew value={next} onValue={setNext} hint={PASSWORD_HINT} />
        <Button
          type="submit"
          className="self-start"
          isBusy={change.isPending}
          disabled={current === '' || next === ''}
        >
          Change the password
        </Button>
      </form>
    </SettingSection>
  );
}

function Email({ email }: { readonly email: string }) {
  const [next, setNext] = useState('');
  const change = useIdentityCall();
  return (
    <SettingSection
      title="E-mail address"
      about={
        <>
          You sign in with <strong className="[overflow-wrap:anywhere] text-text">{email}</strong>. The new
          address gets a link to confirm, the old one a notice. Withdrawals are then locked for 24 hours.
        </>
      }
    >
      <form
        aria-label="Change the address"
        className="flex w-full max-w-xl items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(
            {
              method: 'POST',
              path: '/email',
              body: { email: next },
              done: `We sent a mail to ${next.trim()}. Open its link to confirm.`,
            },
            { onSuccess: () => setNext(emptiedAfter(next)) },
          );
        }}
      >
        <TextField
          label="New address"
          type="email"
          autoComplete="email"
          className="max-w-sm flex-1"
          value={next}
          onValue={setNext}
        />
        <Button type="submit" isBusy={change.isPending} disabled={next.trim() === ''}>
          Change
        </Button>
      </form>
    </SettingSection>
  );
}

const DAYS = [1, 3, 7, 14, 30].map((days) => ({
  value: String(days),
  label: days === 1 ? '1 day' : `${days} days`,
}));

function Lock({ until }: { readonly until: number | undefined }) {
  const [days, setDays] = useState('7');
  const lock = useIdentityCall();
  return (
    <SettingSection
      title="Settings lock"
      state={until === undefined ? <Badge>off</Badge> : <Badge tone="accent">until {dateTime(until)}</Badge>}
      about="Until the lock ends, nobody can change your password, second factors, addresses, keys or e-mail address: not a thief, not you, not the operator. Trading and withdrawals to the address book continue."
    >
      <div className="flex items-end gap-2">
        <SelectField label="For" choices={DAYS} value={days} onValue={setDays} className="w-28" />
        <ConfirmButton
          label={until === undefined ? 'Lock' : 'Lock for longer'}
          size="medium"
          question={`Lock your settings for ${days === '1' ? '1 day' : `${days} days`}?`}
          about="Nobody can lift or shorten it."
          yes="Lock them"
          no="Leave them unlocked"
          isBusy={lock.isPending}
          onConfirm={() =>
            lock.mutate({
              method: 'POST',
              path: '/lock',
              body: { days: Number(days) },
              done: 'Your settings are locked',
            })
          }
        />
      </div>
    </SettingSection>
  );
}

const Freeze = () => (
  <SettingSection
    title="Freeze"
    about="For emergencies: ends sessions and keys, cancels orders and stops withdrawals."
  >
    <p className="max-w-xl text-xs text-muted">
      Every mail from us has a link that freezes your account; the link works for seven days, even when
      somebody else uses your account. Only the operator can lift a freeze.
    </p>
  </SettingSection>
);

function Close() {
  const close = useIdentityCall();
  return (
    <SettingSection
      title="Close the account"
      about="Only without money and open orders. Personal data is erased permanently."
    >
      <ConfirmButton
        label="Close the account"
        question="Close your account permanently?"
        about="Address, name and devices are erased everywhere, in backups too. The ledger keeps what was traded, without your name."
        yes="Close it"
        no="Keep it"
        isBusy={close.isPending}
        onConfirm={() =>
          close.mutate(
            { method: 'POST', path: '/close', done: 'Your account is closed' },
            { onSuccess: signOut },
          )
        }
      />
    </SettingSection>
  );
}
