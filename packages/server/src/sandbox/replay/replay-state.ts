/** What is being played: a note of the exchange, like the market's own state. */

import type { Exchange } from '@bourse/core';
import type { TapeKind } from './tape-line.ts';

/** The name of the note. */
export const REPLAY_NOTE = 'replay';

export interface ReplayRequest {
  readonly symbol: string;
  readonly file: string;
  readonly speed?: number;
}

export interface ReplayState extends Required<ReplayRequest> {
  readonly kind: TapeKind;
  readonly events: number;
  /** How many of them were played, and where the next line begins in the file. */
  readonly played: number;
  readonly offset: number;
  /** Exchange time at which the tape's first event was played, and that event's own time. */
  readonly startedAt: number;
  readonly firstTime: number;
  readonly nextAt: number;
}

export type ReplayView =
  | { readonly playing: false }
  | ({ readonly playing: true } & Pick<ReplayState, 'symbol' | 'file' | 'speed' | 'events' | 'played'>);

export const replayState = ({ reference }: Exchange): ReplayState | null => {
  const text = reference.note(REPLAY_NOTE);
  return text === '' ? null : (JSON.parse(text) as ReplayState);
};

export function viewReplay(exchange: Exchange): ReplayView {
  const state = replayState(exchange);
  if (state === null) return { playing: false };
  const { symbol, file, speed, events, played } = state;
  return { playing: true, symbol, file, speed, events, played };
}
