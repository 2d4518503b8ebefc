/** Users and their addresses: queries agree with events, and a frozen user starts nothing. */

import type { AddressSet, Event, Exchange, UserChanged } from '@bourse/core';
import { violated } from './violation.ts';

export class UserChecker {
  readonly #standings = new Map<number, Pick<UserChanged, 'tier' | 'frozen' | 'freeze' | 'closed'>>();
  readonly #masters = new Map<number, number>();
  readonly #addresses = new Map<string, AddressSet>();
  /** Pending withdrawals; an operator may settle them later. */
  readonly #withdrawals = new Set<number>();

  check(event: Event): void {
    switch (event.kind) {
      case 'user-added':
        this.#standings.set(event.user, { tier: 0, frozen: false });
        this.#masters.set(event.user, event.parent);
        break;
      case 'user-changed':
        this.#standings.set(event.user, event);
        break;
      case 'address-set': {
        const key = `${event.user} ${event.currency} ${event.chain}`;
        this.#addresses.set(key, event);
        const place = `${event.chain}\n${event.address}\n${event.memo}`;
        for (const other of this.#addresses.values()) {
          const isSame = place === `${other.chain}\n${other.address}\n${other.memo}`;
          if (isSame && other.user !== event.user) violated('an address is of one user', { place });
        }
        break;
      }
      case 'order-received':
      case 'stop-placed':
        this.#acts(event.user, event.kind, 'trading');
        break;
      case 'transfer-made':
        for (const user of [event.user, event.fromUser, event.toUser]) this.#acts(user, event.kind);
        break;
      case 'withdrawal-set':
        if (this.#withdrawals.has(event.withdrawal)) break;
        this.#withdrawals.add(event.withdrawal);
        this.#acts(event.user, event.kind, 'withdrawals');
        break;
    }
  }

  #acts(user: number, what: string, level = 'all'): void {
    const own = this.#freezeOf(user);
    const ofMaster = this.#freezeOf(this.#masters.get(user) ?? -1);
    const levels = [own?.level, ofMaster?.withSubAccounts ? ofMaster.level : undefined];
    if (levels.includes('all') || levels.includes(level as 'all')) {
      violated('a frozen user begins nothing', { user, what });
    }
  }

  #freezeOf(user: number) {
    const standing = this.#standings.get(user);
    if (!standing?.frozen) return undefined;
    return standing.freeze ?? { level: 'all', withSubAccounts: true };
  }

  scan({ reference }: Exchange): void {
    for (const { number: user, tier, frozen, freeze, closed } of reference.users) {
      const standing = this.#standings.get(user);
      const isTold =
        standing?.tier === tier &&
        standing.frozen === frozen &&
        standing.closed === closed &&
        standing.freeze?.level === freeze?.level &&
        standing.freeze?.withSubAccounts === freeze?.withSubAccounts;
      if (!isTold) violated('users as told', { user });
    }
    for (const { user, currency, chain, address, memo } of this.#addresses.values()) {
      const found = reference.addressesOf(user, currency).find((each) => each.chain === chain);
      if (found?.address !== address || found.memo !== memo) violated('addresses as told', { user, chain });
    }
  }
}
