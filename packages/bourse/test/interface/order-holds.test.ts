// Order rule 6 and the decisions on fees: holds and charges, to the last unit.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, limit, market } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { add, mul, roundedUp, shown, sub, units } from './money.ts';

const service = sharedService();
const [alice, bob, carol, child] = ['alice', 'bob', 'carol', 'alice-sub'].map(
  (name) => new UserClient(service, name),
);
afterEach(async () => {
  for (const client of [alice, bob, carol, child]) await client.sweep();
});

const minus = (value: string) => sub('0', value);
const held = (value: string) => ({ balance: '0', available: minus(value), holds: value });
const moved = (value: string) => ({ balance: value, available: value, holds: '0' });

test('a limit buy holds price * size and the taker fee on it', async () => {
  const hold = mul('10000.1', '0.01234567', '1.001');
  const change = await alice.change(['USDT', 'BTC'], () =>
    alice.place(limit('BTC-USDT', 'buy', '10000.1', '0.01234567')),
  );
  assert.deepEqual(change, { USDT: held(hold), BTC: held('0') });
});

test('the hold of a limit buy is rounded up once, at the last unit of the ledger', async () => {
  const exact = mul('0.054321', '1.234567', '1.0015');
  assert.notEqual(exact, roundedUp(exact), 'the case is one that needs rounding');
  const change = await alice.change(['BTC'], () =>
    alice.place(limit('ETH-BTC', 'buy', '0.054321', '1.234567')),
  );
  assert.deepEqual(change.BTC, held(roundedUp(exact)));
});

test('a limit sell holds its size, and nothing for the fee', async () => {
  const change = await alice.change(['USDT', 'BTC'], () =>
    alice.place(limit('BTC-USDT', 'sell', '90000', '1.23456789')),
  );
  assert.deepEqual(change, { USDT: held('0'), BTC: held('1.23456789') });
});

test('account detail and transferable show the same hold as the list', async () => {
  await alice.place(limit('BTC-USDT', 'buy', '10000', '1'));
  const row = (await alice.accounts()).find((each) => each.type === 'trade' && each.currency === 'USDT');
  assert.ok(row);
  const { balance, available, holds } = row;
  assert.equal(holds, '10010');
  const detail = await alice.call('GET', `/api/v1/accounts/${row.id}`);
  assert.deepEqual(detail.body, { currency: 'USDT', balance, available, holds });
  const transferable = await alice.call('GET', '/api/v1/accounts/transferable?currency=USDT&type=TRADE');
  assert.deepEqual(transferable.body, {
    currency: 'USDT',
    balance,
    available,
    holds,
    transferable: available,
  });
});

test('a cancel releases the whole hold', async () => {
  for (const order of [
    limit('ETH-BTC', 'buy', '0.054321', '1.234567'),
    limit('ETH-BTC', 'sell', '0.9', '1.234567'),
  ]) {
    const change = await alice.change(['BTC', 'ETH'], async () => {
      const id = await alice.place(order);
      assert.equal((await alice.cancel(id, 'ETH-BTC')).status, 200);
    });
    assert.deepEqual(change, { BTC: held('0'), ETH: held('0') });
  }
});

test('a maker pays the maker rate and the rest of its hold is released with the fill', async () => {
  const buyer = await alice.change(['BTC', 'ETH'], async () => {
    await alice.place(limit('ETH-BTC', 'buy', '0.05', '2'));
    const seller = await bob.change(['BTC', 'ETH'], () => bob.place(limit('ETH-BTC', 'sell', '0.05', '2')));
    assert.deepEqual(seller, { BTC: moved(sub('0.1', mul('0.1', '0.0015'))), ETH: moved('-2') });
  });
  assert.deepEqual(buyer, { BTC: moved(minus(mul('0.1', '1.0005'))), ETH: moved('2') });
});

test('after a partial fill, the hold is that of the remaining size', async () => {
  let id = '';
  const buyer = await alice.change(['BTC', 'ETH'], async () => {
    id = await alice.place(limit('ETH-BTC', 'buy', '0.05', '1'));
    await bob.place(limit('ETH-BTC', 'sell', '0.05', '0.3'));
  });
  const paid = mul('0.015', '1.0005');
  const rest = mul('0.035', '1.0015');
  assert.deepEqual(buyer.BTC, { balance: minus(paid), available: minus(add(paid, rest)), holds: rest });
  assert.deepEqual(buyer.ETH, moved('0.3'));
  const released = await alice.change(['BTC'], () => alice.cancel(id, 'ETH-BTC'));
  assert.deepEqual(released.BTC, { balance: '0', available: rest, holds: minus(rest) });
});

test('a taker at a better price pays that price, not its own', async () => {
  await bob.place(limit('BTC-USDT', 'sell', '10000', '0.5'));
  const change = await alice.change(['USDT', 'BTC'], () =>
    alice.place(limit('BTC-USDT', 'buy', '10500', '0.5')),
  );
  assert.deepEqual(change, { USDT: moved(minus(mul('5000', '1.001'))), BTC: moved('0.5') });
});

test('a fill of odd numbers charges each side its exact value and a fee rounded once', async () => {
  const [price, size] = ['0.054321', '1.234567'];
  const value = mul(price, size);
  const id = await bob.place(limit('ETH-BTC', 'sell', price, size));
  const buyer = await alice.change(['BTC'], () => alice.place(limit('ETH-BTC', 'buy', price, size)));
  const order = await bob.order(id, 'ETH-BTC');
  assert.equal(order.dealFunds, value);
  const within = (fee: string, rate: string) => {
    const exact = units(mul(value, rate));
    assert.ok(
      units(fee) - exact < 10n ** 12n && exact - units(fee) < 10n ** 12n,
      `${fee} is ${shown(exact)}`,
    );
  };
  within(String(order.fee), '0.0005');
  within(sub(minus(buyer.BTC.balance), value), '0.0015');
  assert.equal(buyer.BTC.holds, '0');
});

test('a market buy by funds spends the funds, including the fee', async () => {
  await bob.place(limit('BTC-USDT', 'sell', '10000', '1'));
  let id = '';
  const change = await alice.change(['USDT', 'BTC'], async () => {
    id = await alice.place(market('BTC-USDT', 'buy', { funds: '1001' }));
  });
  assert.deepEqual(change, { USDT: moved('-1001'), BTC: moved('0.1') });
  const order = await alice.order(id, 'BTC-USDT');
  assert.equal(order.dealFunds, '1000');
  assert.equal(order.fee, '1');
  assert.equal(order.funds, '1001');
  assert.equal(order.size, '0');
  assert.equal(order.price, '0');
});

test('a market buy by funds never spends more than the funds, and the remainder is released', async () => {
  await bob.place(limit('BTC-USDT', 'sell', '9999.7', '1'));
  let id = '';
  const change = await alice.change(['USDT', 'BTC'], async () => {
    id = await alice.place(market('BTC-USDT', 'buy', { funds: '123.456789' }));
  });
  const order = (await alice.order(id, 'BTC-USDT')) as Record<string, string>;
  const spent = add(order.dealFunds, order.fee);
  assert.ok(units(spent) <= units('123.456789'), spent);
  assert.ok(
    units(sub('123.456789', spent)) < units(mul('9999.7', '0.00000001', '1.001')),
    'one more lot fits',
  );
  assert.deepEqual(change, { USDT: moved(minus(spent)), BTC: moved(order.dealSize) });
});

test('a market buy by size pays the prices of the book', async () => {
  await bob.place(limit('BTC-USDT', 'sell', '10000', '0.5'));
  await carol.place(limit('BTC-USDT', 'sell', '10100', '0.5'));
  const change = await alice.change(['USDT', 'BTC'], () =>
    alice.place(market('BTC-USDT', 'buy', { size: '0.7' })),
  );
  assert.deepEqual(change, { USDT: moved(minus(mul('7020', '1.001'))), BTC: moved('0.7') });
});

test('a market sell by size delivers the size and pays its fee from the proceeds', async () => {
  await bob.place(limit('BTC-USDT', 'buy', '10000', '0.5'));
  const change = await alice.change(['USDT', 'BTC'], () =>
    alice.place(market('BTC-USDT', 'sell', { size: '0.5' })),
  );
  assert.deepEqual(change, { USDT: moved(mul('5000', '0.999')), BTC: moved('-0.5') });
});

test('a market sell by funds sells until the proceeds reach the funds', async () => {
  await bob.place(limit('BTC-USDT', 'buy', '10000', '1'));
  const id = await alice.place(market('BTC-USDT', 'sell', { funds: '1000' }));
  const order = (await alice.order(id, 'BTC-USDT')) as Record<string, string>;
  assert.equal(order.active, false);
  const [gross, net] = [units(order.dealFunds), units(sub(order.dealFunds, order.fee))];
  assert.ok(gross === units('1000') || (net >= units('1000') && net < units('1000.001')), order.dealFunds);
});

test('an order is rejected even if only its fee is missing, and the message says how much', async () => {
  await child.fund('USDT', 'sol', '9.999');
  const said = await child.refused(
    limit('BTC-USDT', 'buy', '10000', '1'),
    '200004',
    /^Balance insufficient!/,
  );
  assert.match(said, /0\.001/);
  assert.match(said, /USDT/);
  await child.fund('USDT', 'sol', '0.001');
  const id = await child.place(limit('BTC-USDT', 'buy', '10000', '1'));
  assert.deepEqual(await child.purse('USDT'), { balance: '10010', available: '0', holds: '10010' });
  await child.refused(limit('BTC-USDT', 'buy', '10000', '0.00001'), '200004');
  assert.equal((await child.cancel(id, 'BTC-USDT')).status, 200);
});

test('a market buy by size ends when the money is spent', async () => {
  await bob.place(limit('BTC-USDT', 'sell', '10000', '3'));
  const before = await child.purse('USDT');
  const id = await child.place(market('BTC-USDT', 'buy', { size: '2' }));
  const order = (await child.order(id, 'BTC-USDT')) as Record<string, string>;
  const spent = add(order.dealFunds, order.fee);
  const after = await child.purse('USDT');
  assert.equal(after.balance, sub(before.balance, spent));
  assert.equal(after.holds, '0');
  assert.equal(order.active, false);
  assert.equal(add(order.dealSize, order.cancelledSize), '2');
  assert.ok(
    units(after.available) < units(mul('10000', '0.00000001', '1.001')),
    'one more lot could be bought',
  );
});

test('a market order beyond the balance is rejected and holds nothing', async () => {
  const purse = await alice.purse('BTC');
  const lots = purse.available.replace(/(\.\d{8})\d+$/, '$1');
  const tooMuch = add(lots, '0.00000001');
  await alice.refused(market('BTC-USDT', 'sell', { size: tooMuch }), '200004', /BTC/);
  await alice.refused(limit('BTC-USDT', 'sell', '10000', tooMuch), '200004', /BTC/);
  await alice.refused(market('BTC-USDT', 'buy', { funds: '90000000' }), '200004');
  assert.deepEqual(await alice.purse('BTC'), purse);
});

test('orders are paid only from TRADE', async () => {
  const main = await child.service().operator('POST', '/v1/deposits', {
    userId: child.user.userId,
    currency: 'USDT',
    chain: 'eth',
    amount: '5000',
    txId: 'main-only',
    travelRule: false,
    reason: 'test',
  });
  assert.equal(at(main.body, 'status') !== undefined, true, main.text);
  assert.equal((await child.purse('USDT', 'main')).available, '5000');
  await child.refused(limit('BTC-USDT', 'buy', '1000', '1'), '200004');
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
