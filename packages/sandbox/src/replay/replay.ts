/**
 * Recorded markets being played, one per symbol, with position and speed. This state is a note of the exchange, like
 * the market's own, so a restart, a restore or a fork continues with the same line; the tape's book is rebuilt by
 * reading up to there.
 */

import { type Command, type Exchange, type Outcome, parseDecimal, toUnits } from '@bourse/core';
import { type Disk, filesIn, isFile, isInside, nodeDisk, shortened } from '@bourse/engine';
import { fundOnce } from '../market/agents.ts';
import { MarketRefusal } from '../market/market-control.ts';
import { TapeFile, type TapedEvent, WrongTape } from './tape-file.ts';
import {
  type Missed,
  noteWith,
  noteWithout,
  type ReplayRequest,
  tapeOf,
  type TapeState,
} from './replay-state.ts';
import { type Played, TapePlayer, type TapeUsers } from './tape-player.ts';

const MAKER = 'agent-tape-maker';
const TAKER = 'agent-tape-taker';
/**
 * The maximum number of events in one step, and the minimum time between two steps: a tape may be too dense to
 * follow.
 */
const EVENTS_MAX = 500;
const GAP_MS_MIN = 50;
const SPEED_MAX = 10_000;
/** The longest path on Linux: every part of a longer one would be looked up. */
const PATH_LENGTH_MAX = 4096;
/** Coins of each of the symbol's currencies for each of the two users. */
const CAPITAL = '100000000';

interface OpenTape {
  readonly player: TapePlayer;
  readonly events: AsyncGenerator<TapedEvent>;
  played: number;
  /** The next event, read but not due yet. */
  ahead: TapedEvent | null;
}

export interface PlayedTape extends Played {
  /** The last of `commands` is the note with the position. */
  readonly commands: readonly Command[];
}

export class Replay {
  readonly #disk: Disk;
  readonly #directory: string;
  /** By symbol: the open file and the position of the tape's book. */
  readonly #open = new Map<string, OpenTape>();

  /** `directory`: contains the recordings; '' for none. */
  constructor(directory: string, disk: Disk = nodeDisk) {
    this.#directory = directory;
    this.#disk = disk;
  }

  /** Reads the whole file. Throws MarketRefusal, having changed nothing. */
  async prepare({ symbol, file, speed = 1 }: ReplayRequest, now: number): Promise<TapeState> {
    if (typeof speed !== 'number' || !(speed > 0 && speed <= SPEED_MAX)) {
      throw new MarketRefusal(
        `speed must be a number above 0 and at most ${SPEED_MAX}; 1 is the recorded speed.`,
      );
    }
    const tape = await this.#find(file);
    const { kind, events, firstTime } = await tape
      .check()
      .catch(refuseTape(file, ' Nothing of the file was played.'));
    return {
      symbol,
      file,
      speed,
      kind,
      events,
      played: 0,
      offset: 0,
      startedAt: now,
      firstTime,
      nextAt: now,
    };
  }

  /** Creates the tape's users, their money, and the first note. */
  static beginCommands(exchange: Exchange): Command[] {
    const known = exchange.reference.users.map(({ name }) => name);
    return [MAKER, TAKER]
      .filter((name) => !known.includes(name))
      .map((name): Command => ({ kind: 'add-user', name }));
  }

  static fundingCommands(exchange: Exchange, symbol: string): Command[] {
    const { reference } = exchange;
    const { base, quote } = reference.symbol(reference.symbolNumber(symbol));
    return Object.values(usersOf(exchange)).flatMap((user) =>
      [base, quote].flatMap((currency) => {
        const amount = toUnits(parseDecimal(CAPITAL)!, reference.currencies[currency].scale)!;
        return fundOnce(exchange, user, currency, amount);
      }),
    );
  }

  /** Returns the tape's events that are due at `now`. Throws MarketRefusal if the file has changed since. */
  due(exchange: Exchange, state: TapeState, now: number): Promise<readonly TapedEvent[]> {
    return this.#due(exchange, state, now).catch(refuseTape(state.file));
  }

  async #due(exchange: Exchange, state: TapeState, now: number): Promise<readonly TapedEvent[]> {
    const open = await this.#at(exchange, state);
    const due: TapedEvent[] = [];
    while (due.length < EVENTS_MAX) {
      const next = open.ahead ?? (await open.events.next()).value ?? null;
      open.ahead = next;
      if (next === null || dueAt(state, next.time) > now) break;
      due.push(next);
      open.ahead = null;
    }
    return due;
  }

  /** The commands for these events. At the end of the tape its users cancel everything. */
  play(exchange: Exchange, state: TapeState, events: readonly TapedEvent[], now: number): PlayedTape {
    const open = this.#open.get(state.symbol)!;
    const number = exchange.reference.symbolNumber(state.symbol);
    const played = open.player.play(exchange, number, usersOf(exchange), events);
    open.played += events.length;
    if (open.ahead === null && events.length < EVENTS_MAX) {
      const end = Replay.endCommands(exchange, state.symbol, played.droppedCount);
      return { ...played, commands: [...played.commands, ...end] };
    }
    const next = open.ahead === null ? now : dueAt(state, open.ahead.time);
    const nextAt = Math.max(now + GAP_MS_MIN, next);
    const offset = events.at(-1)?.end ?? state.offset;
    const tape = { ...state, played: state.played + events.length, offset, nextAt };
    const note = noteWith(exchange, tape, played.droppedCount);
    return { ...played, commands: [...played.commands, note] };
  }

  /** The played events with less effect than on the tape, according to the commands' `outcomes`. */
  static missedOf(
    { symbol, file }: TapeState,
    { lines, unordered }: PlayedTape,
    outcomes: readonly Outcome[],
  ): Missed[] {
    const missed = unordered.map(({ line, why }) => ({ symbol, file, line, why }));
    for (const [at, { line, isTrade }] of lines) {
      const why = shortfall(outcomes[at], isTrade);
      if (why !== undefined) missed.push({ symbol, file, line, why });
    }
    return missed.toSorted((one, other) => one.line - other.line);
  }

  /** The sender of the tape's commands: one for all of them, so that none overtakes another. */
  static senderIn(exchange: Exchange): number {
    return usersOf(exchange).maker;
  }

  /** The tape's users cancel their orders in the symbol, and its replay ends. */
  static endCommands(exchange: Exchange, code: string, droppedCount = 0): Command[] {
    if (tapeOf(exchange, code) === undefined) return [];
    const symbol = exchange.reference.symbolNumber(code);
    const { maker, taker } = usersOf(exchange);
    return [
      { kind: 'cancel-orders', user: maker, symbol },
      { kind: 'cancel-orders', user: taker, symbol },
      noteWithout(exchange, code, droppedCount),
    ];
  }

  /** Closes the file of a symbol, or all of them. The log has everything that was played. */
  async close(symbol?: string): Promise<void> {
    for (const [code, { events }] of this.#open) {
      if (symbol !== undefined && code !== symbol) continue;
      this.#open.delete(code);
      await events.return(undefined);
    }
  }

  async #at(exchange: Exchange, state: TapeState): Promise<OpenTape> {
    const known = this.#open.get(state.symbol);
    if (known?.played === state.played) return known;
    await this.close(state.symbol);
    const tape = await this.#find(state.file);
    const opened = { player: new TapePlayer(state.kind), events: tape.events(), played: 0, ahead: null };
    const number = exchange.reference.symbolNumber(state.symbol);
    for (; opened.played < state.played; opened.played++) {
      const { value } = await opened.events.next();
      if (!value)
        throw new MarketRefusal(
          `${state.file} has become shorter: ${state.played} events of it were played.`,
        );
      opened.player.skip(exchange, number, value);
    }
    this.#open.set(state.symbol, opened);
    return opened;
  }

  async #find(file: string): Promise<TapeFile> {
    if (this.#directory === '') {
      throw new MarketRefusal(
        'no recordings can be played: name their directory at the start with --recordings.',
      );
    }
    const path = `${this.#directory}/${file}`;
    const isThere =
      typeof file === 'string' &&
      file !== '' &&
      file.length <= PATH_LENGTH_MAX &&
      (await isInside(path, this.#directory));
    if (!isThere)
      throw new MarketRefusal(
        `file '${shortened(file)}' must lie below the directory that --recordings names.`,
      );
    if (!(await isFile(path))) {
      const names = await filesIn(this.#directory);
      const there = names === null ? 'which is not a directory' : `which has ${names.join(', ') || 'none'}`;
      throw new MarketRefusal(
        `there is no file '${shortened(file)}' in ${this.#directory}, ${there}; --recordings names it at the start.`,
      );
    }
    return new TapeFile(this.#disk, path, file);
  }
}

/** An invalid or unreadable file is the client's error. */
function refuseTape(file: string, besides = ''): (error: unknown) => never {
  return (error) => {
    if (error instanceof WrongTape) throw new MarketRefusal(`${error.message}${besides}`);
    if (error instanceof Error && 'syscall' in error) {
      throw new MarketRefusal(`file '${shortened(file)}' cannot be read (${error.message}).`);
    }
    throw error;
  };
}

const dueAt = ({ startedAt, firstTime, speed }: TapeState, time: number): number =>
  startedAt + Math.round((time - firstTime) / speed);

/** Undefined if the order had its full effect. */
function shortfall(outcome: Outcome | undefined, isTrade: boolean): string | undefined {
  if (outcome?.kind === 'rejected') return `the exchange refused the order: ${outcome.rejection.code}`;
  if (!isTrade || outcome?.kind !== 'order' || outcome.dealSize >= outcome.size) return undefined;
  return outcome.dealSize === 0 ? 'nothing of it was traded' : 'only a part of it was traded';
}

function usersOf({ reference }: Exchange): TapeUsers {
  const numberOf = (wanted: string) => reference.users.findIndex(({ name }) => name === wanted);
  return { maker: numberOf(MAKER), taker: numberOf(TAKER) };
}
