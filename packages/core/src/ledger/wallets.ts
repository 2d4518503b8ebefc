/**
 * What custodians report of the wallets outside, beside what the exchange owed in that record: the two are compared
 * exactly, because both are of one moment.
 */

/** Of each currency the latest are kept: more than a year of daily reports. */
const REPORTS_MAX = 400;

export interface WalletReport {
  readonly currency: number;
  readonly balance: bigint;
  /** Users, fees, suspense and what waits, together, when it was reported. */
  readonly liabilities: bigint;
  /** When the wallets were looked at, as the custodian says, and when that was reported; milliseconds. */
  readonly at: number;
  readonly time: number;
  readonly by: string;
}

export class Wallets {
  readonly #reports = new Map<number, WalletReport[]>();

  add(report: WalletReport): void {
    const before = this.#reports.get(report.currency) ?? [];
    this.#reports.set(report.currency, [...before, report].slice(-REPORTS_MAX));
  }

  /** The latest that was reported until then; null for none. */
  until(currency: number, time: number): WalletReport | null {
    return this.#reports.get(currency)?.findLast((each) => each.time <= time) ?? null;
  }

  /** By currency, oldest first. */
  list(): WalletReport[] {
    const currencies = [...this.#reports.keys()].toSorted((a, b) => a - b);
    return currencies.flatMap((currency) => this.#reports.get(currency) ?? []);
  }
}
