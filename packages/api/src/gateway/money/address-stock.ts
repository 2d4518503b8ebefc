/**
 * How many loaded addresses are left, of each chain whose source is a list. Operators must load new ones before they run
 * out: the log says when few are left and when none is, and the metrics count customers who were refused for it.
 */

import type { ExchangePort } from '@bourse/engine';
import { FEW_ADDRESSES, sourcesOf } from './address-sources.ts';

export class AddressStock {
  /** Customers' requests that were refused because no address was left, since the start. */
  refused = 0;
  readonly #port: Pick<ExchangePort, 'read'>;
  readonly #onWarning: (sentence: string) => void;
  /** Chains of which something was said, and how many were left then. */
  readonly #told = new Map<string, number>();

  constructor(port: Pick<ExchangePort, 'read'>, onWarning: (sentence: string) => void) {
    this.#port = port;
    this.#onWarning = onWarning;
  }

  /** Of each chain with a list, how many are left. */
  async look(): Promise<ReadonlyMap<string, number>> {
    const left = await this.#port.read(({ reference }) => {
      const lists = [...sourcesOf(reference)].filter(([, { kind }]) => kind === 'list');
      return new Map(lists.map(([chain]) => [chain, reference.freeAddresses(chain).count]));
    });
    for (const [chain, count] of left) this.#tell(chain, count);
    return left;
  }

  /** One was given or loaded, or a source was set. */
  changed(): void {
    // Whoever asked for the change has it, whatever becomes of this look.
    void this.look().catch(() => undefined);
  }

  refuse(): void {
    this.refused++;
    this.changed();
  }

  /** Once when few are left, once when none is, and again after more were loaded. */
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
