/** Bytes that wait for readers: those of each network and all of them, against their bounds. */

export class WaitingBytes {
  total = 0;
  private readonly byNetwork = new Map<string, number>();
  private readonly networkMax: number;
  private readonly totalMax: number;

  constructor(networkMax: number, totalMax: number) {
    this.networkMax = networkMax;
    this.totalMax = totalMax;
  }

  change(network: string, bytes: number): void {
    this.total += bytes;
    const sum = (this.byNetwork.get(network) ?? 0) + bytes;
    if (sum > 0) this.byNetwork.set(network, sum);
    else this.byNetwork.delete(network);
  }

  /** Whether so many more may wait there. */
  hasRoom(network: string, bytes: number): boolean {
    return (
      this.total + bytes <= this.totalMax && (this.byNetwork.get(network) ?? 0) + bytes <= this.networkMax
    );
  }
}
