/** The shared part of all fuzzers: the server, the counts and the failures. */

import { Exchange, type LogRecord } from '@bourse/core';
import type { TestServer } from '@bourse/test-kit/server.ts';
import type { ExchangePort } from '../../packages/engine/src/exchange-port.ts';

const KEPT_MAX = 20;

export class Lane {
  readonly server: TestServer;
  readonly effects: Effects;
  readonly counts: Record<string, number> = {};
  readonly failures: string[] = [];

  constructor(server: TestServer, effects: Effects) {
    this.server = server;
    this.effects = effects;
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  fail(kind: string, what: string): void {
    if (this.failures.length < KEPT_MAX) this.failures.push(`${kind}: ${what}`);
  }
}

// Whether invalid input changed anything. Every command with an effect must belong to a request that was
// acknowledged, and the state must equal, byte for byte, the state without the rejected commands.

/** Longer than any idempotency key is remembered, so that the traces of rejected requests are gone too. */
const FORGOTTEN_MS = 120_000;

export class Effects {
  /** Commands with an effect. */
  count = 0;
  commands = 0;
  /** Commands with an effect that belong to no signed request: must be empty. */
  unsigned = 0;
  readonly #effective = new Set<string>();
  readonly #refused = new Map<string, string>();

  wrap(port: ExchangePort): ExchangePort {
    return {
      read: (query) => port.read(query),
      subscribe: (listener) => port.subscribe(listener),
      historyCaughtUp: () => port.historyCaughtUp(),
      acceptClock: () => port.acceptClock(),
      get health() {
        return port.health;
      },
      get aheadMs() {
        return port.aheadMs;
      },
      send: (command, waiter, sender) =>
        port.send(
          command,
          {
            answered: (answer) => {
              this.commands++;
              if (answer.outcome.kind !== 'rejected') {
                this.count++;
                if (command.once === undefined) this.unsigned++;
                else this.#effective.add(command.once.id);
              }
              waiter.answered(answer);
            },
            failed: (error) => waiter.failed(error),
          },
          sender,
        ),
    };
  }

  /** `what` was rejected; over order entry only the end of its id is known. */
  refuse(onceId: string, what: string): void {
    this.#refused.set(onceId, what);
  }

  /** Requests that were rejected but had an effect. */
  contradictions(): string[] {
    return [...this.#effective].flatMap((id) => {
      const what = this.#refused.get(id) ?? this.#refused.get(id.slice(id.indexOf('.') + 1));
      return what === undefined ? [] : [`refused, and it acted: ${what}`];
    });
  }
}

/** Returns violations. `hash` is that of the live exchange. */
export function checkReplay(records: readonly LogRecord[], hash: string): string[] {
  const [all, accepted] = [new Exchange(), new Exchange()];
  for (const record of records) {
    const outcomes = all.apply(record).outcomes.decode();
    accepted.apply({
      ...record,
      commands: record.commands.filter((_, at) => !['rejected', 'waits'].includes(outcomes[at]?.kind ?? '')),
    });
  }
  const complaints = all.hash() === hash ? [] : ['the log does not give the state of the exchange'];
  const { seq, time } = all;
  const later = { ...records.at(-1), seq: seq + 1, time: time + FORGOTTEN_MS, commands: [] };
  all.apply(later);
  accepted.apply(later);
  if (all.hash() !== accepted.hash()) complaints.push('refused commands have changed the state');
  return complaints;
}

/** Returns violations: currencies that do not sum to zero, and negative accounts. */
export function checkSums(exchange: Exchange): string[] {
  return exchange.reference.currencies.flatMap(({ number, code }) => {
    const system = (['fees', 'waiting', 'suspense', 'outside'] as const).map((each) =>
      exchange.systemBalance(each, number),
    );
    const parts = exchange.reference.users.flatMap(({ number: user }) =>
      (['main', 'trade'] as const).flatMap((type) => {
        const { available, hold } = exchange.balance(user, type, number);
        return [available, hold];
      }),
    );
    const sum = [...system, ...parts].reduce((total, each) => total + each, 0n);
    if (sum !== 0n) return [`${code} sums to ${sum}`];
    return parts.some((each) => each < 0n) ? [`an account of ${code} is below zero`] : [];
  });
}
