/** Why passkeys are disabled on this page, and where they work. */

import { canUsePasskeys, namedPage } from './passkey.ts';

export function PasskeyHint() {
  if (canUsePasskeys()) return null;
  const named = namedPage();
  return (
    <p className="text-xs text-muted">
      {named === undefined ? (
        'This browser does not support passkeys on this page.'
      ) : (
        <>
          Passkeys need a host name. They work at{' '}
          <a href={named} className="text-accent underline">
            {new URL(named).host}
          </a>
          .
        </>
      )}
    </p>
  );
}
