/**
 * Counts things that are being created, by owner. Views show them only when they are durable, so without this count
 * many requests at once could exceed a limit.
 */

export class Creations {
  private readonly underWay = new Map<number, number>();

  /** How many of this owner's are submitted but not in the views yet. */
  of(owner: number): number {
    return this.underWay.get(owner) ?? 0;
  }

  async count<T>(owner: number, making: Promise<T>): Promise<T> {
    this.underWay.set(owner, this.of(owner) + 1);
    try {
      return await making;
    } finally {
      const left = this.of(owner) - 1;
      if (left > 0) this.underWay.set(owner, left);
      else this.underWay.delete(owner);
    }
  }
}
