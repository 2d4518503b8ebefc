/** Commands that change the state of one market, or pause the whole exchange. */

import type { SetMarketState } from '../../commands/commands.ts';
import { type Rejection, reject } from '../../commands/rejections.ts';
import type { State } from '../../state.ts';
import { continueClearing } from '../cancel-for-others.ts';
import { checkNoAuction, doesMatch } from './auction.ts';

export function setMarketState(state: State, command: SetMarketState): Rejection | null {
  const { instruments } = state;
  const { symbol, state: next } = command;
  const refused = instruments.unknown(symbol) ?? instruments.checkState(next);
  if (refused) return refused;
  const instrument = instruments.all[symbol];
  const wrong = checkNoAuction(instrument);
  if (wrong) return wrong;
  if (doesMatch(next) && instrument.book.isCrossed) return reject('book-crossed', { symbol });
  instruments.enter(instrument, next);
  state.touch(symbol);
  if (next === 'delisted') {
    continueClearing(state, state.unfinished.addMarket({ task: 'delist', symbol, price: 0, size: 0 }));
  }
  return null;
}

export function setPaused(state: State, isPaused: boolean): Rejection | null {
  const { instruments } = state;
  if (instruments.isPaused === isPaused) return reject(isPaused ? 'paused-already' : 'not-paused', {});
  instruments.isPaused = isPaused;
  for (const instrument of instruments.all) {
    instrument.isPaused = isPaused;
    // Stop orders may have come due meanwhile.
    if (!isPaused) state.touch(instrument.number);
  }
  state.events.rare({ kind: 'pause-set', isPaused });
  return null;
}
