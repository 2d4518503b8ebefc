/** Signing in: with a key that is pasted, and in a sandbox by one click. */

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { sentenceOf } from '../ui/states.tsx';
import { publishedUsers } from './published-users.ts';
import { useIsSandbox } from './sandbox.ts';
import { signIn, signInAs, signInAsNew } from './session.ts';

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
  const isSandbox = useIsSandbox();
  const enter = useMutation({
    mutationFn: (begin: () => Promise<unknown>) => begin(),
    onSuccess: () => onOpen(false),
  });
  return (
    <Dialog
      isOpen={isOpen}
      onOpen={(next) => {
        enter.reset();
        onOpen(next);
      }}
      title="Sign in"
      about="Requests are signed in this page. Key, secret and passphrase stay in the memory of this tab."
    >
      <div className="flex flex-col gap-4">
        {isSandbox === true && (
          <section aria-label="Users of the sandbox">
            <h3 className="mb-2 text-xs text-muted">This is a sandbox. Be somebody, with one click:</h3>
            <div className="grid grid-cols-2 gap-2">
              {publishedUsers.map(({ name, about }) => (
                <Button
                  key={name}
                  size="large"
                  isBusy={enter.isPending}
                  onClick={() => enter.mutate(() => signInAs(name))}
                  className="h-12 justify-start"
                >
                  <Icon name="user" />
                  <span className="text-left leading-4">
                    <span className="block">{name}</span>
                    <span className="block text-2xs font-normal text-muted">{about}</span>
                  </span>
                </Button>
              ))}
              <Button
                size="large"
                isBusy={enter.isPending}
                onClick={() => enter.mutate(signInAsNew)}
                className="h-12 justify-start"
              >
                <Icon name="plus" />
                <span className="text-left leading-4">
                  <span className="block">somebody new</span>
                  <span className="block text-2xs font-normal text-muted">with 100,000 USDT</span>
                </span>
              </Button>
            </div>
          </section>
        )}
        <KeyForm isBusy={enter.isPending} onEnter={(begin) => enter.mutate(begin)} />
        {enter.isError && (
          <p role="alert" className="text-xs break-words text-danger">
            {sentenceOf(enter.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface KeyFormProps {
  readonly isBusy: boolean;
  readonly onEnter: (begin: () => Promise<unknown>) => void;
}

function KeyForm({ isBusy, onEnter }: KeyFormProps) {
  const [apiKey, setApiKey] = useState('');
  const [apiSecret, setApiSecret] = useState('');
  const [apiPassphrase, setApiPassphrase] = useState('');
  return (
    <form
      aria-label="With a key"
      className="flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        onEnter(() => signIn({ apiKey, apiSecret, apiPassphrase }, ''));
      }}
    >
      <h3 className="text-xs text-muted">With a key of your own:</h3>
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
        isBusy={isBusy}
        disabled={apiKey === '' || apiSecret === '' || apiPassphrase === ''}
      >
        Sign in
      </Button>
    </form>
  );
}
