/** Talks to the operator interface of a running service. */

import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { jsonFault } from '../config/json-fault.ts';
import { readText } from '../io/text-file.ts';
import { SANDBOX_OPERATOR_TOKEN } from '../sandbox/users.ts';
import { CommandFailed, EXIT } from './exit-codes.ts';

const OPERATOR_PATH = '/operator';
const DEFAULT_URL = `http://127.0.0.1:8080${OPERATOR_PATH}`;

/** Both go into headers. */
const NAME = /^[\x21-\x7e]{1,64}$/;
const TOKEN = /^[\x21-\x7e]+$/;

export interface ConnectOptions {
  readonly url?: string;
  readonly token?: string;
  readonly connect?: string;
  readonly by?: string;
}

/** The options that every command to a running service takes. */
export function withConnection(command: Command): Command {
  return command
    .option('--connect <file>', 'the file that `bourse start --config-out` wrote: address and token')
    .option(
      '--url <url>',
      `the service, with or without ${OPERATOR_PATH} (default: BOURSE_URL, or ${DEFAULT_URL})`,
    )
    .option(
      '--token <token>',
      'operator token (better: BOURSE_OPERATOR_TOKEN, arguments can be seen by others)',
    )
    .option('--by <name>', 'who you are, for the audit trail (default: your user name)');
}

export class OperatorClient {
  readonly #url: string;
  readonly #token: string;
  readonly #by: string;

  constructor(url: string, token: string, by: string) {
    this.#url = url;
    this.#token = token;
    this.#by = by;
  }

  static async open(options: ConnectOptions): Promise<OperatorClient> {
    const written = options.connect === undefined ? {} : await readConnection(options.connect);
    const url = options.url ?? written.operatorUrl ?? process.env['BOURSE_URL'] ?? DEFAULT_URL;
    const token = options.token ?? written.operatorToken ?? process.env['BOURSE_OPERATOR_TOKEN'];
    const by = options.by ?? userName();
    if (!NAME.test(by)) {
      const msg = `--by: '${by}' cannot sign in the audit trail; give 1 to 64 printable ASCII characters without blanks.`;
      throw new CommandFailed(msg, EXIT.usage);
    }
    if (token !== undefined && !TOKEN.test(token)) {
      const msg = 'The operator token has characters that no token has; give it as the service has it.';
      throw new CommandFailed(msg, EXIT.usage);
    }
    return new OperatorClient(operatorUrl(url), token ?? SANDBOX_OPERATOR_TOKEN, by);
  }

  get(path: string): Promise<unknown> {
    return this.#ask('GET', path);
  }

  post(path: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#ask('POST', path, JSON.stringify(body));
  }

  delete(path: string, reason: string, query = new URLSearchParams()): Promise<unknown> {
    query.set('reason', reason);
    return this.#ask('DELETE', `${path}?${query}`);
  }

  async #ask(method: string, path: string, body?: string): Promise<unknown> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#token}`,
      'x-operator': this.#by,
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    let response: Response;
    try {
      response = await fetch(this.#url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      const why = cause?.code ?? (error as Error).message;
      throw new CommandFailed(
        `No answer from ${this.#url} (${why}). Is the service running there?`,
        EXIT.unreachable,
      );
    }
    const text = await response.text();
    const answer = parse(text);
    if (response.ok && answer !== undefined) return answer;
    const { code, msg } = (answer ?? {}) as { code?: string; msg?: string };
    throw new CommandFailed(
      msg ? `${msg} (${code})` : `${this.#url} answered ${response.status}: ${text.slice(0, 200)}`,
    );
  }
}

/** An address of the service is as good as that of its operator interface. */
function operatorUrl(url: string): string {
  const plain = url.replace(/\/+$/, '');
  if (!URL.canParse(plain) || !/^https?:\/\//i.test(plain)) {
    const msg = `'${url}' is not an address of a service; give one such as ${DEFAULT_URL} with --url or BOURSE_URL.`;
    throw new CommandFailed(msg, EXIT.usage);
  }
  return plain.endsWith(OPERATOR_PATH) ? plain : plain + OPERATOR_PATH;
}

async function readConnection(path: string): Promise<{ operatorUrl?: string; operatorToken?: string }> {
  let text: string;
  try {
    text = await readText(path);
  } catch (error) {
    throw new CommandFailed(`--connect ${path}: ${(error as Error).message}.`, EXIT.usage);
  }
  try {
    return JSON.parse(text) as { operatorUrl?: string; operatorToken?: string };
  } catch {
    throw new CommandFailed(`--connect ${path}: not JSON from ${jsonFault(text)} on.`, EXIT.usage);
  }
}

/** In a container a process may run as a number that no name belongs to. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
