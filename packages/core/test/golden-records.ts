/**
 * The records of the golden run: a world, then a loop that draws every kind of command, some of them wrong. Any
 * change here, or of the terms in venue.ts, changes the run.
 *
 * Until the first release, `npx node packages/core/test/golden-records.ts` writes the golden snapshot anew.
 */

import { writeFileSync } from 'node:fs';
import type { Command, LogRecord, OrderRequest } from '../src/commands/commands.ts';
import { Exchange } from '../src/exchange.ts';
import { CHAIN, currency, symbol } from '@bourse/test-kit/venue.ts';

const RECORDS = 300;
const USERS = 5;
const SYMBOLS = 3;
const UNIT = 10n ** 6n;
const STP = ['', '', 'CN', 'CO', 'CB', 'DC'] as const;

/** A generator that never changes, because the run must stay the same. */
class Draw {
  #state = 20_240_229;

  below(end: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }
}

function world(): Command[] {
  const users = Array.from({ length: USERS }, (_, user) => user);
  return [
    currency('BTC', 4, 8),
    currency('USD', 2, 6),
    currency('ETH', 4, 8),
    symbol('BTC-USD', 0, 1, { priceLimitRate: '0.004' }),
    symbol('ETH-USD', 2, 1, { minFunds: '5' }),
    symbol('ETH-BTC', 2, 0, { priceIncrement: '0.001', quoteMinSize: '0', quoteIncrement: '0.0001' }),
    ...users.map(
      (user): Command => ({ kind: 'add-user', name: `u${user}`, ...(user === 4 ? { parent: 0 } : {}) }),
    ),
    { kind: 'set-fees', maker: '0.00077777', taker: '0.00133333' },
    { kind: 'set-fees', user: 1, maker: '0', taker: '0.0005' },
    { kind: 'set-fees', user: 2, symbol: 0, maker: '0.3', taker: '1' },
    { kind: 'set-limits', lookupWindowMs: 5_000, activeOrdersPerSymbolMax: 25, stopOrdersPerSymbolMax: 4 },
    ...users.flatMap((user) => [0, 1, 2].flatMap((number) => funding(user, number))),
  ];
}

function funding(user: number, number: number): Command[] {
  const amount = (number === 1 ? 1_000_000n : 100_000n) * UNIT;
  const name = `f-${user}-${number}`;
  const deposit = {
    user,
    currency: number,
    chain: 'net',
    amount: 2n * amount,
    txId: name,
    travelRule: false,
  };
  const move = { user, currency: number, clientId: name, amount, from: 'main', to: 'trade' } as const;
  return [
    { kind: 'report-deposit', ...deposit },
    { kind: 'transfer', type: 'internal', ...move },
  ];
}

/** Deposits and withdrawals, by their future ids: the world has used the first 30. */
function money(): Command[] {
  const questionnaire = {
    kind: 'submit-questionnaire',
    user: 1,
    senderType: 'company',
    info: 'who',
  } as const;
  const withdrawal = {
    kind: 'request-withdrawal',
    currency: 1,
    chain: 'net',
    address: 'a',
    memo: 'm',
  } as const;
  return [
    { kind: 'report-deposit', ...deposit(1, 0, 1), travelRule: true }, // 31, Travel Rule 32
    { ...questionnaire, travelRuleId: 32 }, // 33
    { kind: 'decide-questionnaire', questionnaire: 33, accepted: false, failureCode: 'NAME' },
    { ...questionnaire, travelRuleId: 32 }, // 34
    { ...questionnaire, travelRuleId: 32 },
    { kind: 'decide-questionnaire', questionnaire: 34, accepted: true, failureCode: '' },
    { ...withdrawal, user: 2, amount: 123n * UNIT }, // 35
    { ...withdrawal, user: 2, amount: UNIT }, // 36
    { ...withdrawal, user: 3, amount: UNIT }, // 37
    { kind: 'settle-withdrawal', withdrawal: 35, sent: true, txId: 'w' },
    { kind: 'claim-withdrawal', withdrawal: 35, by: 'ann' },
    { kind: 'settle-withdrawal', withdrawal: 35, sent: true, txId: 'w' },
    { kind: 'claim-withdrawal', withdrawal: 36 },
    { kind: 'unclaim-withdrawal', withdrawal: 36 },
    { kind: 'settle-withdrawal', withdrawal: 36, sent: false },
    { kind: 'cancel-withdrawal', user: 2, withdrawal: 37 },
    { kind: 'cancel-withdrawal', user: 3, withdrawal: 37 },
    { kind: 'settle-withdrawal', withdrawal: 37, sent: true, txId: 'v' },
  ];
}

/** Orders that certainly exist, to be changed. */
function lives(): Command[] {
  const resting = { symbol: 0, type: 'limit', side: 'buy', price: 900_000, size: 20 } as const;
  const own = { user: 3, symbol: 0, clientId: 'x' } as const;
  return [
    { kind: 'place-order', user: 3, ...resting, iceberg: true, visibleSize: 2, clientId: 'x' },
    { kind: 'reduce-order', ...own, size: 19 },
    { kind: 'alter-order', ...own, newSize: 40 },
    { kind: 'place-stop-order', user: 3, stop: 'loss', stopPrice: 1000, ...resting, clientId: 'y' },
    { kind: 'cancel-stop-order', ...own, clientId: 'y' },
    { kind: 'reduce-order', ...own, size: 40 },
  ];
}

/** Around a price of 100 that drifts; every kind of order, some of them invalid. */
function order(draw: Draw, step: number): OrderRequest {
  const market = draw.below(SYMBOLS);
  const side = draw.isOneIn(2) ? 'buy' : 'sell';
  const centre = 1000 + Math.floor(step / 10);
  const price = (centre + draw.below(21) - 10) * 1000;
  const size = 1 + draw.below(40);
  const stp = draw.isOneIn(3) ? { stp: STP[draw.below(STP.length)] } : {};
  const named = draw.isOneIn(2) ? { clientId: `c-${market}-${draw.below(8)}` } : {};
  const base = { symbol: market, side, ...stp, ...named } as const;
  const limit = { ...base, type: 'limit', price, size } as const;
  switch (draw.below(12)) {
    case 0:
      return { ...base, type: 'market', size };
    case 1:
      return { ...base, type: 'market', funds: BigInt(draw.below(500)) * 10_000n };
    case 2:
      return { ...limit, timeInForce: 'IOC' };
    case 3:
      return { ...limit, timeInForce: 'FOK' };
    case 4:
      return { ...limit, timeInForce: 'GTT', cancelAfterSec: 1 + draw.below(20) };
    case 5:
      return { ...limit, postOnly: true };
    case 6:
      return { ...limit, hidden: true };
    case 7:
    case 8:
      return { ...limit, iceberg: true, visibleSize: 1 + draw.below(10), tags: 'ice', remark: `at ${step}` };
    case 9:
      return { ...limit, price: price + draw.below(3) };
    default:
      return limit;
  }
}

/** A command other than an order. */
function other(draw: Draw, step: number): Command {
  const user = draw.below(USERS);
  const market = draw.below(SYMBOLS);
  const id = 1 + draw.below(31 + step * 2);
  const name = {
    user,
    symbol: market,
    ...(draw.isOneIn(4) ? { order: id } : { clientId: `c-${market}-${draw.below(8)}` }),
  };
  const grants = { version: 3, permissions: ['spot'], ipAllowList: ['::1'] } as const;
  const stop = draw.isOneIn(2) ? 'loss' : 'entry';
  switch (draw.below(27)) {
    case 0:
    case 1:
    case 2:
      return { kind: 'cancel-order', ...name };
    case 3:
      return { kind: 'cancel-orders', user, ...(draw.isOneIn(2) ? { symbol: market } : {}) };
    case 4:
    case 5:
      return { kind: 'reduce-order', ...name, size: 1 + draw.below(5) };
    case 6:
    case 7:
      return {
        kind: 'alter-order',
        ...name,
        newPrice: (1000 + draw.below(40)) * 1000,
        newSize: 1 + draw.below(30),
      };
    case 8:
      return { kind: 'test-order', user, ...order(draw, step) };
    case 9:
    case 10:
    case 11:
      return {
        kind: 'place-stop-order',
        user,
        stop,
        stopPrice: (990 + draw.below(60)) * 1000,
        ...order(draw, step),
      };
    case 12:
      return { kind: 'cancel-stop-order', ...name };
    case 13:
      return {
        kind: 'set-switch',
        user,
        timeoutSec: draw.isOneIn(4) ? -1 : 5 + draw.below(20),
        symbols: [market],
      };
    case 14:
      return { kind: 'report-deposit', ...deposit(user, market, step), travelRule: draw.isOneIn(2) };
    case 15:
      return {
        kind: 'submit-questionnaire',
        user,
        travelRuleId: id,
        senderType: 'individual',
        info: `\u20ac${step}`,
      };
    case 16:
      return {
        kind: 'decide-questionnaire',
        questionnaire: id,
        accepted: draw.isOneIn(2),
        failureCode: 'NAME',
      };
    case 17:
      return { kind: 'transfer', user: 0, type: 'parent-to-sub', clientId: `t${draw.below(9)}`, ...move(4) };
    case 18:
    case 19:
      return {
        kind: 'request-withdrawal',
        user,
        currency: 1,
        chain: 'net',
        amount: UNIT,
        address: 'a',
        memo: '',
      };
    case 20:
      return draw.isOneIn(2) ? { kind: 'cancel-withdrawal', user, withdrawal: id } : withdrawn(draw, id);
    case 21:
      return { kind: 'add-key', user, key: `k${draw.below(6)}`, ...grants, secret: `s${step}` };
    case 22:
      return draw.isOneIn(2)
        ? { kind: 'change-key', key: `k${draw.below(6)}`, permissions: ['general'] }
        : { kind: 'remove-key', key: `k${draw.below(6)}` };
    default:
      return rule(draw, step, market);
  }
}

function withdrawn(draw: Draw, withdrawal: number): Command {
  if (draw.isOneIn(2)) return { kind: 'claim-withdrawal', withdrawal };
  if (draw.isOneIn(2)) return { kind: 'settle-withdrawal', withdrawal, sent: true, txId: `t${withdrawal}` };
  return { kind: 'settle-withdrawal', withdrawal, sent: false };
}

const deposit = (user: number, number: number, step: number) =>
  ({ user, currency: number, chain: 'net', amount: UNIT * BigInt(step), txId: `d${step}` }) as const;
const move = (toUser: number) => ({ currency: 1, amount: UNIT, from: 'main', to: 'trade', toUser }) as const;

function rule(draw: Draw, step: number, market: number): Command {
  switch (draw.below(5)) {
    case 0:
      return { kind: 'change-symbol', symbol: market, name: `NAME-${step}`, priceLimitRate: '0.005' };
    case 1:
      return { kind: 'change-currency', currency: market, chains: [{ ...CHAIN, withdrawalMinFee: '0.01' }] };
    case 2:
      return { kind: 'set-market-state', symbol: market, state: draw.isOneIn(2) ? 'halted' : 'cancel-only' };
    case 3:
      return { kind: 'set-fees', symbol: market, maker: '0.0001', taker: `0.00${step}` };
    default:
      return { kind: 'set-limits', lookupWindowMs: 4_000 + step };
  }
}

/** Later additions to the core are at the end, so that everything before them stays the same. */
function later(time: number): Command[] {
  const address = { kind: 'add-address', user: 1, chain: 'net', memo: '' } as const;
  const once = { id: 'request', until: time + 5000 };
  const pair = {
    kind: 'place-oco-order',
    user: 3,
    symbol: 0,
    side: 'sell',
    size: 7,
    limitPrice: 1000,
    remark: 'pair',
  } as const;
  return [
    { ...address, currency: 0, address: 'here' },
    { ...address, currency: 0, address: 'there' },
    { ...address, currency: 1, address: 'here', memo: '12' },
    { kind: 'change-user', user: 1, tier: 3, frozen: true, by: 'operator', why: 'asked for' },
    { kind: 'place-order', user: 1, symbol: 0, type: 'limit', side: 'buy', price: 900_000, size: 1 },
    { kind: 'change-user', user: 1, frozen: false, once },
    { kind: 'change-user', user: 2, tier: 13, by: 'operator' },
    { kind: 'cancel-orders', user: 1, symbol: 0, once },
    { kind: 'set-market-state', symbol: 0, state: 'open' },
    { ...pair, price: 1_900_000, stopPrice: 1000 },
    { ...pair, price: 1_800_000, stopPrice: 1000, clientId: 'pair' },
    { ...pair, price: 1_800_000, stopPrice: 1_900_000 },
    { ...pair, side: 'buy', price: 2000, stopPrice: 1_900_000 },
    { kind: 'cancel-oco-order', user: 3, symbol: 0, clientId: 'pair' },
    { kind: 'cancel-oco-order', user: 3, symbol: 0, clientId: 'pair' },
    { kind: 'cancel-orders', user: 3, symbol: 0 },
    { ...pair, price: 1_000_000, stopPrice: 900_000 },
    { kind: 'place-order', user: 2, symbol: 0, type: 'limit', side: 'buy', price: 1_100_000, size: 30 },
    { ...pair, price: 1_500_000, stopPrice: 1_300_000 },
  ];
}

/** The back office: auctions and schedules, users, corrections, limits; some of them invalid. */
function office(): Command[] {
  const limit = { kind: 'place-order', symbol: 0, type: 'limit' } as const;
  const by = { by: 'ann', why: 'golden' } as const;
  return [
    { kind: 'set-market-state', symbol: 0, state: 'open' },
    { kind: 'begin-auction', symbol: 0, endsInMs: 2000, band: '0.5', thenState: 'post-only', ...by },
    { ...limit, user: 2, side: 'buy', price: 1_010_000, size: 9 },
    { ...limit, user: 3, side: 'sell', price: 990_000, size: 5 },
    { ...limit, user: 3, side: 'buy', price: 995_000, size: 1 },
    { kind: 'begin-auction', symbol: 2, endsInMs: 60_000, thenState: 'open' },
    { kind: 'cancel-auction', symbol: 2 },
    { kind: 'schedule-call', at: 1_900_000_000_000, scheduled: 'pause', command: { kind: 'pause-exchange' } },
    { kind: 'unschedule-call', entry: 1 },
    { kind: 'add-user', name: 'office' }, // 5
    { kind: 'freeze-user', user: 5, level: 'trading', withSubAccounts: false, ...by },
    { ...limit, user: 5, side: 'buy', price: 900_000, size: 1 },
    { kind: 'unfreeze-user', user: 5, withSubAccounts: true },
    { kind: 'add-user-note', user: 5, text: 'called', ...by },
    { kind: 'report-deposit', ...deposit(5, 1, 1000), travelRule: true },
    { kind: 'report-deposit', ...deposit(5, 1, 1001), travelRule: false },
    { kind: 'close-user', user: 5 },
    {
      kind: 'move-money',
      currency: 1,
      amount: UNIT,
      from: { user: 5, account: 'main' },
      to: { system: 'suspense' },
    },
    {
      kind: 'move-money',
      currency: 1,
      amount: UNIT / 100n,
      from: { system: 'suspense' },
      to: { user: 1, account: 'trade' },
    },
    { kind: 'reverse-movement', withdrawal: 35, ...by },
    { kind: 'reverse-movement', withdrawal: 35 },
    { kind: 'reverse-movement', deposit: 1 },
    { kind: 'return-deposit', deposit: 31 },
    { kind: 'set-withdrawal-limits', user: 3, limits: [{ currency: 1, amount: UNIT }] },
    {
      kind: 'set-withdrawal-limits',
      tier: 0,
      limits: [
        { currency: 0, amount: 0n },
        { currency: 1, amount: null },
      ],
    },
    {
      kind: 'request-withdrawal',
      user: 3,
      currency: 1,
      chain: 'net',
      amount: 2n * UNIT,
      address: 'a',
      memo: '',
    },
    { kind: 'add-address-rule', action: 'block', address: 'A', ...by },
    { kind: 'request-withdrawal', user: 2, currency: 1, chain: 'net', amount: UNIT, address: 'a', memo: '' },
    { kind: 'add-address-rule', action: 'allow', address: 'a', currency: 1, chain: 'net' },
    { kind: 'remove-address-rule', rule: 9 },
    { kind: 'cancel-for-others', user: 1, ...by },
    { kind: 'cancel-for-others', symbol: 1, ...by },
  ];
}

const HOUR_MS = 3_600_000;
const ADA = { person: 'p-ada', session: 's-ada' } as const;

/** One person through every command of people, valid and invalid; two others whose accounts are frozen and closed. */
function people(time: number): Command[] {
  const sealed = { profile: 'sealed profile', verifier: 'sealed verifier', from: 'sealed origin' } as const;
  const key = (name: string) =>
    ({ key: `signing-${name}`, secret: 'sealed secret', permissions: ['general', 'spot'] }) as const;
  const open = (session: string, person: string, proof: object = { version: 1 }): Command => ({
    kind: 'open-session',
    person,
    session,
    token: `token of ${session}`,
    expires: time + 12 * HOUR_MS,
    key: key(session),
    address: 'home',
    proof: proof as { version: number },
  });
  const add = (person: string, id = person): Command => ({
    kind: 'add-person',
    person,
    login: `login of ${person}`,
    ...sealed,
    spends: [{ id: `link of ${id}`, until: time + HOUR_MS }],
  });
  const change = (version: number, more: object): Command => ({
    kind: 'change-person',
    ...ADA,
    proof: { version },
    ...more,
  });
  const step = Math.floor(time / 30_000);
  const passkey = { id: 'passkey', publicKey: 'public', counter: 0, name: 'sealed name' };
  const address = { ...ADA, currency: 1, chain: 'net', address: 'wallet', memo: '', label: 'sealed label' };
  const withdraw = { kind: 'request-withdrawal', user: 6, currency: 1, chain: 'net', memo: '' } as const;
  const funds = {
    user: 6,
    currency: 1,
    chain: 'net',
    amount: 100n * UNIT,
    txId: 'of ada',
    travelRule: false,
  };
  return [
    add('p-ada'),
    add('p-bob'),
    add('p-eve'),
    add('p-second', 'p-ada'),
    open('s-ada', 'p-ada'),
    open('s-bob', 'p-bob'),
    open('s-eve', 'p-eve'),
    { kind: 'report-deposit', ...funds },
    change(1, { totp: 'sealed secret', totpStep: step, recoveryCodes: ['one', 'two'] }),
    change(1, { verifier: 'stale' }),
    open('s-code', 'p-ada', { version: 2, totpStep: step + 1 }),
    open('s-again', 'p-ada', { version: 2, totpStep: step + 1 }),
    open('s-recovery', 'p-ada', { version: 2, recoveryCode: 'one' }),
    open('s-spent', 'p-ada', { version: 2, recoveryCode: 'one' }),
    change(2, { addPasskey: passkey }),
    {
      kind: 'step-up',
      ...ADA,
      proof: {
        version: 3,
        passkey: { id: 'passkey', counter: 1 },
        spends: [{ id: 'challenge', until: time + HOUR_MS }],
      },
    },
    { kind: 'set-session-key', ...ADA, key: key('renewed') },
    { kind: 'end-sessions', person: 'p-ada', session: 's-code' },
    { kind: 'end-sessions', person: 'p-ada', except: 's-ada' },
    { kind: 'add-book-address', ...address, id: 'a-1', delayMs: 0 },
    { kind: 'add-book-address', ...address, id: 'a-2', address: 'other', delayMs: HOUR_MS },
    { kind: 'restrict-addresses', ...ADA, on: true },
    { ...withdraw, address: 'wallet', amount: UNIT },
    { ...withdraw, address: 'elsewhere', amount: UNIT },
    { kind: 'remove-book-address', ...ADA, id: 'a-2' },
    { kind: 'restrict-addresses', ...ADA, on: false },
    change(3, { removePasskey: 'passkey' }),
    { ...withdraw, address: 'wallet', amount: UNIT },
    change(4, { login: 'login of another', profile: 'sealed anew' }),
    { kind: 'lock-person', ...ADA, until: time + 24 * HOUR_MS },
    change(5, { totp: null }),
    { kind: 'freeze-person', person: 'p-bob', since: time, from: 'sealed origin' },
    open('s-frozen', 'p-bob'),
    { kind: 'close-person', ...ADA },
    { kind: 'close-person', person: 'p-eve', session: 's-eve' },
    open('s-gone', 'p-eve'),
  ];
}

/** Operators, a policy, and proposals that are approved, refused, withdrawn and left open. */
function eyes(): Command[] {
  const by = (operator: number, call: string) => ({
    // Root has no number.
    ...(operator > 0 && { operator }),
    call,
    by: `operator ${operator}`,
    why: 'golden',
  });
  const add = (name: string, ...roles: readonly ('admin' | 'finance' | 'support')[]): Command => ({
    kind: 'add-operator',
    name,
    roles,
    token: `token of ${name}`,
    ...by(0, 'add-operator'),
  });
  const pay = (step: number, operator = 2): Command => ({
    kind: 'report-deposit',
    ...deposit(2, 1, step),
    txId: `office ${step}`,
    travelRule: false,
    ...by(operator, 'report-deposit'),
  });
  const rules = [
    {
      call: 'report-deposit',
      approvals: 1,
      roles: ['finance'],
      above: [{ currency: 1, amount: 10n * UNIT }],
    },
    { call: 'set-policy', approvals: 2, roles: ['admin'] },
  ] as const;
  return [
    add('ann', 'admin'),
    add('ben', 'finance'),
    add('cyd', 'finance', 'support'),
    { kind: 'set-policy', rules, expiryMs: HOUR_MS, ...by(1, 'set-policy') },
    pay(5),
    pay(20), // 1
    { kind: 'approve-proposal', proposal: 1, ...by(2, 'approve-proposal') },
    { kind: 'approve-proposal', proposal: 1, ...by(3, 'approve-proposal') },
    { kind: 'approve-proposal', proposal: 1, ...by(3, 'approve-proposal') },
    pay(21), // 2
    { kind: 'refuse-proposal', proposal: 2, ...by(3, 'refuse-proposal') },
    pay(22, 3), // 3
    { kind: 'withdraw-proposal', proposal: 3, ...by(2, 'withdraw-proposal') },
    { kind: 'withdraw-proposal', proposal: 3, ...by(3, 'withdraw-proposal') },
    pay(23), // 4
    { kind: 'set-policy', rules: [], expiryMs: HOUR_MS, ...by(1, 'set-policy') }, // 5
    { kind: 'refuse-call', refused: 'add-operator', roles: ['admin'], ...by(2, 'refuse-call') },
    { kind: 'note-call', noted: 'rotate-secret', ...by(1, 'rotate-secret') },
    { kind: 'change-operator', changed: 3, roles: ['support'], ...by(1, 'change-operator') },
    { kind: 'approve-proposal', proposal: 4, ...by(3, 'approve-proposal') },
    { kind: 'set-operator-token', changed: 2, token: 'token anew', ...by(1, 'set-operator-token') },
    { kind: 'remove-operator', changed: 1, ...by(1, 'remove-operator') },
    { kind: 'remove-operator', changed: 2, ...by(1, 'remove-operator') },
    { kind: 'close-root', ...by(1, 'close-root') },
    add('dan', 'admin'),
    { kind: 'break-glass', name: 'eli', roles: ['admin'], token: 'glass', ...by(0, 'break-glass') },
  ];
}

export function makeRecords(): LogRecord[] {
  const draw = new Draw();
  let time = 1_700_000_000_000;
  const records: LogRecord[] = [
    { seq: 1, time, commands: world() },
    { seq: 2, time, commands: money() },
    { seq: 3, time, commands: lives() },
  ];
  while (records.length < RECORDS) {
    const step = records.length;
    time += draw.isOneIn(4) ? 0 : draw.below(1500);
    const commands: Command[] = [];
    for (let left = draw.below(4); left > 0; left--) {
      commands.push({ kind: 'place-order', user: draw.below(USERS), ...order(draw, step) });
    }
    if (draw.isOneIn(8)) {
      const orders = [order(draw, step), order(draw, step), order(draw, step)];
      commands.push({ kind: 'place-orders', user: draw.below(USERS), orders });
    }
    for (let left = draw.below(3); left > 0; left--) commands.push(other(draw, step));
    // No market stays closed for long.
    if (step % 15 === 0)
      commands.push({ kind: 'set-market-state', symbol: draw.below(SYMBOLS), state: 'open' });
    records.push({ seq: step + 1, time, commands });
  }
  records.push({ seq: records.length + 1, time, commands: later(time) });
  records.push({ seq: records.length + 1, time, commands: office() });
  // The auction ends, and its remaining trades are in the snapshot.
  records.push({ seq: records.length + 1, time: time + 3000, commands: [] });
  records.push({
    seq: records.length + 1,
    time: time + 3000,
    commands: [{ kind: 'begin-auction', symbol: 1, endsInMs: 60_000, thenState: 'open' }],
  });
  for (const commands of [people(time + 3000), eyes()])
    records.push({ seq: records.length + 1, time: time + 3000, commands });
  return records;
}

if (import.meta.main) {
  const exchange = new Exchange();
  for (const record of makeRecords()) exchange.apply(record);
  writeFileSync(new URL('golden/format-1.snapshot', import.meta.url), exchange.snapshot());
}
