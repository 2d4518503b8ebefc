/**
 * What custodians report of the wallets outside, beside what the exchange owed in the record of the report. That is a
 * little later than when they looked (`at`): a payment in between makes a difference that is not there.
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

  /** Of those who looked until then, the latest to look; null for none. */
  until(currency: number, time: number): WalletReport | null {
    let latest: WalletReport | null = null;
    for (const each of this.#reports.get(currency) ?? []) {
      if (each.at <= time && each.at >= (latest?.at ?? 0)) latest = each;
    }
    return latest;
  }

  /** By currency, oldest first. */
  list(): WalletReport[] {
    const currencies = [...this.#reports.keys()].toSorted((a, b) => a - b);
    return currencies.flatMap((currency) => this.#reports.get(currency) ?? []);
  }
}
