/** The running replays, one tape per symbol: a note of the exchange, like the market's state. */

import type { Command, Exchange } from '@bourse/core';
import type { TapeKind } from './tape-file.ts';

/** The name of the note. */
const REPLAY_NOTE = 'replay';
/** Lines that could not be played are counted, and the first ones listed. */
const MISSED_NAMED_MAX = 20;

export interface ReplayRequest {
  readonly symbol: string;
  readonly file: string;
  readonly speed?: number;
}

export interface TapeState extends Required<ReplayRequest> {
  readonly kind: TapeKind;
  readonly events: number;
  /** How many lines were played, and the file offset of the next one. */
  readonly played: number;
  readonly offset: number;
  /** Exchange time at which the tape's first event was played, and that event's own time. */
  readonly startedAt: number;
  readonly firstTime: number;
  readonly nextAt: number;
}

/** A line of a recording with less than its full effect. */
export interface Missed {
  readonly symbol: string;
  readonly file: string;
  readonly line: number;
  readonly why: string;
}

export interface ReplayState {
  /** The oldest first. */
  readonly tapes: readonly TapeState[];
  /** Since nothing was last playing. */
  readonly missed: readonly Missed[];
  readonly missedCount: number;
  /** Prices that the tapes' books had no room for, since nothing was last playing. Absent: none. */
  readonly droppedCount?: number;
}

type TapeView = Pick<TapeState, 'symbol' | 'file' | 'speed' | 'events' | 'played'>;

/** Lines that could not be played: of the running replays, or of the last ones. */
interface MissedView {
  readonly missed?: readonly Missed[];
  readonly missedCount?: number;
  readonly droppedCount?: number;
}

export type ReplayView = MissedView &
  (
    | { readonly playing: false }
    // The fields at the top level are those of the oldest tape.
    | ({ readonly playing: true; readonly replays: readonly TapeView[] } & TapeView)
  );

const NONE: ReplayState = { tapes: [], missed: [], missedCount: 0 };

export function replayState({ reference }: Pick<Exchange, 'reference'>): ReplayState {
  const text = reference.note(REPLAY_NOTE);
  if (text === '') return NONE;
  const said = JSON.parse(text) as ReplayState | TapeState;
  // Before several could play, the note was the one tape.
  return 'tapes' in said ? said : { ...NONE, tapes: [said] };
}

export const tapeOf = (exchange: Exchange, symbol: string): TapeState | undefined =>
  replayState(exchange).tapes.find((tape) => tape.symbol === symbol);

/**
 * The note with this tape in place of the symbol's last one, and more dropped prices. The first tape resets the
 * counts.
 */
export function noteWith(exchange: Exchange, tape: TapeState, droppedCount = 0): Command {
  const { tapes, ...counts } = replayState(exchange);
  const isKnown = tapes.some(({ symbol }) => symbol === tape.symbol);
  const others = tapes.map((each) => (each.symbol === tape.symbol ? tape : each));
  const state =
    tapes.length === 0
      ? { ...NONE, tapes: [tape] }
      : { tapes: isKnown ? others : [...tapes, tape], ...counts };
  return noteOf(withDropped(state, droppedCount));
}

/** The note without the symbol's tape. */
export function noteWithout(exchange: Exchange, symbol: string, droppedCount = 0): Command {
  const { tapes, ...counts } = replayState(exchange);
  const state = { ...counts, tapes: tapes.filter((tape) => tape.symbol !== symbol) };
  return noteOf(withDropped(state, droppedCount));
}

const withDropped = (state: ReplayState, count: number): ReplayState =>
  count === 0 ? state : { ...state, droppedCount: (state.droppedCount ?? 0) + count };

export function noteMissed(exchange: Exchange, missed: readonly Missed[]): Command {
  const state = replayState(exchange);
  return noteOf({
    ...state,
    missed: [...state.missed, ...missed].slice(0, MISSED_NAMED_MAX),
    missedCount: state.missedCount + missed.length,
  });
}

export function viewReplay(exchange: Exchange): ReplayView {
  const { tapes, missed, missedCount, droppedCount } = replayState(exchange);
  const besides = {
    ...(missedCount > 0 && { missed, missedCount }),
    ...(droppedCount !== undefined && { droppedCount }),
  };
  const [first, ...others] = tapes.map(viewTape);
  if (first === undefined) return { playing: false, ...besides };
  return { playing: true, ...first, replays: [first, ...others], ...besides };
}

const viewTape = ({ symbol, file, speed, events, played }: TapeState): TapeView => ({
  symbol,
  file,
  speed,
  events,
  played,
});

function noteOf(state: ReplayState): Command {
  const isEmpty = state.tapes.length === 0 && state.missedCount === 0 && state.droppedCount === undefined;
  return { kind: 'set-note', name: REPLAY_NOTE, text: isEmpty ? '' : JSON.stringify(state) };
}
