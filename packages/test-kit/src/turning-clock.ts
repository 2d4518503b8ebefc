/** A clock whose turns of the event loop end when they are told to; time passes only where the test says so. */

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
