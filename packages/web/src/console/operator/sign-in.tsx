/** Asks for the token. A sandbox publishes its own, so it is one press there. */

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { PUBLISHED_TOKEN, useIsSandbox } from '../../session/sandbox.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { sentenceOf } from '../../ui/states.tsx';
import { signIn } from './operator.ts';

const NAME_MAX = 64;

export function SignIn() {
  const isSandbox = useIsSandbox();
  const [token, setToken] = useState('');
  const [name, setName] = useState('operator');
  const entering = useMutation({ mutationFn: (given: string) => signIn(given, name) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    entering.mutate(token);
  };
  return (
    <main className="mx-auto w-full max-w-md p-4 pt-[12vh]">
      <form onSubmit={submit} className="flex flex-col gap-4 rounded-xl border border-line bg-panel p-5">
        <div>
          <h2 className="text-base font-semibold">For operators</h2>
          <p className="mt-1 text-xs text-muted">
            The token stays in the memory of this tab and is forgotten with it. One that may only read shows
            everything and changes nothing.
          </p>
        </div>
        <TextField
          label="Your name in the audit trail"
          hint="letters, digits and signs without blanks"
          value={name}
          onValue={setName}
          maxLength={NAME_MAX}
          autoComplete="username"
        />
        <TextField
          label="Operator token"
          type="password"
          value={token}
          onValue={setToken}
          autoComplete="off"
          error={entering.isError ? sentenceOf(entering.error) : ''}
        />
        <div className="flex flex-wrap justify-end gap-2">
          {isSandbox === true && (
            <Button isBusy={entering.isPending} onClick={() => entering.mutate(PUBLISHED_TOKEN)}>
              Use the sandbox’s published token
            </Button>
          )}
          <Button type="submit" kind="primary" disabled={token === ''} isBusy={entering.isPending}>
            Sign in
          </Button>
        </div>
      </form>
    </main>
  );
}
