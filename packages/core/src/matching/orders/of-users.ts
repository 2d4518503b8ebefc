/** An index of items by user, to list one user's without scanning all. */

interface Owned {
  readonly id: number;
  readonly user: number;
}

export class OfUsers<Thing extends Owned> {
  readonly #byUser = new Map<number, Map<number, Thing>>();

  add(thing: Thing): void {
    const own = this.#byUser.get(thing.user);
    if (own) own.set(thing.id, thing);
    else this.#byUser.set(thing.user, new Map([[thing.id, thing]]));
  }

  remove({ id, user }: Owned): void {
    const own = this.#byUser.get(user);
    if (own?.delete(id) && own.size === 0) this.#byUser.delete(user);
  }

  /** Ascending by id. */
  of(user: number): Thing[] {
    return [...(this.#byUser.get(user)?.values() ?? [])].toSorted((a, b) => a.id - b.id);
  }
}
