/**
 * Counts the remaining addresses of each chain whose source is a list. Operators must load new ones before they run
 * out: the log warns when few are left and when none is, and the metrics count customers whose request failed.
 */

import type { ExchangePort } from '@bourse/engine';
import { FEW_ADDRESSES, sourcesOf } from './address-sources.ts';

export class AddressStock {
  /** Customers' requests that failed since the start because no address was left. */
  refused = 0;
  readonly #port: Pick<ExchangePort, 'read'>;
  readonly #onWarning: (sentence: string) => void;
  /** Chains with a warning, and the number left at that time. */
  readonly #told = new Map<string, number>();

  constructor(port: Pick<ExchangePort, 'read'>, onWarning: (sentence: string) => void) {
    this.#port = port;
    this.#onWarning = onWarning;
  }

  /** The number of addresses left for each chain with a list. */
  async look(): Promise<ReadonlyMap<string, number>> {
    const left = await this.#port.read(({ reference }) => {
      const lists = [...sourcesOf(reference)].filter(([, { kind }]) => kind === 'list');
      return new Map(lists.map(([chain]) => [chain, reference.freeAddresses(chain).count]));
    });
    for (const [chain, count] of left) this.#tell(chain, count);
    return left;
  }

  /** Call it after an address was assigned or loaded, or a source was set. */
  changed(): void {
    // The requested change is done, whether or not this check succeeds.
    void this.look().catch(() => undefined);
  }

  refuse(): void {
    this.refused++;
    this.changed();
  }

  /** Warns once when few are left and once when none is; again after more were loaded. */
  #tell(chain: string, count: number): void {
    if (count > FEW_ADDRESSES) {
      this.#told.delete(chain);
      return;
    }
    const before = this.#told.get(chain);
    this.#told.set(chain, count);
    const isMore = before === undefined || count > before;
    if (!isMore && (count > 0 || before === 0)) return;
    const left =
      count === 0
        ? `No deposit address on ${chain} is left: customers who ask for one are refused`
        : `Deposit addresses on ${chain} run out: ${count} left`;
    this.#onWarning(`${left}. Load more with \`bourse addresses load ${chain} FILE.csv\``);
  }
}
