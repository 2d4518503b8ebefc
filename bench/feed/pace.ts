/** Keeps a server from running further ahead of its readers than a burst allows. */

export class Pace {
  #behind = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#behind = 0;
  }

  /** Notes the progress of the slowest reader. */
  note(messages: number): void {
    this.#behind = messages;
    for (const go of this.#waiting.splice(0)) go();
  }

  async until(sent: number, aheadMax: number): Promise<void> {
    while (sent - this.#behind > aheadMax) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}
