/**
 * A sandbox's requests as lines, for people who try a bot. It never delays a request: printing one costs a
 * push, lines are written ten times a second, and lines that a slow terminal cannot take are dropped and
 * counted.
 */

import { styleText } from 'node:util';
import { type Clock, visibleLine } from '@bourse/engine';
import type { RequestEntry } from '@bourse/sandbox';

const FLUSH_MS = 100;
/** Maximum number of lines per flush: more than anybody reads in that time. */
const LINES_MAX = 50;
const LINE_MAX = 400;
/** A longer body or response is not parsed. */
const TEXT_MAX = 16_384;

export interface RequestPrinterOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly isColoured: boolean;
  /** Resolves when the text is written; the next one waits for it. */
  readonly write: (text: string) => Promise<void>;
}

export class RequestPrinter {
  readonly #options: RequestPrinterOptions;
  #entries: RequestEntry[] = [];
  #leftOut = 0;
  #isWaiting = false;

  constructor(options: RequestPrinterOptions) {
    this.#options = options;
  }

  readonly add = (entry: RequestEntry): void => {
    if (this.#entries.length >= LINES_MAX) this.#leftOut++;
    else this.#entries.push(entry);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#options.clock.after(FLUSH_MS, () => void this.#flush());
  };

  async #flush(): Promise<void> {
    const [entries, leftOut] = [this.#entries, this.#leftOut];
    [this.#entries, this.#leftOut] = [[], 0];
    const lines = entries.map((entry) => requestLine(entry, this.#options.isColoured));
    if (leftOut > 0) lines.push(`... and ${leftOut} more requests`);
    // A closed terminal must not stop an exchange.
    await this.#options.write(`${lines.join('\n')}\n`).catch(() => undefined);
    if (this.#entries.length > 0) this.#options.clock.after(FLUSH_MS, () => void this.#flush());
    else this.#isWaiting = false;
  }
}

const USER_WIDTH = 8;
const METHOD_WIDTH = 6;

/** Such as: 22:14:08.123  alice     POST   /api/v1/hf/orders  BTC-USDT buy limit 0.1 at 20000  ok  2.1 ms */
export function requestLine(entry: RequestEntry, isColoured: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  const time = new Date(entry.wallTime).toISOString().slice(11, 23);
  const refusal = refusalOf(entry);
  const outcome = refusal === null ? paint('green', 'ok') : paint('red', refusal);
  const parts = [
    paint('dim', time),
    (entry.user ?? '-').padEnd(USER_WIDTH),
    shown(`${entry.method.padEnd(METHOD_WIDTH)} ${entry.path}${entry.query && `?${entry.query}`}`),
    orderOf(entry.body),
    outcome,
    paint('dim', `${(entry.durationUs / 1000).toFixed(1)} ms`),
    entry.fault === undefined ? '' : paint('magenta', `fault ${entry.fault}`),
  ];
  return parts.filter(Boolean).join('  ');
}

/** Why a request was rejected, from the response; null if it was not. */
function refusalOf({ status, code, answer }: RequestEntry): string | null {
  if (status === 0) return 'no answer';
  if (status < 400 && (code === null || code === '200000')) return null;
  const { msg, detail } = objectIn(answer);
  const why = [msg, detail].filter((text) => typeof text === 'string' && text !== '').join(' ');
  return shown(`${code ?? status} ${why}`.trim());
}

/** Symbol, side, type, size and price of an order. */
function orderOf(body: string): string {
  const given = objectIn(body);
  const { symbol, side, type, size, funds, price } = objectIn(given['args'] ?? given);
  const words = [symbol, side, type, size ?? funds, price === undefined ? undefined : `at ${price}`];
  return symbol === undefined ? '' : shown(words.filter((word) => word !== undefined).join(' '));
}

function objectIn(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given === 'object') return (given ?? {}) as Record<string, unknown>;
  if (typeof given !== 'string' || !given.startsWith('{') || given.length > TEXT_MAX) return {};
  try {
    return JSON.parse(given) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Untrusted text: no control character reaches the terminal, and a line stays one line. */
const shown = (text: string): string => visibleLine(text.slice(0, LINE_MAX));

/** Without either option: only at a terminal. */
export function wantsRequestLog(
  {
    quiet = false,
    requestLog = false,
    json = false,
  }: { quiet?: boolean; requestLog?: boolean; json?: boolean },
  isTerminal: boolean,
): boolean {
  return !quiet && (requestLog || (isTerminal && !json));
}
