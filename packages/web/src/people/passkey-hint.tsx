/** Why a button for passkeys cannot be pressed, and where it can. */

import { canUsePasskeys, namedPage } from './passkey.ts';

export function PasskeyHint() {
  if (canUsePasskeys()) return null;
  const named = namedPage();
  return (
    <p className="text-xs text-muted">
      {named === undefined ? (
        'This browser has no passkeys for this page.'
      ) : (
        <>
          Passkeys belong to a host name. They work at{' '}
          <a href={named} className="text-accent underline">
            {new URL(named).host}
          </a>
          .
        </>
      )}
    </p>
  );
}
