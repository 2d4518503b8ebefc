/**
 * For what changes more often than eyes can see: the data is kept outside React and changed as often as it likes, and
 * whoever shows it is told once a frame.
 */

export class FrameSignal {
  private readonly listeners = new Set<() => void>();
  private version = 0;
  private isWaiting = false;

  changed(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.version++;
      for (const listener of this.listeners) listener();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly painted = (): number => this.version;
}
