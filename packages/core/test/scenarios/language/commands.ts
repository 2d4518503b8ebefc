/** The words of every other command: money of users, and commands of operators. */

import type { Command, MoneySide, Permission } from '../../../src/commands/commands.ts';
import type { DepositSet } from '../../../src/events/events.ts';
import { toMs, toUnits } from './numbers.ts';
import {
  type Built,
  buildOrder,
  buildOrderCommand,
  findCurrency,
  findId,
  findSymbol,
  findUser,
} from './orders.ts';
import type { State } from './state.ts';
import { unquote, Words } from './text.ts';
import { CHAIN, currencyTerms, symbolTerms } from './world.ts';

/** null if the first word is not a command. */
export function buildCommand(words: Words, state: State): Built | null {
  const first = words.peek();
  if (state.users.includes(first) || /^#\d+$/.test(first)) return buildUserCommand(words, state);
  const build = OPERATOR[first];
  if (build === undefined) return null;
  words.next('word');
  return build(words, state);
}

function buildUserCommand(words: Words, state: State): Built | null {
  const user = findUser(state, words.next('user'));
  const verb = words.peek();
  if (verb === 'buy' || verb === 'sell') {
    const order = buildOrder(words, state);
    return { command: { kind: 'place-order', user, ...order }, units: order };
  }
  words.next('verb');
  return buildOrderCommand(user, verb, words, state) ?? buildMoneyCommand(user, verb, words, state);
}

function buildMoneyCommand(user: number, verb: string, words: Words, state: State): Built | null {
  switch (verb) {
    case 'deposit': {
      const { currency, amount } = money(words, state);
      const pairs = words.pairs(['chain', 'tx', 'travelRule']);
      const chain = pairs.get('chain') ?? CHAIN.chainId;
      const txId = pairs.get('tx') ?? `tx-${state.seq}`;
      const travelRule = pairs.has('travelRule');
      return {
        command: { kind: 'report-deposit', user, currency, chain, amount, txId, travelRule },
        units: { currency },
      };
    }
    case 'address': {
      const currency = findCurrency(state, words.next('currency'));
      const address = unquote(words.next('address'));
      const pairs = words.pairs(['chain', 'memo', 'index', 'replaces']);
      const chain = pairs.get('chain') ?? CHAIN.chainId;
      const memo = pairs.get('memo') ?? '';
      const [index, replaces] = [pairs.get('index'), pairs.get('replaces')];
      const more = {
        ...(index !== undefined && { index: Number(index) }),
        ...(replaces !== undefined && { replaces }),
      };
      return { command: { kind: 'add-address', user, currency, chain, address, memo, ...more }, units: {} };
    }
    case 'questionnaire': {
      const id = findId(state, words.next('deposit'));
      const deposit = state.latest.get(`deposit ${id}`) as DepositSet | undefined;
      const pairs = words.pairs(['type', 'info']);
      const senderType = (pairs.get('type') ?? 'individual') as 'individual';
      const travelRuleId = deposit?.travelRuleId ?? id;
      const info = pairs.get('info') ?? '{}';
      return { command: { kind: 'submit-questionnaire', user, travelRuleId, senderType, info }, units: {} };
    }
    case 'transfer': {
      const { currency, amount } = money(words, state);
      const pairs = words.pairs(['unnamed', 'from', 'to', 'type', 'fromUser', 'toUser', 'id']);
      const [fromUser, toUser] = [pairs.get('fromUser'), pairs.get('toUser')];
      const command = {
        kind: 'transfer',
        user,
        type: (pairs.get('type') ?? 'internal') as 'internal',
        clientId: pairs.get('id') ?? `t-${state.seq}`,
        ...(pairs.has('unnamed') ? {} : { currency }),
        amount,
        from: (pairs.get('from') ?? 'main') as 'main',
        to: (pairs.get('to') ?? 'trade') as 'trade',
        ...(fromUser === undefined ? {} : { fromUser: findUser(state, fromUser) }),
        ...(toUser === undefined ? {} : { toUser: findUser(state, toUser) }),
      } as const;
      return { command, units: { currency } };
    }
    case 'withdraw': {
      const { currency, amount } = money(words, state);
      const pairs = words.pairs(['chain', 'address', 'payee', 'memo', 'feeIncluded', 'note']);
      const chain = pairs.get('chain') ?? CHAIN.chainId;
      const address = pairs.get('address') ?? 'somewhere';
      const memo = pairs.get('memo') ?? '';
      const note = pairs.get('note');
      const payee = pairs.get('payee');
      const more = {
        ...(payee === undefined ? {} : { payee }),
        ...(pairs.has('feeIncluded') ? { feeIncluded: true } : {}),
        ...(note === undefined ? {} : { note }),
      };
      return {
        command: { kind: 'request-withdrawal', user, currency, chain, amount, address, memo, ...more },
        units: { currency },
      };
    }
    case 'cancel-withdrawal': {
      const withdrawal = findId(state, words.next('withdrawal'));
      return { command: { kind: 'cancel-withdrawal', user, withdrawal }, units: {} };
    }
    default:
      throw new Error(`unknown word: ${verb}`);
  }
}

/** `10 USDT`; for an unknown currency `10 #7`, in units. */
function money(words: Words, state: State): { currency: number; amount: bigint } {
  const amount = words.next('amount');
  const currency = findCurrency(state, words.next('currency'));
  return { currency, amount: toUnits(amount, state.currencies[currency]?.scale ?? 0) };
}

function optionalSymbol(words: Words, state: State): number {
  return findSymbol(state, words.ended || words.peek().includes('=') ? undefined : words.next('symbol'));
}

const LIMITS: Record<string, string> = {
  perSymbol: 'activeOrdersPerSymbolMax',
  perUser: 'activeOrdersPerUserMax',
  stops: 'stopOrdersPerSymbolMax',
  window: 'lookupWindowMs',
  steps: 'stepsPerRecordMax',
  clientIds: 'clientIdsPerUserMax',
  clientIdsInAll: 'clientIdsMax',
  movementWindow: 'movementWindowMs',
  movements: 'movementsPerUserMax',
  movementsInAll: 'movementsMax',
};

const OPERATOR: Record<string, (words: Words, state: State) => Built> = {
  decide: (words, state) => {
    const questionnaire = findId(state, words.next('questionnaire'));
    const pairs = words.pairs(['accept', 'fail']);
    const accepted = pairs.has('accept');
    const failureCode = pairs.get('fail') ?? '';
    return plain({ kind: 'decide-questionnaire', questionnaire, accepted, failureCode });
  },
  settle: (words, state) => {
    const withdrawal = findId(state, words.next('withdrawal'));
    const answer = words.next('sent or failed');
    if (answer !== 'sent' && answer !== 'failed') throw new Error(`unknown word: ${answer}`);
    const sent = answer === 'sent';
    const pairs = words.pairs(['tx', 'reason', 'noTx']);
    const txId = pairs.get('tx') ?? (sent && !pairs.has('noTx') ? 'paid' : undefined);
    const failureReason = pairs.get('reason');
    return plain({
      kind: 'settle-withdrawal',
      withdrawal,
      sent,
      ...(txId !== undefined && { txId }),
      ...(failureReason !== undefined && { failureReason }),
    });
  },
  load: (words) => {
    const addresses = words.rest().map((address) => ({ address: unquote(address), memo: '' }));
    return plain({ kind: 'load-addresses', chain: CHAIN.chainId, addresses });
  },
  claim: (words, state) =>
    plain({ kind: 'claim-withdrawal', withdrawal: findId(state, words.next('withdrawal')) }),
  unclaim: (words, state) =>
    plain({ kind: 'unclaim-withdrawal', withdrawal: findId(state, words.next('withdrawal')) }),
  advance: (words, state) => {
    const withdrawal = findId(state, words.next('withdrawal'));
    const payment = words.next('signed or broadcast') as 'signed';
    const txId = words.pairs(['tx']).get('tx');
    return plain({ kind: 'advance-withdrawal', withdrawal, payment, ...(txId !== undefined && { txId }) });
  },
  return: (words, state) => {
    const deposit = findId(state, words.next('deposit'));
    const txId = words.pairs(['tx']).get('tx');
    return plain({ kind: 'return-deposit', deposit, ...(txId !== undefined && { txId }) });
  },
  reverse: (words, state) => {
    const pairs = words.pairs(['deposit', 'withdrawal', 'correction']);
    const named = [...pairs].map(([name, label]) => [name, findId(state, label)]);
    return plain({ kind: 'reverse-movement', ...Object.fromEntries(named) });
  },
  move: (words, state) => {
    const { currency, amount } = money(words, state);
    const pairs = words.pairs(['from', 'to', 'id']);
    const clientId = pairs.get('id');
    const side = (name: string): MoneySide => {
      const [user, account] = (pairs.get(name) ?? '').split('/') as [string, 'main' | undefined];
      return account === undefined ? { system: user as 'fees' } : { user: findUser(state, user), account };
    };
    return {
      command: {
        kind: 'move-money',
        currency,
        amount,
        from: side('from'),
        to: side('to'),
        ...(clientId !== undefined && { clientId }),
      },
      units: { currency },
    };
  },
  perday: (words, state) => {
    const amount = words.next('amount or none');
    const currency = findCurrency(state, words.next('currency'));
    const pairs = words.pairs(['user', 'tier']);
    const [user, tier] = [pairs.get('user'), pairs.get('tier')];
    const units = amount === 'none' ? null : toUnits(amount, state.currencies[currency]?.scale ?? 0);
    return plain({
      kind: 'set-withdrawal-limits',
      ...(user !== undefined && { user: findUser(state, user) }),
      ...(tier !== undefined && { tier: Number(tier) }),
      limits: [{ currency, amount: units }],
    });
  },
  wallet: (words, state) => {
    const { currency, amount: balance } = money(words, state);
    const at = words.pairs(['at']).get('at');
    const time = at === undefined ? state.time : Number(at);
    return plain({ kind: 'report-wallet', currency, balance, at: time });
  },
  rule: (words, state) => {
    const action = words.next('block, allow or remove') as 'block';
    if ((action as string) === 'remove') {
      return plain({ kind: 'remove-address-rule', rule: Number(words.next('number')) });
    }
    const address = unquote(words.next('address'));
    const pairs = words.pairs(['currency', 'chain']);
    const [currency, chain] = [pairs.get('currency'), pairs.get('chain')];
    return plain({
      kind: 'add-address-rule',
      action,
      address,
      ...(currency !== undefined && { currency: findCurrency(state, currency) }),
      ...(chain !== undefined && { chain }),
    });
  },
  symbol: (words, state) => {
    const symbol = optionalSymbol(words, state);
    return plain({ kind: 'change-symbol', symbol, ...symbolTerms(words.rest()) });
  },
  currency: (words, state) => {
    const currency = findCurrency(state, words.next('currency'));
    return plain({ kind: 'change-currency', currency, ...currencyTerms(words.rest()) });
  },
  state: (words, state) => {
    const value = words.next('state') as 'open';
    const symbol = words.take('in') ? findSymbol(state, words.next('symbol')) : 0;
    return plain({ kind: 'set-market-state', symbol, state: value });
  },
  auction: (words, state) => {
    const word = words.next('how long, or cancel');
    const symbol = words.take('in') ? findSymbol(state, words.next('symbol')) : 0;
    if (word === 'cancel') return plain({ kind: 'cancel-auction', symbol });
    const pairs = words.pairs(['reference', 'band', 'then']);
    const reference = pairs.get('reference');
    const band = pairs.get('band');
    return plain({
      kind: 'begin-auction',
      symbol,
      endsInMs: word.startsWith('#') ? Number(word.slice(1)) : toMs(word),
      ...(reference !== undefined && {
        referencePrice: Number(toUnits(reference, state.symbols[symbol]!.priceDecimals)),
      }),
      ...(band !== undefined && { band }),
      thenState: (pairs.get('then') ?? 'open') as 'open',
    });
  },
  schedule: (words, state) => {
    const when = words.next('when');
    const at = when.startsWith('-') ? state.time - toMs(when.slice(1)) : state.time + toMs(when);
    const { command } = buildCommand(words, state)!;
    return plain({ kind: 'schedule-call', at, scheduled: 'some-call', command } as Command);
  },
  unschedule: (words) => plain({ kind: 'unschedule-call', entry: Number(words.next('number')) }),
  pause: () => plain({ kind: 'pause-exchange' }),
  resume: () => plain({ kind: 'resume-exchange' }),
  remove: (words, state) => {
    const what = words.next('currency, symbol or fees');
    if (what === 'fees')
      return plain({ kind: 'remove-fees', ...feeParties(words.pairs(['user', 'symbol']), state) });
    if (what === 'symbol')
      return plain({ kind: 'remove-symbol', symbol: findSymbol(state, words.next('symbol')) });
    if (what !== 'currency') throw new Error(`unknown word: ${what}`);
    return plain({ kind: 'remove-currency', currency: findCurrency(state, words.next('currency')) });
  },
  fees: (words, state) => {
    const pairs = words.pairs(['maker', 'taker', 'user', 'symbol']);
    return plain({
      kind: 'set-fees',
      ...feeParties(pairs, state),
      maker: pairs.get('maker') ?? '0',
      taker: pairs.get('taker') ?? '0',
    });
  },
  limits: (words) => {
    const limits: Record<string, number> = {};
    for (const [key, value] of words.pairs(Object.keys(LIMITS))) {
      limits[LIMITS[key]!] = /\d(ms|s|m|h|d)$/.test(value) ? toMs(value) : Number(value);
    }
    return plain({ kind: 'set-limits', ...limits });
  },
  user: (words, state) => {
    const user = findUser(state, words.next('user'));
    const pairs = words.pairs(['tier', 'frozen']);
    const [tier, frozen] = [pairs.get('tier'), pairs.get('frozen')];
    return plain({
      kind: 'change-user',
      user,
      ...(tier === undefined ? {} : { tier: Number(tier) }),
      ...(frozen === undefined ? {} : { frozen: frozen === 'yes' }),
    });
  },
  freeze: (words, state) => {
    const user = findUser(state, words.next('user'));
    const level = words.next('level') as 'all';
    return plain({ kind: 'freeze-user', user, level, withSubAccounts: !words.take('alone') });
  },
  unfreeze: (words, state) => {
    const user = findUser(state, words.next('user'));
    return plain({ kind: 'unfreeze-user', user, withSubAccounts: words.take('all') });
  },
  close: (words, state) => plain({ kind: 'close-user', user: findUser(state, words.next('user')) }),
  note: (words, state) => {
    const user = findUser(state, words.next('user'));
    return plain({ kind: 'add-user-note', user, text: unquote(words.next('text')) });
  },
  others: (words, state) => {
    const pairs = words.pairs(['user', 'symbol', 'order', 'why']);
    const [order, why] = [pairs.get('order'), pairs.get('why')];
    return plain({
      kind: 'cancel-for-others',
      ...feeParties(pairs, state),
      ...(order === undefined ? {} : { order: findId(state, order) }),
      ...(why === undefined ? {} : { by: 'ann', why }),
    });
  },
  new: (words, state) => {
    const what = words.next('user, currency or symbol');
    const name = unquote(words.next('name'));
    if (what === 'user') {
      const parent = words.take('of') ? findUser(state, words.next('master')) : undefined;
      const sender = senderIn(words.pairs(['sender']), state);
      return plain({ kind: 'add-user', name, ...(parent === undefined ? {} : { parent }), ...sender });
    }
    if (what === 'currency') {
      const terms = { precision: 2, scale: 6, name, fullName: name, ...currencyTerms(words.rest()) };
      return plain({ kind: 'add-currency', code: name, ...currencyTerms(), ...terms } as Command);
    }
    if (what !== 'symbol') throw new Error(`unknown word: ${what}`);
    const [base = '', quote = ''] = name.split('-');
    const pairs = words.rest();
    const currency = (key: string, code: string): number => {
      const given = pairs.find((pair) => pair.startsWith(`${key}=`));
      return findCurrency(state, given?.slice(key.length + 1) ?? code);
    };
    const terms = symbolTerms(pairs.filter((pair) => !/^(base|quote|state)=/.test(pair)));
    const both = { base: currency('base', base), quote: currency('quote', quote) };
    const first = pairs.find((pair) => pair.startsWith('state='))?.slice('state='.length);
    const more = { ...both, ...(first === undefined ? {} : { state: first }) };
    return plain({ kind: 'add-symbol', code: name, ...symbolTerms(), name, ...terms, ...more } as Command);
  },
  key: (words, state) => {
    const verb = words.next('add, change or remove');
    const key = unquote(words.next('key'));
    const pairs = words.pairs(['user', 'version', 'permissions', 'ips', 'secret', 'note', 'sender']);
    const sender = senderIn(pairs, state);
    const note = pairs.has('note') ? { note: pairs.get('note') ?? '' } : {};
    const list = (name: string): string[] => (pairs.get(name) ?? '').split(',').filter((item) => item !== '');
    const permissions = list('permissions') as Permission[];
    const ipAllowList = list('ips');
    if (verb === 'remove') return plain({ kind: 'remove-key', key, ...sender });
    if (verb === 'change') {
      const given = {
        ...(pairs.has('permissions') ? { permissions } : {}),
        ...(pairs.has('ips') ? { ipAllowList } : {}),
        ...note,
      };
      return plain({ kind: 'change-key', key, ...given, ...sender });
    }
    if (verb !== 'add') throw new Error(`unknown word: ${verb}`);
    const user = findUser(state, pairs.get('user') ?? 'alice');
    const secret = pairs.get('secret') ?? 'sealed';
    const version = Number(pairs.get('version') ?? '3');
    return plain({
      kind: 'add-key',
      user,
      key,
      version,
      permissions,
      ipAllowList,
      secret,
      ...note,
      ...sender,
    });
  },
};

/** The sender of a command that an operator may send too. */
function senderIn(pairs: ReadonlyMap<string, string>, state: State): { sender?: number } {
  const name = pairs.get('sender');
  return name === undefined ? {} : { sender: findUser(state, name) };
}

/** The user and symbol of a rule or change. */
function feeParties(pairs: ReadonlyMap<string, string>, state: State): { user?: number; symbol?: number } {
  const [user, symbol] = [pairs.get('user'), pairs.get('symbol')];
  return {
    ...(user === undefined ? {} : { user: findUser(state, user) }),
    ...(symbol === undefined ? {} : { symbol: findSymbol(state, symbol) }),
  };
}

function plain(command: Command): Built {
  return { command, units: {} };
}
