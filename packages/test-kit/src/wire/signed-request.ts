/** A signed request as the bytes that go over the socket, and the name under which it may act once. */

import { createHmac, hash } from 'node:crypto';
import type { Dialect } from '../../../api/src/gateway/route.ts';

export interface Signer {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

export interface SignedRequest {
  readonly bytes: Buffer;
  /** The id that the server keeps for replay protection: 22 characters. */
  readonly onceId: string;
}

const ONCE_ID_LENGTH = 22;
const passphrases = new Map<string, string>();

export const hmac = (secret: string, text: string | Buffer): string =>
  createHmac('sha256', secret).update(text).digest('base64');

/** Sends the body's bytes unchanged. `time` is the signed time, in milliseconds. */
export function signRequest(
  who: Signer,
  { mount, prefix }: Pick<Dialect, 'mount' | 'prefix'>,
  method: string,
  path: string,
  body?: Buffer,
  time = Date.now(),
): SignedRequest {
  let passphrase = passphrases.get(who.apiKey);
  if (passphrase === undefined) {
    passphrase = hmac(who.apiSecret, who.apiPassphrase);
    passphrases.set(who.apiKey, passphrase);
  }
  const text = `${time}${method}${path}`;
  const signature = hmac(who.apiSecret, body ? Buffer.concat([Buffer.from(text), body]) : text);
  const head =
    `${method} ${mount}${path} HTTP/1.1\r\nhost: localhost\r\n${prefix}-API-KEY: ${who.apiKey}\r\n` +
    `${prefix}-API-SIGN: ${signature}\r\n${prefix}-API-TIMESTAMP: ${time}\r\n` +
    `${prefix}-API-PASSPHRASE: ${passphrase}\r\n${prefix}-API-KEY-VERSION: 3\r\n` +
    (body ? `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n` : '\r\n');
  return {
    bytes: body ? Buffer.concat([Buffer.from(head), body]) : Buffer.from(head),
    onceId: hash('sha256', `${signature}|${who.apiKey}`, 'base64url').slice(0, ONCE_ID_LENGTH),
  };
}
