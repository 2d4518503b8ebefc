/**
 * For what changes more often than eyes can see: the data is kept outside React and changed as often as it likes, and
 * whoever shows it is told once a frame.
 */

type Later = (tell: () => void) => unknown;

export class FrameSignal {
  readonly #later: Later;
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #isWaiting = false;

  /** Told in the next frame, or when something slower says. */
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
