/** Time-based one-time passwords: RFC 6238 with SHA-1, 6 digits, 30 seconds, as authenticator apps have them. */

import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Accepted steps before and after the current one. */
const DRIFT = 1;

export const stepAt = (time: number): number => Math.floor(time / STEP_MS);

/** RFC 4226 with the step as the counter. */
export function totpCode(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash[hash.length - 1] & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step of the code; null if it matches no accepted step after `usedStep`. */
export function stepOf(secret: Buffer, code: string, time: number, usedStep: number): number | null {
  const now = stepAt(time);
  const given = Buffer.from(code.padEnd(DIGITS));
  let found: number | null = null;
  for (let step = now - DRIFT; step <= now + DRIFT; step++) {
    const wanted = Buffer.from(totpCode(secret, step));
    if (given.length === wanted.length && timingSafeEqual(given, wanted) && step > usedStep) found ??= step;
  }
  return found;
}

export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
}
