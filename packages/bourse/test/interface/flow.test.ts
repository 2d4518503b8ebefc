// A long random flow of orders and cancels; then all balances are recomputed from the look-ups.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, type Fields } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { add, mul, shown, sub, units } from './money.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';

const service = sharedService();
const clients = ['alice', 'bob', 'carol'].map((name) => new UserClient(service, name));
const pair = 'ETH-BTC';
afterEach(async () => {
  for (const client of clients) await client.sweep();
});
const takerRate = '0.0015';
const ledgerUnit = 10n ** 12n; // of the 24 places that `units` counts

function randomOrder(random: () => number): Fields {
  const pick = <T>(...items: T[]): T => items[Math.floor(random() * items.length)];
  const side = pick('buy', 'sell');
  const stp = pick({}, {}, { stp: 'CN' }, { stp: 'CO' }, { stp: 'CB' });
  const micro = 1 + Math.floor(random() * 2_000_000);
  const size = shown(BigInt(micro + 100) * 10n ** 18n);
  if (random() < 0.15) {
    const amount = random() < 0.5 ? { size } : { funds: shown(BigInt(micro + 1000) * 10n ** 16n) };
    return { symbol: pair, type: 'market', side, ...amount, ...stp };
  }
  const price = shown(BigInt(49_000 + Math.floor(random() * 2_001)) * 10n ** 18n);
  const more = pick<Fields>(
    {},
    {},
    {},
    { timeInForce: 'IOC' },
    { timeInForce: 'FOK' },
    { postOnly: true },
    { hidden: true },
    { iceberg: true, visibleSize: shown((BigInt(micro + 100) / 7n + 100n) * 10n ** 18n) },
    { stp: 'DC' },
  );
  return { symbol: pair, type: 'limit', side, price, size, ...stp, ...more };
}

type Row = Record<string, string> & { active: unknown };

async function addedUp(client: UserClient, orders: Row[], start: Record<string, string>): Promise<void> {
  let [eth, btc, ethHeld, btcHeld] = [start.ETH, start.BTC, '0', '0'];
  let buysActive = 0n;
  for (const order of orders) {
    const buy = order.side === 'buy';
    eth = buy ? add(eth, order.dealSize) : sub(eth, order.dealSize);
    btc = buy ? sub(btc, order.dealFunds, order.fee) : sub(add(btc, order.dealFunds), order.fee);
    if (order.type === 'limit') {
      assert.equal(order.size, add(order.dealSize, order.cancelledSize, order.remainSize), order.id);
      // A sale above its price earns more than its funds, and a buy below its price leaves some, which do not remain
      // once it is done: only an active buy adds up.
      if (buy && String(order.active) === 'true')
        assert.equal(order.funds, add(order.dealFunds, order.cancelledFunds, order.remainFunds), order.id);
      if (String(order.active) !== 'true') assert.equal(order.remainFunds, '0', order.id);
    }
    if (String(order.active) !== 'true') continue;
    if (!buy) ethHeld = add(ethHeld, order.remainSize);
    else {
      buysActive++;
      btcHeld = add(btcHeld, mul(order.remainSize, order.price, add('1', takerRate)));
    }
  }
  const [hasEth, hasBtc] = [await client.purse('ETH'), await client.purse('BTC')];
  assert.equal(hasEth.balance, eth, `${client.name} ETH`);
  assert.equal(hasBtc.balance, btc, `${client.name} BTC`);
  assert.equal(hasEth.holds, ethHeld, `${client.name} ETH on hold`);
  const extra = units(hasBtc.holds) - units(btcHeld);
  // The whole hold is rounded up once and so is the fee charged so far: the rest is within one unit per order.
  const slack = buysActive * ledgerUnit;
  assert.ok(extra >= -slack && extra <= slack, `${client.name} BTC on hold: ${hasBtc.holds}, ${btcHeld}`);
}

/** One step of one user: a cancel now and then, otherwise an order. */
async function act(client: UserClient, mine: string[], random: () => number): Promise<void> {
  if (random() < 0.2 && mine.length > 0) {
    await client.cancel(mine[Math.floor(random() * mine.length)], pair);
    return;
  }
  const order = randomOrder(random);
  const answer = await client.ask(order);
  if (answer.status === 200) mine.push(String(at(answer.body, 'data.orderId')));
  else assert.equal(answer.status, 400, `${JSON.stringify(order)} ${answer.text}`);
}

const FLOWS = [
  [20_261, 'one after the other'],
  [99_991, 'all at once'],
  [7, 'one after the other'],
  [31, 'all at once'],
] as const;

for (const [seed, how] of FLOWS.slice(0, ofSize(2, FLOWS.length))) {
  test(`after a random flow all balances add up to the last unit: users ${how}, seed ${seed}`, {
    timeout: 300_000,
  }, async () => {
    const generator = new Random(seed);
    const random = () => generator.fraction();
    const start = await Promise.all(
      clients.map(async (client) => ({
        ETH: (await client.purse('ETH')).balance,
        BTC: (await client.purse('BTC')).balance,
      })),
    );
    const placed: string[][] = clients.map(() => []);
    for (let step = 0; step < 400; step++) {
      if (how === 'all at once')
        await Promise.all(clients.map((client, who) => act(client, placed[who], random)));
      else {
        const who = Math.floor(random() * clients.length);
        await act(clients[who], placed[who], random);
      }
    }
    const rows: Row[][] = [];
    for (const [index, client] of clients.entries()) {
      const own: Row[] = [];
      for (const id of placed[index]) own.push((await client.order(id, pair)) as unknown as Row);
      rows.push(own);
      await addedUp(client, own, start[index]);
    }
    const all = rows.flat();
    assert.ok(all.filter((order) => order.dealSize !== '0').length > 50, 'the flow trades');
    for (const field of ['dealSize', 'dealFunds']) {
      const of = (side: string) =>
        add('0', ...all.filter((order) => order.side === side).map((order) => order[field]));
      assert.equal(of('buy'), of('sell'), `${field} of both sides`);
    }
    for (const [index, client] of clients.entries()) {
      await client.sweep();
      assert.equal((await client.purse('BTC')).holds, '0', `${client.name} after the sweep`);
      assert.equal((await client.purse('ETH')).holds, '0', `${client.name} after the sweep`);
      assert.ok(placed[index].length > 50);
    }
  });
}

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
