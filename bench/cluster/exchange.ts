/**
 * An exchange in its own process, `exchange.ts '<task as JSON>'`: alone with a log file with slow syncs, or a
 * node of a cluster. It prints its address, and ends with its input. Besides HTTP it has in-process callers, which
 * submit commands directly to the engine: for each line `<kind> <count>` on its input it prints their throughput.
 */

import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import type { Command } from '@bourse/core';
import { nodeDisk } from '../../packages/engine/src/io/disk.ts';
import type { RunningExchange } from '../../packages/bourse/src/startup/running-exchange.ts';
import { startExchange } from '../../packages/bourse/src/startup/start.ts';
import { settingsOf } from '@bourse/test-kit/limits.ts';
import { slowedBy } from '../engine/scene.ts';
import { submit } from '@bourse/test-kit/submit.ts';

export interface ExchangeTask {
  readonly flags: Readonly<Record<string, string>>;
  /** 0: no artificial delay. */
  readonly syncMs: number;
}

/** `pairs`: an order that rests, then its cancellation by the same user. `rest`: orders stay in the book. */
export type CallersKind = 'pairs' | 'rest';

export interface Reached {
  readonly perSecond: number;
  /** CPU time of the whole process per command. */
  readonly processorUs: number;
}

const CALLERS = 512;
const SYMBOL = 'BTC-USDT';
const TRADERS = ['alice', 'bob', 'carol'];
const PRICE_MIN = 1000;
const LEVELS = 1000;
const SIZE = 0.0002;

const task = JSON.parse(process.argv[2]) as ExchangeTask;
Object.assign(nodeDisk, slowedBy(task.syncMs));
const running = await startExchange(settingsOf(task.flags));
console.log(running.connection.baseUrl);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [kind, count] = line.split(' ');
    void callers(running, kind as CallersKind, Number(count)).then((reached) =>
      console.log(JSON.stringify(reached)),
    );
  })
  .on('close', () => void running.close().then(() => process.exit(0)));

async function callers({ engine }: RunningExchange, kind: CallersKind, count: number): Promise<Reached> {
  const { symbol, users } = await engine.read(({ reference }) => ({
    symbol: reference.symbols().find(({ code }) => code === SYMBOL)!,
    users: TRADERS.map((name) => reference.users.find((user) => user.name === name)!.number),
  }));
  const [coin, whole] = [10 ** symbol.priceDecimals, 10 ** symbol.sizeDecimals];
  await submit(engine, { kind: 'set-limits', activeOrdersPerSymbolMax: 1e6, activeOrdersPerUserMax: 1e6 });
  let sent = 0;
  const order = (caller: number): Command => ({
    kind: 'place-order',
    user: users[caller % users.length],
    symbol: symbol.symbol,
    type: 'limit',
    side: 'buy',
    // Far below the lowest ask; just meets minFunds.
    price: coin * (PRICE_MIN + (sent % LEVELS)),
    size: Math.round(whole * SIZE),
  });
  const call = async (caller: number): Promise<void> => {
    while (sent < count) {
      sent++;
      const { outcome } = await submit(engine, order(caller));
      if (outcome.kind !== 'order') throw new Error(`an order was refused: ${inspect(outcome)}`);
      if (kind === 'rest') continue;
      sent++;
      const user = users[caller % users.length];
      await submit(engine, { kind: 'cancel-order', user, symbol: symbol.symbol, order: outcome.order });
    }
  };
  const [begun, spent] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  const { user, system } = process.cpuUsage(spent);
  return { perSecond: (1000 * sent) / (performance.now() - begun), processorUs: (user + system) / sent };
}
