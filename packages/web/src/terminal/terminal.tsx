/** The terminal for traders. */

import { useLine } from '../exchange/connection.ts';
import { useIsSandbox } from '../session/sandbox.ts';
import { signInAs, useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';

export default function Terminal() {
  const line = useLine();
  const session = useSession();
  const isSandbox = useIsSandbox();
  return (
    <main className="p-6">
      <h1 className="text-base font-semibold">Terminal</h1>
      <p>
        {line} {session?.name} {String(isSandbox)}
      </p>
      <Button kind="primary" onClick={() => void signInAs('alice')}>
        alice
      </Button>
    </main>
  );
}
