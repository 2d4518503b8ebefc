/** HMAC-SHA256 signatures in base64, with WebCrypto, which browsers and Node both have. */

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
const encoder = new TextEncoder();

export class Signer {
  readonly apiKey: string;
  /** This type works with the type definitions of both browsers and Node. */
  readonly #secret: ReturnType<typeof crypto.subtle.importKey>;
  readonly #passphrase: Promise<string>;

  constructor({ apiKey, apiSecret, apiPassphrase }: Credentials) {
    this.apiKey = apiKey;
    this.#secret = crypto.subtle.importKey('raw', encoder.encode(apiSecret), ALGORITHM, false, ['sign']);
    this.#passphrase = this.sign(apiPassphrase);
    // A failure is reported by the call that signs.
    this.#passphrase.catch(() => undefined);
  }

  async sign(text: string): Promise<string> {
    const digest = await crypto.subtle.sign('HMAC', await this.#secret, encoder.encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(digest)));
  }

  /** The headers of a request. `path` includes the query and excludes the mount; `timestamp` is in milliseconds. */
  async headers(
    prefix: string,
    timestamp: number,
    method: string,
    path: string,
    body: string,
  ): Promise<Record<string, string>> {
    const [sign, passphrase] = await Promise.all([
      this.sign(`${timestamp}${method}${path}${body}`),
      this.#passphrase,
    ]);
    return {
      [`${prefix}-API-KEY`]: this.apiKey,
      [`${prefix}-API-SIGN`]: sign,
      [`${prefix}-API-TIMESTAMP`]: String(timestamp),
      [`${prefix}-API-PASSPHRASE`]: passphrase,
      [`${prefix}-API-KEY-VERSION`]: '3',
    };
  }

  /** The query string of an order entry session. */
  async sessionQuery(timestamp: number): Promise<string> {
    const [sign, passphrase] = await Promise.all([this.sign(`${this.apiKey}${timestamp}`), this.#passphrase]);
    const query = { apikey: this.apiKey, sign, passphrase, timestamp: String(timestamp) };
    return new URLSearchParams(query).toString();
  }
}
