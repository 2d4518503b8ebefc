/** Sign-in: in a sandbox with one click, as a person, or with a pasted API key. */

import { lazy, Suspense, useState } from 'react';
import { useSending } from '../exchange/query-client.ts';
import type { SignInFormProps } from '../people/sign-in-form.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { FormError, Loading, sentenceOf } from '../ui/states.tsx';
import { useHasPeople } from './person.ts';
import { publishedUsers, useIsSandbox } from './sandbox.ts';
import { signIn, signInAs, signInAsNew } from './session.ts';

/** Lazy, because most pages never show it. */
const SignInForm = lazy(() => import('../people/sign-in-form.tsx'));

export const PersonForm = (props: SignInFormProps) => (
  <Suspense fallback={<Loading label="Loading" lines={3} />}>
    <SignInForm {...props} />
  </Suspense>
);

export function SignInButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="primary" size="large" onClick={() => setIsOpen(true)}>
        Sign in to trade
      </Button>
      <SignInDialog isOpen={isOpen} onOpen={setIsOpen} />
    </>
  );
}

export interface SignInDialogProps {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

export function SignInDialog({ isOpen, onOpen }: SignInDialogProps) {
  return (
    <Dialog isOpen={isOpen} onOpen={onOpen} title="Sign in">
      <div className="flex flex-col gap-4">
        <SandboxUsers onDone={() => onOpen(false)} />
        <OwnAccount onDone={() => onOpen(false)} />
      </div>
    </Dialog>
  );
}

/** Sign-in as a person, if this exchange has accounts for people, and with an API key. */
function OwnAccount({ onDone }: { readonly onDone: () => void }) {
  const hasPeople = useHasPeople();
  if (hasPeople === undefined) return <Loading label="Loading" lines={3} />;
  return (
    <>
      {hasPeople && <PersonForm onDone={onDone} onLeave={onDone} />}
      <details open={!hasPeople} className="border-t border-line pt-3">
        <summary className="cursor-pointer text-xs text-muted hover:text-text">
          Sign in with an API key
        </summary>
        <KeyForm onDone={onDone} />
      </details>
    </>
  );
}

function KeyForm({ onDone }: { readonly onDone: () => void }) {
  const [apiKey, setApiKey] = useState('');
  const [apiSecret, setApiSecret] = useState('');
  const [apiPassphrase, setApiPassphrase] = useState('');
  const enter = useSending({
    mutationFn: () => signIn({ apiKey, apiSecret, apiPassphrase }, ''),
    onSuccess: onDone,
  });
  return (
    <form
      aria-label="With a key"
      className="mt-3 flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        enter.mutate();
      }}
    >
      <p className="text-xs text-muted">
        Requests are signed in this page. Key, secret and passphrase stay in the memory of this tab.
      </p>
      <TextField label="API key" value={apiKey} onValue={(value) => setApiKey(value.trim())} />
      <TextField
        label="API secret"
        type="password"
        value={apiSecret}
        onValue={(value) => setApiSecret(value.trim())}
      />
      <TextField label="Passphrase" type="password" value={apiPassphrase} onValue={setApiPassphrase} />
      <Button
        type="submit"
        kind="primary"
        isBusy={enter.isPending}
        disabled={apiKey === '' || apiSecret === '' || apiPassphrase === ''}
      >
        Sign in
      </Button>
      <FormError error={enter.error} />
    </form>
  );
}

/** One-click sign-in of a sandbox: a published user, or a new user with money. */
export function SandboxUsers({ onDone }: { readonly onDone: () => void }) {
  const isSandbox = useIsSandbox();
  const enter = useSending({ mutationFn: (begin: () => Promise<unknown>) => begin(), onSuccess: onDone });
  if (isSandbox !== true) return null;
  return (
    <section aria-label="Users of the sandbox">
      <p className="mb-2 text-xs text-muted">This is a sandbox. Sign in with one click:</p>
      <div className="grid grid-cols-2 gap-2">
        {publishedUsers.map(({ name, about }) => (
          <Button
            key={name}
            size="large"
            isBusy={enter.isPending}
            onClick={() => enter.mutate(() => signInAs(name))}
            className="h-auto min-h-12 justify-start py-1.5 whitespace-normal!"
          >
            <Icon name="user" />
            <span className="min-w-0 text-left leading-4">
              <span className="block">{name}</span>
              <span className="block text-2xs font-normal text-muted">{about}</span>
            </span>
          </Button>
        ))}
        <Button
          size="large"
          isBusy={enter.isPending}
          onClick={() => enter.mutate(signInAsNew)}
          className="h-auto min-h-12 justify-start py-1.5 whitespace-normal!"
        >
          <Icon name="plus" />
          <span className="min-w-0 text-left leading-4">
            <span className="block">New user</span>
            <span className="block text-2xs font-normal text-muted">with 100,000 USDT</span>
          </span>
        </Button>
      </div>
      {enter.isError && (
        <p role="alert" className="mt-2 text-xs break-words text-danger">
          {sentenceOf(enter.error)}
        </p>
      )}
    </section>
  );
}
