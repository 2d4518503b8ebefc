/**
 * Where the deposit addresses of a chain come from: a list that an operator loaded, an extended public key, a program
 * that an operator runs, or, in a sandbox, nowhere: they are play. A chain of a venue without a source has no addresses,
 * because money sent to an address whose key nobody has is lost. Each source is a note in the log, so that setting one
 * leaves the others as they are, even where it waits for approval.
 */

import type { Address, Reference } from '@bourse/core';
import type { ExchangePort } from '@bourse/engine';
import { UnownedAddresses } from './custody.ts';

type SourceKind = 'list' | 'key' | 'program';

export interface AddressSource {
  readonly kind: SourceKind;
  /** Extended and public. */
  readonly key?: string;
}

const NOTE_PREFIX = 'address-source:';
/** Of loaded addresses: from here on operators are warned. */
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

/** The note that sets the source of a chain, or removes it. */
export const sourceNote = (chain: string, source: AddressSource | null) => ({
  name: NOTE_PREFIX + chain,
  text: source === null ? '' : JSON.stringify(source),
});

const play = new UnownedAddresses();

/** Whether nobody has its key: such addresses were given before venues had sources. */
export function isUnowned({ user, chain, address }: Address, currency: string): boolean {
  return play.address(user, currency, chain).address === address;
}

/**
 * How many loaded addresses are left, of each chain whose source is a list. Operators must load new ones before they run
 * out: the log says when few are left and when none is, and the metrics count customers who were refused for it.
 */
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
