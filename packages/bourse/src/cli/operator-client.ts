/** Talks to the operator API of a running service, or to the control API of a sandbox. */

import { userInfo } from 'node:os';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Command } from 'commander';
import { readText, readUnixUrl, shortened, systemSentence, unixUrl } from '@bourse/engine';
import { SANDBOX_OPERATOR_TOKEN } from '@bourse/sandbox/basics';
import { jsonFault } from '../config/json-fault.ts';
import { CommandFailed, EXIT, withProgress } from './output.ts';

const OPERATOR_PATH = '/operator';
const MOUNTS = { operator: OPERATOR_PATH, sandbox: '/sandbox/v1' } as const;
const DEFAULT_URL = `http://127.0.0.1:8080${OPERATOR_PATH}`;
/** The code with which the users' interface rejects an unknown path. */
const NO_SUCH_PATH = '404000';

/** The system's error codes, explained to the person at the command line. */
const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there. Is the exchange running? Another address: --url or BOURSE_URL.'],
  ['ENOENT', 'there is no such socket. Is the exchange running?'],
  ['ENOTFOUND', 'there is no such host. Check the address in --url or BOURSE_URL.'],
  ['ECONNRESET', 'it closed the connection. Did the exchange stop?'],
  ['ETIMEDOUT', 'it does not respond. Check the address in --url or BOURSE_URL.'],
]);

/** An operator's name and a token are sent as headers. */
const NAME = /^[\x21-\x7e]{1,64}$/;
const TOKEN = /^[\x21-\x7e]+$/;

export interface ConnectOptions {
  readonly url?: string;
  readonly token?: string;
  readonly connect?: string;
  readonly by?: string;
}

/** The options of every command for a running service. */
export function withConnection(command: Command): Command {
  return command
    .option('--connect <file>', 'file written by `bourse start --config-out`: address and token')
    .option(
      '--url <url>',
      `the service, with or without ${OPERATOR_PATH} (default: BOURSE_URL, or ${DEFAULT_URL})`,
    )
    .option('--token <token>', 'operator token (better: BOURSE_OPERATOR_TOKEN; others can see arguments)')
    .option('--by <name>', 'who you are, for the audit trail (default: your user name)');
}

export class OperatorClient {
  readonly #url: string;
  readonly #token: string;
  readonly #by: string;
  readonly #isTokenGiven: boolean;

  private constructor(url: string, token: string | undefined, by: string) {
    this.#url = url;
    this.#token = token ?? SANDBOX_OPERATOR_TOKEN;
    this.#by = by;
    this.#isTokenGiven = token !== undefined;
  }

  static async open(
    options: ConnectOptions,
    what: keyof typeof MOUNTS = 'operator',
  ): Promise<OperatorClient> {
    const written = options.connect === undefined ? undefined : await readConnection(options.connect);
    const url = options.url ?? written?.operatorUrl ?? process.env['BOURSE_URL'] ?? DEFAULT_URL;
    const token = options.token ?? written?.operatorToken ?? process.env['BOURSE_OPERATOR_TOKEN'];
    const by = options.by ?? userName();
    if (!NAME.test(by)) {
      const msg = `--by: '${shortened(by)}' cannot sign in the audit trail; give 1 to 64 printable ASCII characters without blanks.`;
      throw new CommandFailed(msg, EXIT.usage);
    }
    if (token !== undefined && !TOKEN.test(token)) {
      const msg = 'The operator token has characters that no token has. Give it exactly as the service does.';
      throw new CommandFailed(msg, EXIT.usage);
    }
    return new OperatorClient(urlOf(url, MOUNTS[what]), token, by);
  }

  get(path: string): Promise<unknown> {
    return this.ask('GET', path);
  }

  post(path: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.ask('POST', path, JSON.stringify(body));
  }

  delete(path: string, reason: string, query = new URLSearchParams()): Promise<unknown> {
    query.set('reason', reason);
    return this.ask('DELETE', `${path}?${query}`);
  }

  async ask(method: string, path: string, body?: string): Promise<unknown> {
    const { status, text } = await this.#send(method, path, body);
    const answer = parse(text);
    if (status >= 200 && status < 300 && answer !== undefined) return answer;
    throw this.#refused(status, text);
  }

  /** Yields the data of each server-sent event until the service ends. */
  async follow(path: string, take: (data: string) => void): Promise<void> {
    let rest = '';
    const { status, text } = await this.#send('GET', path, undefined, (piece) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line.startsWith('data: ')) take(line.slice('data: '.length));
    });
    if (status !== 200) throw this.#refused(status, text);
  }

  async #send(
    method: string,
    path: string,
    body?: string,
    onPiece?: (text: string) => void,
  ): Promise<ServiceAnswer> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#token}`,
      'x-operator': this.#by,
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    try {
      const answer = callService(this.#url + path, { method, headers, body, ...(onPiece && { onPiece }) });
      return await (onPiece ? answer : withProgress(`waiting for ${this.#service}`, answer));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new CommandFailed(
        `No response from ${this.#service}: ${UNREACHABLE.get(code ?? '') ?? code ?? message}`,
        EXIT.unreachable,
      );
    }
  }

  #refused(status: number, text: string): CommandFailed {
    const { code, msg } = (parse(text) ?? {}) as { code?: string; msg?: string };
    if (code === NO_SUCH_PATH && this.#url.endsWith(MOUNTS.sandbox)) {
      const none = 'is not a sandbox on one machine: venues and clusters have no control API.';
      return new CommandFailed(`${this.#service} ${none}`);
    }
    if (code === 'token-wrong') {
      const sent = this.#isTokenGiven
        ? 'Give the token that this exchange was started with'
        : 'None was given, so the one of sandboxes was sent; give that of this exchange';
      const how = 'by BOURSE_OPERATOR_TOKEN, or by --connect with the file that its --config-out wrote.';
      return new CommandFailed(`${msg} ${sent}, ${how} (${code})`);
    }
    return new CommandFailed(
      msg
        ? `${msg} (${code})`
        : `${this.#service} is not a Bourse exchange, or not of this version: it answered ${shortened(text) || 'nothing'} (${status}). Check the address.`,
    );
  }

  /** The address without the path of the interface, as people know it. */
  get #service(): string {
    const mount = Object.values(MOUNTS).find((each) => this.#url.endsWith(each)) ?? '';
    return this.#url.slice(0, this.#url.length - mount.length);
  }
}

/** Accepts the address of the service or of its operator API, for either. */
function urlOf(url: string, mount: string): string {
  const plain = url.replace(/\/+$/, '');
  const unix = readUnixUrl(plain);
  if (unix) return unixUrl(unix.socketPath) + mount;
  if (!URL.canParse(plain) || !/^https?:\/\//i.test(plain)) {
    const msg = `'${shortened(url)}' is not an address of a service; give one such as ${DEFAULT_URL} or unix:/run/bourse/operator.sock with --url or BOURSE_URL.`;
    throw new CommandFailed(msg, EXIT.usage);
  }
  const known = Object.values(MOUNTS).find((each) => plain.endsWith(each)) ?? '';
  return plain.slice(0, plain.length - known.length) + mount;
}

/** The used part of a connection file; that of `npm run cluster` has addresses by node. */
interface Connection {
  readonly operatorUrl: string;
  readonly operatorToken?: string;
  readonly identityUrl?: string;
}

/** `--connect`: its errors repeat nothing of the file, which has tokens. */
export async function readConnection(path: string): Promise<Connection> {
  let text: string;
  try {
    text = await readText(path);
  } catch (error) {
    throw new CommandFailed(
      `--connect ${systemSentence(error, path) ?? `${path}: ${(error as Error).message}.`}`,
      EXIT.usage,
    );
  }
  const written = parse(text) as (Partial<Connection> & { nodes?: readonly Connection[] }) | null | undefined;
  if (written === undefined) {
    throw new CommandFailed(`--connect ${path}: not JSON from ${jsonFault(text)} on.`, EXIT.usage);
  }
  const operatorUrl = written?.operatorUrl ?? written?.nodes?.[0]?.operatorUrl;
  if (typeof operatorUrl === 'string') return { ...written, operatorUrl };
  // Without it, the command would go to the default address, whatever exchange is there.
  const msg = `--connect ${path}: no operatorUrl in it; give a file that \`bourse start --config-out\` or \`npm run cluster\` wrote.`;
  throw new CommandFailed(msg, EXIT.usage);
}

/** In a container a process may run under a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

/** Undefined if it is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses the time given with the option of this name into milliseconds. */
export function timeOption(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTime(`--${option}`, text);
}

/** A time of day needs a zone: without one it would be this machine's, while everything shown is UTC. */
const DATE_OR_TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** In milliseconds; `name` is what the user calls it. */
export function parseTime(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  // Bourse shows times with a space.
  const time = DATE_OR_TIME.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isFinite(time)) return time;
  const msg = `${name}: '${shortened(text)}' is not a time. Give milliseconds, a date (2026-01-01, in UTC), or a time with its zone (2026-01-01T12:00:00Z).`;
  throw new CommandFailed(msg, EXIT.usage);
}

/**
 * Calls a running service. Not with `fetch`, which times out after five minutes: an advance of a week may
 * take longer.
 */
export interface ServiceCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Called with each chunk of a successful response. */
  readonly onPiece?: (text: string) => void;
}

interface ServiceAnswer {
  readonly status: number;
  readonly text: string;
}

export function callService(
  url: string,
  { method, headers, body, onPiece }: ServiceCall,
): Promise<ServiceAnswer> {
  const request = url.startsWith('https:') ? secureRequest : plainRequest;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers, ...length },
      agent: false,
      ...readUnixUrl(url),
    } as const;
    const sent = request(readUnixUrl(url) ? 'http://localhost' : url, options, (response) => {
      const { statusCode: status = 0 } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        if (onPiece && status === 200) onPiece(piece);
        else text += piece;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
