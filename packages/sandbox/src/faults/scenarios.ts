/** Bundles of rules for bad days that real venues have had, each more than once. */

import { shortened } from '@bourse/engine';
import { sandboxRefusal } from '../sandbox-errors.ts';
import type { FaultRules, GivenRule } from './fault-rules.ts';

interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly rules: readonly GivenRule[];
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'stress',
    summary:
      'An exchange under stress: responses take 0.2 to 2 seconds, one request in ten is rejected with 429000 and one in ' +
      'twenty with 500000, cancellations take effect half a second late, and the feed lags by half a second.',
    rules: [
      { effect: { kind: 'error', code: '429000' }, probability: 0.1, seed: 11 },
      { effect: { kind: 'error', code: '500000' }, probability: 0.05, seed: 12 },
      { effect: { kind: 'late-cancel', ms: 500 }, probability: 0.5, seed: 13 },
      { effect: { kind: 'delay', minMs: 200, maxMs: 2000 }, seed: 14 },
      { effect: { kind: 'feed-delay', ms: 500 } },
    ],
  },
  {
    name: 'maintenance',
    summary:
      'Maintenance: requests for market data get the error page of a gateway, all others are rejected with 503, and the ' +
      'feed closes its connections and accepts no new ones.',
    rules: [
      { match: { route: '/api/v1/market/*' }, effect: { kind: 'html', status: 503 } },
      { effect: { kind: 'error', status: 503, code: '503000', msg: 'System is under maintenance' } },
      { effect: { kind: 'feed-refuse-token' } },
      { effect: { kind: 'feed-disconnect', code: 1001 } },
    ],
  },
  {
    name: 'flaky-network',
    summary:
      'A flaky network: one request in twenty is cut before it arrives and one in twenty after it was done, some ' +
      'responses break off, feed messages are lost, duplicated and reordered, and connections drop now and then.',
    rules: [
      { effect: { kind: 'drop-request' }, probability: 0.05, seed: 21 },
      { effect: { kind: 'drop-reply' }, probability: 0.05, seed: 22 },
      { effect: { kind: 'truncate', bytes: 20 }, probability: 0.02, seed: 23 },
      { effect: { kind: 'delay', minMs: 0, maxMs: 300 }, probability: 0.3, seed: 24 },
      { effect: { kind: 'feed-drop' }, probability: 0.02, seed: 25 },
      { effect: { kind: 'feed-duplicate' }, probability: 0.02, seed: 26 },
      { effect: { kind: 'feed-reorder' }, probability: 0.02, seed: 27 },
      { effect: { kind: 'feed-disconnect' }, probability: 0.1, seed: 28 },
    ],
  },
];

export class Scenarios {
  readonly #rules: FaultRules;
  /** The rule ids of each running scenario. */
  readonly #running = new Map<string, readonly string[]>();

  constructor(rules: FaultRules) {
    this.#rules = rules;
  }

  list(): object[] {
    return SCENARIOS.map(({ name, summary, rules }) => ({
      name,
      summary,
      running: this.#running.has(name),
      rules,
    }));
  }

  start(name: string): object {
    const scenario = find(name);
    if (this.#running.has(name)) {
      throw sandboxRefusal('scenario-runs', `The scenario '${shortened(name)}' is already running.`);
    }
    const made = scenario.rules.map((rule) => this.#rules.add(rule, undefined));
    this.#running.set(
      name,
      made.map(({ id }) => id),
    );
    return { name, faults: made.map((rule) => rule.show()) };
  }

  end(name: string): object {
    find(name);
    const left = new Set(this.#rules.list().map(({ id }) => id));
    for (const id of this.#running.get(name) ?? []) if (left.has(id)) this.#rules.remove(id);
    this.#running.delete(name);
    return { name };
  }

  /** All rules were removed, including those of scenarios. */
  clear(): void {
    this.#running.clear();
  }
}

function find(name: string): Scenario {
  const found = SCENARIOS.find((each) => each.name === name);
  if (found) return found;
  const known = SCENARIOS.map((each) => each.name).join(', ');
  throw sandboxRefusal(
    'scenario-unknown',
    `Unknown scenario '${shortened(name)}'. Expected one of: ${known}.`,
  );
}
