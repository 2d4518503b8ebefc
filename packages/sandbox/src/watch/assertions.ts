/**
 * Standing assertions: conditions on open orders, balances or requests that must always hold, or never,
 * until they are removed.
 */

import {
  type Catalogue,
  findCurrency,
  findUser,
  INEXPRESSIBLE,
  MALFORMED,
  moneyOf,
  orderId,
} from '@bourse/api';
import type { AccountType, Currency, Exchange } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { sandboxRefusal } from '../sandbox-errors.ts';
import { Condition, type Fields, PatternBudget } from './condition.ts';
import { EVENT_FIELDS, type EventKind, type EventLog, type WatchedEvent } from './events.ts';

interface Check {
  readonly kind: EventKind;
  /** Whether it holds in the current state; undefined if only events can tell, or its user does not exist. */
  begin(exchange: Exchange): boolean | undefined;
  /** Whether it holds after the event; undefined if the event is unrelated, or only the end of the record can tell. */
  update(event: WatchedEvent, budget: PatternBudget): boolean | undefined;
  /** Whether it holds after the record, and the record's last related event; undefined if there was none. */
  endRecord?(): { readonly isTrue: boolean; readonly event: WatchedEvent } | undefined;
}

const ACCOUNTS: readonly AccountType[] = ['main', 'trade'];

/** After a restore, another user may have the number, or nobody the name. */
const userNumber = ({ reference }: Exchange, user: string): number | undefined =>
  reference.users.find(({ name }) => name === user)?.number;

class OpenOrders implements Check {
  readonly kind = 'order';
  readonly #user: string;
  readonly #max: number;
  readonly #open = new Set<unknown>();

  constructor(user: string, max: number) {
    this.#user = user;
    this.#max = max;
  }

  begin(exchange: Exchange): boolean | undefined {
    this.#open.clear();
    const number = userNumber(exchange, this.#user);
    if (number === undefined) return undefined;
    for (let symbol = 0; symbol < exchange.counts.symbols; symbol++) {
      for (const { order, createdAt } of exchange.openOrders(number, symbol)) {
        this.#open.add(orderId(order, createdAt));
      }
    }
    return this.#isTrue;
  }

  update({ kind, user, status, change, orderId: id }: WatchedEvent): boolean | undefined {
    if (kind !== 'order' || user !== this.#user) return undefined;
    if (status === 'done') this.#open.delete(id);
    else if (change === 'open') this.#open.add(id);
    else return undefined;
    return this.#isTrue;
  }

  get #isTrue(): boolean {
    return this.#open.size <= this.#max;
  }
}

type Counted = Pick<Currency, 'code' | 'scale'>;

interface Bounds {
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
}

/** Judges complete records: between the two events of a transfer, the money is in neither account. */
class Balances implements Check {
  readonly kind = 'balance';
  readonly #user: string;
  readonly #currency: Counted;
  readonly #bounds: Bounds;
  readonly #amounts = new Map<unknown, bigint>();
  #last: WatchedEvent | undefined;

  constructor(user: string, currency: Counted, bounds: Bounds) {
    this.#user = user;
    this.#currency = currency;
    this.#bounds = bounds;
  }

  begin(exchange: Exchange): boolean | undefined {
    this.#amounts.clear();
    const number = userNumber(exchange, this.#user);
    const currency = exchange.reference.currencies.find(({ code }) => code === this.#currency.code);
    if (number === undefined || currency === undefined) return undefined;
    for (const account of ACCOUNTS) {
      const { available, hold } = exchange.balance(number, account, currency.number);
      this.#amounts.set(account, available + hold);
    }
    return this.#isTrue;
  }

  update(event: WatchedEvent): undefined {
    const { kind, user, currency, account, available, hold } = event;
    if (kind !== 'balance' || user !== this.#user || currency !== this.#currency.code) return;
    const units = (decimal: unknown) => BigInt(moneyOf(String(decimal), this.#currency.scale));
    this.#amounts.set(account, units(available) + units(hold));
    this.#last = event;
  }

  endRecord(): ReturnType<NonNullable<Check['endRecord']>> {
    const event = this.#last;
    this.#last = undefined;
    return event && { isTrue: this.#isTrue, event };
  }

  get #isTrue(): boolean {
    let total = 0n;
    for (const amount of this.#amounts.values()) total += amount;
    const { min, max } = this.#bounds;
    return (min === undefined || total >= min) && (max === undefined || total <= max);
  }
}

class Requests implements Check {
  readonly kind = 'request';
  readonly #condition: Condition;

  constructor(condition: Condition) {
    this.#condition = condition;
  }

  begin(): undefined {
    return undefined;
  }

  update(event: WatchedEvent, budget: PatternBudget): boolean | undefined {
    return event.kind === 'request' ? this.#condition.fits(event, budget) : undefined;
  }
}

export interface GivenCheck {
  readonly user?: string;
  readonly openOrdersMax?: number;
  readonly currency?: string;
  readonly balanceMin?: string;
  readonly balanceMax?: string;
  readonly request?: Fields;
}

/** Throws if the check is not about open orders, a balance or requests. */
export function makeCheck(given: GivenCheck, catalogue: Catalogue, place: string): Check {
  const { user, openOrdersMax, currency, balanceMin, balanceMax, request } = given;
  const names = Object.keys(given).toSorted().join(' ');
  if (request !== undefined && names === 'request') {
    return new Requests(
      new Condition(withUserName(request, catalogue), EVENT_FIELDS.request, `${place}.request`),
    );
  }
  if (user !== undefined && openOrdersMax !== undefined && names === 'openOrdersMax user') {
    return new OpenOrders(findUser({ catalogue }, user).name, openOrdersMax);
  }
  const isBounded = balanceMin !== undefined || balanceMax !== undefined;
  if (user !== undefined && currency !== undefined && isBounded && openOrdersMax === undefined && !request) {
    const { name } = findUser({ catalogue }, user);
    const found = findCurrency({ catalogue }, currency);
    const bound = (field: string, text: string | undefined) =>
      text === undefined ? undefined : parseBound(`${place}.${field}`, text, found.scale);
    const bounds = { min: bound('balanceMin', balanceMin), max: bound('balanceMax', balanceMax) };
    return new Balances(name, found, bounds);
  }
  throw sandboxRefusal(
    'value-invalid',
    `${place}: give {user, openOrdersMax}, {user, currency, balanceMin and/or balanceMax}, or {request: {..}}.`,
  );
}

/** Users are named by name or id; events have the name. */
export function withUserName(where: Fields, catalogue: Catalogue): Fields {
  const { user } = where;
  return typeof user === 'string' ? { ...where, user: findUser({ catalogue }, user).name } : where;
}

function parseBound(place: string, text: string, scale: number): bigint {
  const units = moneyOf(text, scale);
  if (units === MALFORMED || units === INEXPRESSIBLE) {
    throw sandboxRefusal('value-invalid', `${place}: '${shortened(text)}' is not a decimal such as "12.5".`);
  }
  return units as bigint;
}

export interface AssertionState {
  readonly name: string;
  readonly always?: unknown;
  readonly never?: unknown;
  readonly holds: boolean;
  readonly brokenBy: WatchedEvent | null;
}

interface Assertion {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly checks: readonly { readonly check: Check; readonly isWanted: boolean }[];
  brokenBy: WatchedEvent | null;
}

const ASSERTIONS_MAX = 1000;

export class Assertions {
  readonly #assertions = new Map<string, Assertion>();

  readonly #events: EventLog;
  #unsubscribe: (() => void) | null = null;

  constructor(events: EventLog) {
    this.#events = events;
  }

  add(
    name: string,
    given: Assertion['given'],
    checks: Assertion['checks'],
    exchange: Exchange,
  ): AssertionState {
    if (this.#assertions.has(name)) {
      throw sandboxRefusal(
        'name-taken',
        `There is already an assertion '${shortened(name)}'. Remove it first.`,
      );
    }
    if (this.#assertions.size >= ASSERTIONS_MAX) {
      throw sandboxRefusal('too-many', `There are already ${ASSERTIONS_MAX} assertions. Remove some first.`);
    }
    const assertion: Assertion = { name, given, checks, brokenBy: null };
    this.#assertions.set(name, assertion);
    this.#unsubscribe ??= this.#events.subscribe(
      (event) => this.#update(event),
      () => this.#endRecord(),
    );
    begin(assertion, exchange);
    return stateOf(assertion);
  }

  list(): AssertionState[] {
    return [...this.#assertions.values()].map(stateOf);
  }

  remove(name: string): void {
    if (!this.#assertions.delete(name)) {
      throw sandboxRefusal('assertion-unknown', `Unknown assertion '${shortened(name)}'.`);
    }
    // Without a listener the events of a record need not be created.
    if (this.#assertions.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  /** The world is replaced: broken assertions stay broken, the others continue with the new state. */
  begin(exchange: Exchange): void {
    for (const assertion of this.#assertions.values()) begin(assertion, exchange);
  }

  #update(event: WatchedEvent): void {
    const budget = new PatternBudget();
    for (const assertion of this.#assertions.values()) {
      for (const { check, isWanted } of assertion.checks) {
        const isTrue = check.update(event, budget);
        if (isTrue !== undefined && isTrue !== isWanted) assertion.brokenBy ??= event;
      }
    }
  }

  #endRecord(): void {
    for (const assertion of this.#assertions.values()) {
      for (const { check, isWanted } of assertion.checks) {
        const verdict = check.endRecord?.();
        if (verdict && verdict.isTrue !== isWanted) assertion.brokenBy ??= verdict.event;
      }
    }
  }
}

function begin(assertion: Assertion, exchange: Exchange): void {
  for (const { check, isWanted } of assertion.checks) {
    const isTrue = check.begin(exchange);
    if (isTrue === undefined || isTrue === isWanted) continue;
    const { seq, time } = exchange;
    assertion.brokenBy ??= { kind: check.kind, seq, time, reason: 'it was so already' };
  }
}

const stateOf = ({ name, given, brokenBy }: Assertion): AssertionState => ({
  name,
  ...given,
  holds: brokenBy === null,
  brokenBy,
});
