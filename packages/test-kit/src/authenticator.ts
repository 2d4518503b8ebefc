/** A software passkey: one key pair that signs like an authenticator with user verification. */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

export interface AuthenticatorTerms {
  readonly origin: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
}

export class Authenticator {
  readonly id: string = randomBytes(16).toString('base64url');
  readonly #origin: string;
  readonly #rpId: string;
  readonly #flags: number;
  readonly #privateKey: KeyObject;
  readonly #publicKey: Buffer;
  #userHandle = '';

  constructor({ origin, rpId = 'localhost', isVerified = true }: AuthenticatorTerms) {
    this.#origin = origin;
    this.#rpId = rpId;
    this.#flags = PRESENT | (isVerified ? VERIFIED : 0);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // COSE: EC2, ES256, P-256.
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** The response to registration options. */
  register(options: { readonly challenge: string; readonly user?: { readonly id: string } }): object {
    this.#userHandle = options.user?.id ?? '';
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#publicKey]);
    const data = Buffer.concat([this.#head(this.#flags | ATTESTED), attested]);
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ]);
    return this.#response({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The response to request options. */
  assert({ challenge }: { readonly challenge: string }): object {
    const data = this.#head(this.#flags);
    const clientDataJSON = this.#clientData('webauthn.get', challenge);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([data, hash]), this.#privateKey);
    return this.#response({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.#userHandle,
    });
  }

  /** Synced passkeys do not count signatures: the counter stays 0. */
  #head(flags: number): Buffer {
    const rpIdHash = createHash('sha256').update(this.#rpId).digest();
    return Buffer.concat([rpIdHash, Buffer.from([flags]), Buffer.alloc(4)]);
  }

  #clientData(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin })).toString('base64url');
  }

  #response(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
