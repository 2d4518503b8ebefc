/**
 * The service's listeners, public and, on a venue, for operators, and their TLS certificate.
 *
 * Programs that renew certificates replace their files every few weeks, and nobody should have to restart an
 * exchange for that: the files are read again every few seconds.
 */

import { createSecureContext } from 'node:tls';
import { type Certificate, type Gateway, HttpListener } from '@bourse/api';
import type { GatewayLog } from '@bourse/api/basics';
import { type Clock, type ListenAddress, readText, systemSentence } from '@bourse/engine';
import { operatorListenAddress } from '../config/operator-listen.ts';
import type { Settings } from '../config/settings.ts';
import { SecretUnfit } from './credentials.ts';

type TlsSettings = Pick<Settings, 'tlsCert' | 'tlsKey'>;

const LOOK_MS = 5000;

export async function readCertificate(settings: TlsSettings): Promise<Certificate | undefined> {
  if (settings.tlsCert === '') return undefined;
  const certificate = { cert: await read('tlsCert', settings), key: await read('tlsKey', settings) };
  try {
    createSecureContext({ ...certificate });
  } catch (error) {
    throw new SecretUnfit(
      `tlsCert, tlsKey: ${settings.tlsCert} and ${settings.tlsKey} are not a certificate and its private key, ` +
        `both as PEM (${(error as Error).message}).`,
    );
  }
  return certificate;
}

async function read(setting: keyof TlsSettings, settings: TlsSettings): Promise<string> {
  const path = settings[setting];
  try {
    return await readText(path);
  } catch (error) {
    throw new SecretUnfit(
      `${setting}: ${systemSentence(error, path) ?? `${path}: ${(error as Error).message}.`}`,
    );
  }
}

/**
 * Passes every new certificate to the listeners. While certificate and key do not match, as for a moment
 * when they are replaced one after the other, the old pair stays in use. The returned function ends this.
 */
export function followCertificate(
  settings: TlsSettings,
  listeners: readonly Pick<HttpListener, 'renew'>[],
  { machine }: Clock,
  log: { readonly info: (sentence: string) => void; readonly warn: (sentence: string) => void },
  present: Certificate | undefined,
): () => void {
  if (present === undefined) return () => undefined;
  let served = present;
  let complaint = '';
  let hasEnded = false;
  const look = async (): Promise<void> => {
    try {
      const found = (await readCertificate(settings))!;
      complaint = '';
      if (found.cert === served.cert && found.key === served.key) return;
      for (const listener of listeners) listener.renew(found);
      served = found;
      log.info('tlsCert: new connections get the new certificate');
    } catch (error) {
      const { message } = error as Error;
      // The first check may come between the replacement of the two files.
      if (complaint === message) log.warn(`${message} The certificate before it is still served.`);
      complaint = message;
    }
  };
  const again = (): void => {
    if (hasEnded) return;
    cancel = machine.after(LOOK_MS, () => void look().then(again));
  };
  let cancel = (): void => undefined;
  again();
  return () => {
    hasEnded = true;
    cancel();
  };
}

/** The operators' listener could not be opened; a setting other than `port` determines it. */
export class OperatorListenFailed extends Error {
  override readonly name = 'OperatorListenFailed';
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code ?? '';
  }
}

export interface ListenAddresses {
  /** Such as http://127.0.0.1:8080 or https://... */
  readonly address: string;
  /** The same, if operators have no separate listener. */
  readonly operatorAddress: string;
}

/** Loopback or a unix socket: nobody else can listen in, and no public certificate has such a name. */
const isOfThisMachine = (address: ListenAddress): boolean =>
  'path' in address || /^(localhost|127\..*|::1)$/.test(address.host);

export class Listeners {
  readonly front: HttpListener;
  readonly operators: HttpListener | undefined;
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #leaveCertificate: () => void;

  constructor(settings: Settings, clock: Clock, log: GatewayLog, certificate?: Certificate) {
    this.#settings = settings;
    this.#clock = clock;
    const { trustedProxies } = settings;
    this.front = new HttpListener(settings, clock, { certificate, trustedProxies });
    const secured = [this.front];
    const operators = operatorListenAddress(settings);
    if (operators && isOfThisMachine(operators))
      this.operators = new HttpListener(settings, clock, { trustedProxies });
    else if (operators)
      secured.push((this.operators = new HttpListener(settings, clock, { certificate, trustedProxies })));
    this.#leaveCertificate = followCertificate(settings, secured, clock, log, certificate);
  }

  /** Operators first: when the public port responds, the exchange can be operated. */
  async open(gateway: Gateway): Promise<ListenAddresses> {
    const { host, port } = this.#settings;
    this.front.serve(gateway);
    if (this.operators === undefined) {
      const address = await this.front.listen({ host, port });
      return { address, operatorAddress: address };
    }
    this.operators.serve(gateway.operatorServing);
    let operatorAddress: string;
    try {
      operatorAddress = await this.operators.listen(operatorListenAddress(this.#settings)!);
    } catch (error) {
      throw new OperatorListenFailed(error as NodeJS.ErrnoException);
    }
    try {
      return { address: await this.front.listen({ host, port }), operatorAddress };
    } catch (error) {
      await this.operators.close(this.#clock, async () => undefined);
      throw error;
    }
  }

  /** Lets pending requests finish, then ends all connections. */
  async close(gateway: Gateway): Promise<void> {
    this.#leaveCertificate();
    const closed = gateway.close();
    await Promise.all([this.front, this.operators].map((each) => each?.close(this.#clock, () => closed)));
  }
}
