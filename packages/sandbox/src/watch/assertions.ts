/** Standing assertions: conditions that must always hold, or never, until they are removed. */

import type { Exchange } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { sandboxRefusal } from '../sandbox-errors.ts';
import type { EventLog } from './event-log.ts';
import type { WatchedEvent } from './events.ts';
import type { Check } from './checks.ts';
import { PatternBudget } from './condition.ts';

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
        `There is an assertion '${shortened(name)}' already; remove it first.`,
      );
    }
    if (this.#assertions.size >= ASSERTIONS_MAX) {
      throw sandboxRefusal('too-many', `There are ${ASSERTIONS_MAX} assertions; remove some first.`);
    }
    const assertion: Assertion = { name, given, checks, brokenBy: null };
    this.#assertions.set(name, assertion);
    this.#unsubscribe ??= this.#events.subscribe((event) => this.#take(event));
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

  #take(event: WatchedEvent): void {
    const budget = new PatternBudget();
    for (const assertion of this.#assertions.values()) {
      for (const { check, isWanted } of assertion.checks) {
        const isTrue = check.take(event, budget);
        if (isTrue !== undefined && isTrue !== isWanted) assertion.brokenBy ??= event;
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
