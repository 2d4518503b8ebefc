/**
 * Sources of a chain's deposit addresses: a list loaded by an operator, an extended public key, an operator's
 * program, or, in a sandbox, none, because its addresses are not real. A venue's chain without a source has no
 * addresses, because money sent to an address whose key nobody has is lost. Each source is a note in the log, so that
 * setting one leaves the others unchanged, even if it waits for approval.
 */

import type { Address, Reference } from '@bourse/core';
import type { ExchangePort } from '@bourse/engine';
import { UnownedAddresses } from './custody.ts';

type SourceKind = 'list' | 'key' | 'program';

export interface AddressSource {
  readonly kind: SourceKind;
  /** An extended public key. */
  readonly key?: string;
}

const NOTE_PREFIX = 'address-source:';
/** Operators are warned when no more than this many loaded addresses are left. */
export const FEW_ADDRESSES = 20;

export function sourceOf(reference: Reference, chain: string): AddressSource | undefined {
  const text = reference.note(NOTE_PREFIX + chain);
  return text === '' ? undefined : (JSON.parse(text) as AddressSource);
}

/** By chain. */
export function sourcesOf(reference: Reference): ReadonlyMap<string, AddressSource> {
  const chains = new Set(reference.currencies.flatMap((each) => each.chains.map(({ chainId }) => chainId)));
  return new Map(
    [...chains].flatMap((chain) => {
      const source = sourceOf(reference, chain);
      return source ? [[chain, source] as const] : [];
    }),
  );
}

/** The note that sets or removes the source of a chain. */
export const sourceNote = (chain: string, source: AddressSource | null) => ({
  name: NOTE_PREFIX + chain,
  text: source === null ? '' : JSON.stringify(source),
});

const play = new UnownedAddresses();

/** Whether nobody has its key: such addresses were assigned before venues had sources. */
export function isUnowned({ user, chain, address }: Address, currency: string): boolean {
  return play.address(user, currency, chain).address === address;
}

/**
 * Counts the remaining addresses of each chain whose source is a list. Operators must load new ones before they run
 * out: the log warns when few are left and when none is, and the metrics count customers whose request failed.
 */
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
