/**
 * For data that changes faster than the screen: it is kept outside React, changes at any rate, and notifies
 * subscribers at most once per frame.
 */

type Later = (tell: () => void) => unknown;

export class FrameSignal {
  readonly #later: Later;
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #isWaiting = false;

  /** `later` schedules the notification; by default in the next frame. */
  constructor(later: Later = (tell) => requestAnimationFrame(tell)) {
    this.#later = later;
  }

  changed(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#later(() => {
      this.#isWaiting = false;
      this.#version++;
      for (const listener of this.#listeners) listener();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly painted = (): number => this.#version;
}
