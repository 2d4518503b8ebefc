/**
 * Wallet balances reported by custodians, each with the exchange's liabilities as of the report's record. The record is
 * slightly later than the reading (`at`), so a payment in between shows up as a false difference.
 */

/** Per currency; the oldest is dropped. More than a year of daily reports. */
const REPORTS_MAX = 400;

export interface WalletReport {
  readonly currency: number;
  readonly balance: bigint;
  /** Sum of users' balances, fees, suspense and pending deposits when it was reported. */
  readonly liabilities: bigint;
  /** When the custodian read the balance; `time` is when it was reported. Both in milliseconds. */
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

  /** The report with the latest `at` up to `time`; null for none. */
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
