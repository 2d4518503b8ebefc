/**
 * Rejects commands that are certain to fail without a record, because they would only fill the log. This is decided
 * while the next record is built and nothing is in flight, so the reason is durable.
 *
 * Nothing after an operator's command is decided early, because it may change terms or users; nor is a command after
 * one that may use the same client id or request id first.
 */

import type { Command, Exchange, Once, Outcome } from '@bourse/core';
import { type CommandBatch, noCommands } from './command-queue.ts';
import { OPERATOR } from './exchange-port.ts';
import { workOf } from './record-budget.ts';

/**
 * The log does not contain the request ids of early rejections, so they are kept here for as long: 8 MB. Beyond this
 * number, commands are rejected by the record like others.
 */
const REFUSED_IDS_MAX = 100_000;

type DecidingExchange = Pick<Exchange, 'refuseEarly' | 'seq'>;

export class EarlyRefusals {
  readonly #exchange: DecidingExchange;
  /** The expiry of each rejected request id, roughly in order of arrival. */
  readonly #refusedIds = new Map<string, number>();

  constructor(exchange: DecidingExchange) {
    this.#exchange = exchange;
  }

  /** Rejects commands that are certain to fail in a record of this time, and returns the others. */
  answer(batch: CommandBatch, time: number): CommandBatch {
    this.#forget(time);
    const { commands, senders } = batch;
    let kept: CommandBatch | null = null;
    let before: Ids | null = null;
    let isCertain = true;
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i];
      isCertain &&= senders[i] !== OPERATOR;
      let outcome = isCertain ? this.#decide(command, time) : null;
      if (outcome !== null) {
        before ??= new Ids(commands.slice(0, i));
        if (before.mayHave(command)) outcome = null;
      }
      if (outcome === null) {
        before?.add(command);
        if (kept) keep(kept, batch, i);
        continue;
      }
      kept ??= firstOf(batch, i);
      if (command.once && !isRepeated(outcome)) this.#refusedIds.set(command.once.id, command.once.until);
      batch.waiters[i].answered({ outcome, seq: this.#exchange.seq, time });
    }
    return kept ?? batch;
  }

  #decide(command: Command, time: number): Outcome | null {
    const { once } = command;
    if (once && this.#isRefused(once, time)) {
      return { kind: 'rejected', rejection: { code: 'request-repeated', id: once.id } };
    }
    return this.#refusedIds.size < REFUSED_IDS_MAX ? this.#exchange.refuseEarly(command, time) : null;
  }

  #isRefused({ id }: Once, time: number): boolean {
    return this.#refusedIds.size > 0 && (this.#refusedIds.get(id) ?? -1) >= time;
  }

  /** From the front: an id that expires earlier than those before it is removed together with them. */
  #forget(time: number): void {
    for (const [id, until] of this.#refusedIds) {
      if (until >= time) return;
      this.#refusedIds.delete(id);
    }
  }
}

/** Ids used by the kept commands of a batch; created only if something is rejected. */
class Ids {
  readonly #users = new Set<number>();
  readonly #requests = new Set<string>();

  constructor(commands: readonly Command[]) {
    for (const command of commands) this.add(command);
  }

  add(command: Command): void {
    this.#users.add(userOf(command));
    if (command.once) this.#requests.add(command.once.id);
  }

  mayHave(command: Command): boolean {
    if (command.once && this.#requests.has(command.once.id)) return true;
    return hasClientId(command) && this.#users.has(userOf(command));
  }
}

/** Its id is already remembered, with its own expiry. */
const isRepeated = (outcome: Outcome): boolean =>
  outcome.kind === 'rejected' && outcome.rejection.code === 'request-repeated';

const userOf = (command: Command): number => ('user' in command ? (command.user ?? OPERATOR) : OPERATOR);

function hasClientId(command: Command): boolean {
  switch (command.kind) {
    case 'place-order':
    case 'place-stop-order':
    case 'place-oco-order':
    case 'test-order':
      return Boolean(command.clientId);
    case 'place-orders':
      return command.orders.some(({ clientId }) => clientId);
    default:
      return false;
  }
}

function firstOf(batch: CommandBatch, count: number): CommandBatch {
  const first = noCommands();
  for (let i = 0; i < count; i++) keep(first, batch, i);
  return first;
}

function keep(kept: CommandBatch, batch: CommandBatch, i: number): void {
  kept.commands.push(batch.commands[i]);
  kept.waiters.push(batch.waiters[i]);
  kept.senders.push(batch.senders[i]);
  kept.work += workOf(batch.commands[i]);
}
