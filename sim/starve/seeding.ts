/**
 * Prepares a data directory with an attack's initial state: sub-accounts, money, orders. An exchange in this process
 * creates it through its engine; the attack then targets a process with the usual limits.
 */

import type { Command, Exchange, OrderRequest } from '@bourse/core';
import { type Credentials, startWhole } from '@bourse/test-kit/server.ts';
import type { RunningExchange } from '../../packages/bourse/src/startup/running-exchange.ts';
import { submit } from '@bourse/test-kit/submit.ts';

export interface Member extends Credentials {
  readonly name: string;
  readonly user: number;
}

const BATCH = 20;
/** Concurrent batches; the queue's bound for one owner is far above. */
const AT_ONCE = 500;

export class Seeding {
  readonly #exchange: RunningExchange;

  private constructor(exchange: RunningExchange) {
    this.#exchange = exchange;
  }

  static async of(dir: string, work: (seeding: Seeding) => Promise<void>): Promise<void> {
    const exchange = await startWhole(dir, { operatorPoolWeight: 1e9 });
    try {
      await work(new Seeding(exchange));
    } finally {
      await exchange.close();
    }
  }

  read<T>(query: (exchange: Exchange) => T): Promise<T> {
    return this.#exchange.engine.read(query);
  }

  userNamed(name: string): Promise<number> {
    return this.read(({ reference }) => reference.users.findIndex((user) => user.name === name));
  }

  symbol(code: string): Promise<number> {
    return this.read(({ reference }) => reference.symbols().find((each) => each.code === code)!.symbol);
  }

  /** With their own keys, and this much of each currency, in whole coins, in TRADE. */
  async addSubAccounts(master: string, count: number, money: Record<string, bigint>): Promise<Member[]> {
    const members: Member[] = [];
    for (let at = 0; at < count; at++) {
      const name = `${master}-starve-${at}`;
      await this.#operate('/v1/users', { name, parentId: master });
      const key = await this.#operate(`/v1/users/${name}/keys`, { permissions: ['General', 'Spot'] });
      const user = await this.userNamed(name);
      for (const [code, whole] of Object.entries(money)) await this.#fund(user, code, whole);
      members.push({ name, user, ...(key as unknown as Credentials) });
    }
    return members;
  }

  /** In batches; a rejection is an error. */
  async place(user: number, orders: readonly OrderRequest[]): Promise<void> {
    for (let at = 0; at < orders.length; at += BATCH * AT_ONCE) {
      const part = orders.slice(at, at + BATCH * AT_ONCE);
      const batches = Array.from({ length: Math.ceil(part.length / BATCH) }, (_, batch) =>
        this.#submit({
          kind: 'place-orders',
          user,
          orders: part.slice(batch * BATCH, (batch + 1) * BATCH),
        }),
      );
      await Promise.all(batches);
      await this.#exchange.engine.historyCaughtUp();
    }
  }

  async #fund(user: number, code: string, whole: bigint): Promise<void> {
    const { currency, chain, scale } = await this.read(({ reference }) => {
      const number = reference.currencyNumber(code);
      const { chains, scale: decimals } = reference.currencies[number];
      return { currency: number, chain: chains[0].chainId, scale: decimals };
    });
    const moved = { user, currency, amount: whole * 10n ** BigInt(scale) };
    const name = `starve-${user}-${code}`;
    await this.#submit({ kind: 'report-deposit', ...moved, chain, txId: name, travelRule: false });
    await this.#submit({
      kind: 'transfer',
      ...moved,
      type: 'internal',
      clientId: name,
      from: 'main',
      to: 'trade',
    });
  }

  async #submit(command: Command): Promise<void> {
    const { outcome } = await submit(this.#exchange.engine, command);
    const refused =
      outcome.kind === 'orders' ? outcome.outcomes.find(({ kind }) => kind === 'rejected') : outcome;
    if (refused?.kind === 'rejected') throw new Error(`${command.kind}: ${JSON.stringify(refused)}`);
  }

  async #operate(path: string, body: object): Promise<Record<string, unknown>> {
    const { operatorUrl, operatorToken } = this.#exchange.connection;
    const answer = await fetch(operatorUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, reason: 'starve' }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }
}
