/** Passkeys of this browser. The library is loaded on first use. */

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { callIdentity } from '../session/identity.ts';

const ADDRESS = /^(?:[\d.]+|\[.*\])$/;

const library = () => import('@simplewebauthn/browser');

/** Browsers support passkeys only for host names, not for IP addresses. */
const hasHostName = (): boolean => !ADDRESS.test(location.hostname);

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis && hasHostName();

/** The URL of this page at localhost, if it was opened at a loopback address; otherwise undefined. */
function namedPage(): string | undefined {
  if (hasHostName() || !location.hostname.startsWith('127.')) return undefined;
  const url = new URL(location.href);
  url.hostname = 'localhost';
  return url.href;
}

/** The response to a challenge, to be sent as `passkey`. */
export async function askPasskey(): Promise<object> {
  const optionsJSON = await callIdentity<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/passkeys/challenge',
  );
  const { startAuthentication } = await library();
  return startAuthentication({ optionsJSON }).catch(notUsed);
}

/** The response to registration options, to be sent as `response`. */
export async function makePasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON }).catch(notUsed);
}

/** Browsers do not report why: cancelled, none available, or timed out. */
function notUsed(error: unknown): never {
  const { name = '' } = error as { name?: string };
  if (name === 'InvalidStateError') throw new Error('This device has a passkey for your account already.');
  throw new Error('No passkey was used: none was chosen, or it took too long. Try again.');
}

/** Why passkeys are disabled on this page, and where they work. */
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
