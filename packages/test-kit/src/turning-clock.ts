/** A clock on which the test ends turns of the event loop and advances time. */

import { ManualClock } from './manual-clock.ts';

export class TurningClock extends ManualClock {
  #soon: (() => void)[] = [];

  override soon(action: () => void): void {
    this.#soon.push(action);
  }

  turn(): void {
    const actions = this.#soon;
    this.#soon = [];
    for (const action of actions) action();
  }
}
