/** Wakes waiters when something has changed, so that they check again. */

export class TurnBell {
  #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  ring(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
