/** After the storm: checks against the log that each intent had exactly one effect on the balances. */

import { type Event, Exchange } from '@bourse/core';
import { FileLog } from '../../packages/engine/src/log/file-log.ts';
import { LogReader } from '../../packages/engine/src/log/log-reader.ts';
import { nodeDisk } from '../../packages/engine/src/io/disk.ts';
import { USERS } from '../../packages/sandbox/src/users.ts';
import type { Intent } from './intents.ts';

export interface StormAudit {
  readonly orders: number;
  readonly fills: number;
  readonly transfers: number;
  /** Intents with more than one effect. */
  readonly doubled: readonly string[];
  /** Intents that were acknowledged but had no effect. */
  readonly lost: readonly string[];
  /** Balances that differ from the sum of the executed intents. */
  readonly wrongBalances: readonly string[];
}

/** All in 10^-8: the size and proceeds of one sell, and the amount of one transfer. */
const SOLD = 1000n;
const PROCEEDS = 19_980_000n;
const UNIT = 100_000_000n;
const MILLION = 1_000_000n * UNIT;
const TEN_BITCOINS = 10n * UNIT;
const HUNDRED_BITCOINS = 100n * UNIT;

/** No other process may use the directory. */
export async function auditStorm(dir: string, intents: readonly Intent[]): Promise<StormAudit> {
  const effects = new Map<string, number>();
  let [orders, fills, transfers] = [0, 0, 0];
  const count = (name: string): void => void effects.set(name, (effects.get(name) ?? 0) + 1);
  const exchange = await replay(dir, (events) => {
    for (const event of events) {
      if (event.kind === 'trade') fills++;
      else if (event.kind === 'order-received') {
        orders++;
        count(event.clientId || event.remark);
      } else if (event.kind === 'transfer-made' && event.clientId.startsWith('storm-')) {
        transfers++;
        count(event.clientId);
      }
    }
  });
  const sells = intents.filter(({ kind, name }) => kind !== 'transfer' && effects.has(name));
  const wrongBalances = [
    ...checkUser(exchange, 'bob', sells.filter(({ user }) => user === 'bob').length, transfers),
    ...checkUser(exchange, 'carol', sells.filter(({ user }) => user === 'carol').length, 0),
    ...checkBuyer(exchange, sells.length),
  ];
  return {
    orders,
    fills,
    transfers,
    doubled: [...effects].filter(([, times]) => times > 1).map(([name]) => name),
    lost: intents.filter(({ isSettled, name }) => isSettled && !effects.has(name)).map(({ name }) => name),
    wrongBalances,
  };
}

async function replay(dir: string, look: (events: readonly Event[]) => void): Promise<Exchange> {
  const log = await FileLog.open({ disk: nodeDisk, dir: `${dir}/log` });
  const { lastSeq } = log;
  await log.close();
  const exchange = new Exchange();
  for await (const record of new LogReader(nodeDisk, `${dir}/log`).read(1, lastSeq)) {
    look(exchange.apply(record).events.decode());
  }
  return exchange;
}

function balanceOf(exchange: Exchange, user: string, type: 'main' | 'trade', code: string): [bigint, bigint] {
  const { number, scale } = exchange.reference.currencies.find((each) => each.code === code)!;
  const { available, hold } = exchange.balance(
    USERS.findIndex(({ name }) => name === user),
    type,
    number,
  );
  const toUnits = (amount: bigint) => (amount * UNIT) / 10n ** BigInt(scale);
  return [toUnits(available), toUnits(hold)];
}

function compare(what: string, found: bigint, wanted: bigint): string[] {
  return found === wanted ? [] : [`${what}: ${found} instead of ${wanted} (10^-8)`];
}

function checkUser(exchange: Exchange, user: string, sells: number, moves: number): string[] {
  const [bitcoin, heldBitcoin] = balanceOf(exchange, user, 'trade', 'BTC');
  const [money, heldMoney] = balanceOf(exchange, user, 'trade', 'USDT');
  const [main] = balanceOf(exchange, user, 'main', 'USDT');
  const moved = BigInt(moves) * UNIT;
  return [
    ...compare(`BTC of ${user}`, bitcoin, HUNDRED_BITCOINS - BigInt(sells) * SOLD),
    ...compare(`USDT of ${user}`, money, MILLION + BigInt(sells) * PROCEEDS + moved),
    ...compare(`USDT in MAIN of ${user}`, main, MILLION - moved),
    ...compare(`held of ${user}`, heldBitcoin + heldMoney, 0n),
  ];
}

/** The bid buys everything the others sell, and keeps its hold for the rest. */
function checkBuyer(exchange: Exchange, sells: number): string[] {
  const [bitcoin] = balanceOf(exchange, 'alice', 'trade', 'BTC');
  const [money, held] = balanceOf(exchange, 'alice', 'trade', 'USDT');
  const bought = BigInt(sells) * SOLD;
  const withFee = (size: bigint) => (size * 20_000n * 1001n) / 1000n;
  return [
    ...compare('BTC of alice', bitcoin, HUNDRED_BITCOINS + bought),
    ...compare('held of alice', held, withFee(TEN_BITCOINS - bought)),
    ...compare('USDT of alice', money + held, MILLION - withFee(bought)),
  ];
}
