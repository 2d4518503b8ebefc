/** Operator sign-in, as a person or with a token. A sandbox publishes its token, so it offers one click. */

import { type FormEvent, useState } from 'react';
import { useSending } from '../../exchange/query-client.ts';
import { callIdentity } from '../../session/identity.ts';
import { useHasPeople } from '../../session/person.ts';
import { PUBLISHED_TOKEN, useIsSandbox } from '../../session/sandbox.ts';
import { PersonForm } from '../../session/sign-in.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormError, Loading } from '../../ui/states.tsx';
import { enterAsPerson, signIn } from './operator.ts';

const NAME_MAX = 64;

/** End the session again if the person is not an operator. */
async function enter(): Promise<void> {
  try {
    await enterAsPerson();
  } catch (error) {
    await callIdentity('DELETE', '/session').catch(() => undefined);
    throw error;
  }
}

export function SignIn() {
  const isSandbox = useIsSandbox() === true;
  const hasPeople = useHasPeople();
  const [token, setToken] = useState('');
  const [name, setName] = useState('operator');
  const entering = useSending({ mutationFn: (given: string) => signIn(given, name) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    entering.mutate(token);
  };
  const nameField = (
    <TextField
      label="Your name in the audit trail"
      hint="For the shared tokens. An operator’s own token has its own name."
      value={name}
      onValue={setName}
      maxLength={NAME_MAX}
      autoComplete="username"
    />
  );
  return (
    <main className="mx-auto w-full max-w-md p-3 sm:pt-[8vh]">
      <div className="flex flex-col gap-4 rounded-xl border border-line bg-panel p-5">
        <h2 className="text-base font-semibold">Sign in as an operator</h2>
        {isSandbox && (
          <section aria-label="Token of the sandbox" className="flex flex-col gap-3">
            {nameField}
            <Button isBusy={entering.isPending} onClick={() => entering.mutate(PUBLISHED_TOKEN)}>
              Use the sandbox’s published token
            </Button>
          </section>
        )}
        {isSandbox && hasPeople === true && <Or>or as a person</Or>}
        {hasPeople === undefined && <Loading label="Loading" lines={3} />}
        {hasPeople === true && (
          <>
            <PersonForm onSession={enter} />
            <p className="text-xs text-muted">
              No access yet? Create an account; then an admin adds its e-mail address as an operator.
            </p>
          </>
        )}
        {hasPeople !== undefined && (
          <details open={!hasPeople} className="border-t border-line pt-3">
            <summary className="cursor-pointer text-xs text-muted hover:text-text">
              Sign in with a token
            </summary>
            <form aria-label="With a token" onSubmit={submit} className="mt-3 flex flex-col gap-3">
              <p className="text-xs text-muted">The token stays in this tab's memory. A reload drops it.</p>
              {!isSandbox && nameField}
              <TextField
                label="Operator token"
                type="password"
                value={token}
                onValue={setToken}
                autoComplete="off"
              />
              <Button type="submit" kind="primary" disabled={token === ''} isBusy={entering.isPending}>
                Sign in
              </Button>
            </form>
          </details>
        )}
        <FormError error={entering.error} />
      </div>
    </main>
  );
}

const Or = ({ children }: { readonly children: string }) => (
  <p className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    {children}
  </p>
);
