/**
 * The commands of a log, for people and programs to read. If the log begins with the first record, the core
 * executes them, and each comes with its outcome. Reads only.
 */

import { type Command, Exchange, type LogRecord, type Outcome } from '@bourse/core';
import { type Disk, findEnd, logDirectory, logReaderIn, segmentsAmong, snapshotsIn } from '@bourse/engine';
import { NoLog, NotInLog } from './log-verify.ts';

export interface DumpFilter {
  /** A user, by number or name. */
  readonly user?: string;
  readonly order?: number;
  /** A symbol, by number or code. */
  readonly symbol?: string;
  readonly fromSeq?: number;
  readonly throughSeq?: number;
}

export interface DumpedCommand {
  readonly seq: number;
  readonly time: number;
  /** Index in the record, from 0; -1 for a record without commands, which only advances time. */
  readonly index: number;
  readonly command: unknown;
  /** Only if the log begins with the first record. */
  readonly outcome?: Outcome;
}

/** `dir` is the data directory. Throws NoLog, NotInLog, LogDamaged, LogTooNew. */
export async function* dumpLog(disk: Disk, dir: string, filter: DumpFilter): AsyncGenerator<DumpedCommand> {
  const log = logDirectory(dir);
  const segments = segmentsAmong(await disk.list(log));
  const last = segments.at(-1);
  if (last === undefined) throw new NoLog(`No log in ${dir}.`);
  const { lastSeq } = await findEnd(disk, log, last);
  const isComplete = segments[0] === 1;
  // Numbers of users and symbols are never reused, so a later snapshot gives the same names.
  const names = isComplete ? new Exchange() : (await snapshotsIn(disk, dir).restore()).exchange;
  const { fromSeq = segments[0], throughSeq = lastSeq } = filter;
  if (fromSeq > lastSeq) throw new NotInLog(`Record ${fromSeq} is not in the log: the newest is ${lastSeq}.`);
  if (fromSeq > throughSeq) throw new NotInLog(`No record from ${fromSeq} to ${throughSeq}.`);
  const reader = logReaderIn(disk, dir);
  let isFound = false;
  try {
    const firstSeq = isComplete ? 1 : Math.max(fromSeq, segments[0]);
    for await (const record of reader.read(firstSeq, Math.min(throughSeq, lastSeq))) {
      const outcomes = isComplete ? names.apply(record).outcomes.decode() : [];
      if (record.seq < fromSeq) continue;
      for (const found of select(record, outcomes, new Match(filter, names))) {
        isFound = true;
        yield found;
      }
    }
  } finally {
    await reader.close();
  }
  if (!isFound) checkKnown(filter, names.reference, dir);
}

/** At the end, because any record may add the named user or symbol, and a later one may remove the symbol. */
function checkKnown({ user, symbol }: DumpFilter, reference: Exchange['reference'], dir: string): void {
  const userNumber = userNumberOf(user, reference) ?? 0;
  if (user !== undefined && reference.users[userNumber] === undefined) {
    throw new NotInLog(`Unknown user '${user}' in ${dir} up to that record. Give a number or a name.`);
  }
  const symbols = reference.symbols();
  const symbolNumber = symbolNumberOf(symbol, reference);
  if (symbolNumber === null || symbols.some((each) => each.symbol === symbolNumber)) return;
  const known = symbols.map(({ code }) => code).join(', ');
  throw new NotInLog(
    `Unknown symbol '${symbol}' in ${dir} up to that record. Expected one of: ${known || 'none'}.`,
  );
}

function* select(
  { seq, time, commands }: LogRecord,
  outcomes: readonly Outcome[],
  match: Match,
): Generator<DumpedCommand> {
  if (commands.length === 0 && match.isAny) yield { seq, time, index: -1, command: null };
  for (const [index, command] of commands.entries()) {
    const outcome = outcomes[index];
    if (!match.matches(command, outcome)) continue;
    yield { seq, time, index, command: withoutSecrets(command), ...(outcome && { outcome }) };
  }
}

/** A filter, with names as numbers. */
class Match {
  readonly isAny: boolean;
  readonly #user: number | null;
  readonly #order: number | null;
  readonly #symbol: number | null;

  constructor({ user, order, symbol }: DumpFilter, { reference }: Exchange) {
    this.#user = userNumberOf(user, reference);
    this.#symbol = symbolNumberOf(symbol, reference);
    this.#order = order ?? null;
    this.isAny = this.#user === null && this.#symbol === null && this.#order === null;
  }

  matches(command: Command, outcome: Outcome | undefined): boolean {
    return (
      (this.#user === null || mentions(command, ['user', 'fromUser', 'toUser', 'parent'], this.#user)) &&
      (this.#symbol === null || mentions(command, ['symbol', 'symbols'], this.#symbol)) &&
      (this.#order === null ||
        mentions(command, ['order'], this.#order) ||
        mentions(outcome, ['order', 'orders', 'cancelled'], this.#order))
    );
  }
}

const userNumberOf = (user: string | undefined, { users }: Exchange['reference']): number | null =>
  numberOf(user, (name) => users.findIndex((each) => each.name === name));

const symbolNumberOf = (symbol: string | undefined, reference: Exchange['reference']): number | null =>
  numberOf(symbol, (code) => reference.symbolNumber(code));

/** Returns a number unchanged, and looks up any other text as a name; -1 if there is none. */
function numberOf(text: string | undefined, find: (name: string) => number): number | null {
  if (text === undefined) return null;
  return /^\d+$/.test(text) ? Number(text) : find(text);
}

/** Whether a field, at any depth, is the number or a list that contains it. */
function mentions(value: unknown, fields: readonly string[], number: number): boolean {
  if (Array.isArray(value)) return value.some((item) => mentions(item, fields, number));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([field, each]: [string, unknown]) => {
    const isNamed =
      fields.includes(field) && (each === number || (Array.isArray(each) && each.includes(number)));
    return isNamed || mentions(each, fields, number);
  });
}

const SECRETS: readonly string[] = ['secret', 'passphrase'];

export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    fields.map(([field, each]) => [field, SECRETS.includes(field) ? '(not shown)' : withoutSecrets(each)]),
  );
}
