/** In a sandbox: being somebody with one click, one of the published users or somebody new with money. */

import { useSending } from '../exchange/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { sentenceOf } from '../ui/states.tsx';
import { publishedUsers } from './published-users.ts';
import { useIsSandbox } from './sandbox.ts';
import { signInAs, signInAsNew } from './session.ts';

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
