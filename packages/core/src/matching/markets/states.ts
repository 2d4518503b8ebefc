/** Commands that change the state of one market, or pause the whole exchange. */

import type { SetMarketState } from '../../commands/commands.ts';
import { type Rejection, reject } from '../../commands/rejections.ts';
import type { State } from '../../state.ts';
import { cancelResting, DONE } from '../finish.ts';
import { BUY, SELL } from '../orders/order-flags.ts';
import { endPairOf } from '../stops/ocos.ts';
import { closeStop } from '../stops/stop-life.ts';
import type { UnfinishedMarket } from '../unfinished/unfinished.ts';
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
    continueDelisting(state, state.unfinished.addMarket({ task: 'delist', symbol, price: 0, size: 0 }));
  }
  return null;
}

/** Stop orders go first, each with its pair; then the buys and then the sells, by priority. */
export function continueDelisting(state: State, task: UnfinishedMarket): void {
  const { steps, stops } = state;
  const { symbol } = task;
  const { book } = state.instruments.all[symbol];
  for (;;) {
    const stop = stops.firstIn(symbol);
    const buy = book.next(BUY);
    const row = buy >= 0 ? buy : book.next(SELL);
    if (!stop && row < 0) break;
    if (steps.meetingsLeft === 0) return;
    steps.meetingsLeft--;
    if (stop) {
      endPairOf(state, stop.id, 'cancelled');
      closeStop(state, stop, 'delisted', '');
    } else cancelResting(state, row, DONE.delisted);
  }
  state.unfinished.remove(task);
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
