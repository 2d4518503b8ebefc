/**
 * Corrections: new postings that reverse earlier ones or move money; existing postings are never edited. They are
 * kept forever, as deposits are, because each may be reversed once.
 */

import type { CorrectionMade } from '../events/events.ts';
import { AscendingIds, type NewestFirst } from '../tables/ascending-ids.ts';

export type Correction = Omit<CorrectionMade, 'kind'>;

export class Corrections {
  readonly #byId = new Map<number, Correction>();
  readonly #ids = new AscendingIds();
  /** The correction that reversed a deposit, withdrawal or correction, by its id; ids are unique across the three. */
  readonly #reversals = new Map<number, number>();
  readonly #byClientId = new Map<string, Correction>();

  get count(): number {
    return this.#ids.count;
  }

  get(id: number): Correction | null {
    return this.#byId.get(id) ?? null;
  }

  reversalOf(id: number): number | null {
    return this.#reversals.get(id) ?? null;
  }

  ofClientId(clientId: string): Correction | null {
    return this.#byClientId.get(clientId) ?? null;
  }

  add(correction: Correction): void {
    const { clientId } = correction;
    this.#byId.set(correction.correction, correction);
    this.#ids.add(correction.correction);
    if (clientId !== undefined) this.#byClientId.set(clientId, correction);
    if (correction.reverses) this.#reversals.set(correction.reverses.id, correction.correction);
  }

  /** Ascending by id. */
  list(): Correction[] {
    return this.#ids.all.map((id) => this.#byId.get(id) as Correction);
  }

  newest(part: NewestFirst): Correction[] {
    return this.#ids.newest(part).map((id) => this.#byId.get(id) as Correction);
  }
}
