/**
 * Commands about money: deposits with their questionnaires, transfers, withdrawals with their limits and
 * address rules, wallet balances.
 */

import type { AccountType, Command, MoneySide, ReportDeposit, Transfer, WithdrawalSet } from '@bourse/core';
import { badAmount, badId, badText, badWord } from './breakage.ts';
import { type KnownCurrency, remember } from './model.ts';
import type { Fields } from './order-fields.ts';
import { type Draw, drawAmount, pickCurrency, pickUser, type Scene } from './scene.ts';

export const reportDeposit: Draw = (scene, broken) => {
  const { random, deposits } = scene;
  if (deposits.length > 0 && random.chance(0.06)) return random.pick(deposits);
  const currency = pickCurrency(scene);
  const open = currency.chains.filter((chain) => chain.isDepositEnabled);
  const chain = random.pick(open.length > 0 && random.chance(0.9) ? open : currency.chains);
  const command: ReportDeposit = {
    kind: 'report-deposit',
    user: pickUser(scene),
    currency: currency.currency,
    chain: chain.chainId,
    amount: drawAmount(scene, currency),
    txId: `tx${random.bits().toString(36)}`,
    travelRule: random.chance(0.2),
  };
  if (!broken) {
    remember(deposits, command);
    return command;
  }
  return brokenDeposit(scene, command, currency);
};

function brokenDeposit(scene: Scene, command: ReportDeposit, currency: KnownCurrency): Command {
  const { random, deposits } = scene;
  switch (random.below(8)) {
    case 0:
      return { ...command, user: badId(random) };
    case 1:
      return { ...command, currency: badId(random) };
    case 2:
      return { ...command, chain: random.pick(['chain9', '', 'CHAIN0']) };
    case 3:
      return { ...command, txId: badText(random, 128) };
    case 4:
      return { ...command, amount: currency.step * BigInt(random.range(1, 4)) };
    case 5:
      return different(scene, random.pick([...deposits, command]) as ReportDeposit);
    case 6:
      return { ...command, amount: (2n ** 100n / currency.step + 1n) * currency.step };
    default:
      return { ...command, amount: badAmount(random, command.amount, currency.step) };
  }
}

/** The same deposit with a changed field, which must be detected. */
function different(scene: Scene, first: ReportDeposit): Command {
  const { user, amount, chain, travelRule } = first;
  const { random } = scene;
  return {
    ...first,
    user: random.chance(0.3) ? pickUser(scene) : user,
    amount: random.chance(0.3) ? amount * 2n : amount,
    travelRule: random.chance(0.3) ? !travelRule : travelRule,
    chain: random.chance(0.3) ? 'chain1' : chain,
  };
}

export const submitQuestionnaire: Draw = (scene, broken) => {
  const { random, model } = scene;
  const waiting = model.waitingDeposits;
  const { user, travelRuleId } =
    waiting.length > 0 ? random.pick(waiting) : { user: pickUser(scene), travelRuleId: 1 };
  const fields: Fields = {
    kind: 'submit-questionnaire',
    user,
    travelRuleId,
    senderType: random.pick(['individual', 'company']),
    info: random.chance(0.03) ? 'x'.repeat(10_000) : random.pick(['{}', 'Dvořák & søn']),
  };
  if (broken) {
    const [field, value] = random.pick<[string, unknown]>([
      ['user', badId(random)],
      ['user', pickUser(scene)],
      ['travelRuleId', random.pick([...model.oldIds, badId(random)])],
      ['senderType', badWord(random)],
      ['info', random.pick(['', 'x'.repeat(10_001)])],
    ]);
    fields[field] = value;
  }
  return fields as unknown as Command;
};

export const decideQuestionnaire: Draw = (scene, broken) => {
  const { random, model } = scene;
  const pending = model.questionnaires.filter((known) => known.state === 'pending');
  const list = pending.length > 0 && !(broken && random.chance(0.4)) ? pending : model.questionnaires;
  const accepted = random.chance(0.6);
  let questionnaire = list.length > 0 ? random.pick(list).questionnaire : 1;
  let failureCode = accepted ? random.pick(['', 'ignored']) : 'name-mismatch';
  if (broken && random.chance(0.3)) questionnaire = random.pick([...model.oldIds, badId(random)]);
  if (broken && random.chance(0.4)) failureCode = badText(random, 64);
  return { kind: 'decide-questionnaire', questionnaire, accepted, failureCode };
};

export const transfer: Draw = (scene, broken) => {
  const { random, model, transfers } = scene;
  if (transfers.length > 0 && random.chance(0.05)) return random.pick(transfers);
  const sub = random.chance(0.3)
    ? model.users.find((known) => known.parent >= 0 && random.chance(0.5))
    : undefined;
  const isDown = random.chance(0.6);
  let user = sub?.parent ?? pickUser(scene);
  let from: AccountType = random.chance(0.75) ? 'main' : 'trade';
  const to: AccountType =
    sub === undefined ? (from === 'main' ? 'trade' : 'main') : random.pick(['main', 'trade', 'trade']);
  const source = sub === undefined || isDown ? user : sub.user;
  const rich = model.listedCurrencies.filter(
    (known) => model.available(source, from, known.currency) >= known.step,
  );
  const currency = rich.length > 0 ? random.pick(rich) : pickCurrency(scene);
  const steps = model.available(source, from, currency.currency) / currency.step;
  const most = steps > 0n ? steps : 1n;
  const part = random.pick([most, (most * 3n) / 4n, most / 2n, random.belowBig(most)]);
  const fields: Fields = {
    kind: 'transfer',
    user,
    type: sub === undefined ? 'internal' : isDown ? 'parent-to-sub' : 'sub-to-parent',
    clientId: `t${random.bits().toString(36)}`,
    currency: currency.currency,
    amount: (part > 0n ? part : 1n) * currency.step,
    from,
    to,
  };
  if (sub !== undefined) fields[isDown ? 'toUser' : 'fromUser'] = sub.user;
  // Naming the caller explicitly says nothing new.
  if (random.chance(0.15)) fields[sub !== undefined && isDown ? 'fromUser' : 'toUser'] ??= user;
  if (random.chance(rich.length === 1 ? 0.4 : 0.06)) delete fields['currency'];
  if (broken) [user, from] = [pickUser(scene), from === 'main' ? 'trade' : 'main'];
  if (broken) breakTransfer(scene, fields, currency, user, from);
  else remember(transfers, fields as unknown as Command);
  return fields as unknown as Command;
};

function breakTransfer(
  scene: Scene,
  fields: Fields,
  currency: KnownCurrency,
  other: number,
  account: AccountType,
): void {
  const { random, transfers } = scene;
  const amount = fields['amount'] as bigint;
  const [field, value] = random.pick<[string, unknown]>([
    ['user', badId(random)],
    ['user', other],
    ['fromUser', random.pick([other, badId(random)])],
    ['toUser', random.pick([other, other, badId(random)])],
    ['currency', badId(random)],
    ['clientId', badText(random, 128)],
    ['clientId', transfers.length > 0 ? (random.pick(transfers) as Transfer).clientId : 'first'],
    ['type', badWord(random)],
    ['type', random.pick(['internal', 'parent-to-sub', 'sub-to-parent'])],
    ['from', random.pick([badWord(random), account])],
    ['to', random.pick([badWord(random), fields['from']])],
    ['amount', badAmount(random, amount, currency.step)],
    ['amount', amount * 3n],
  ]);
  fields[field] = value;
  if (random.chance(0.1)) Object.assign(fields, { type: 'parent-to-sub', toUser: other });
  if (transfers.length > 0 && random.chance(0.15)) {
    const first = random.pick(transfers) as Transfer;
    Object.assign(fields, { ...first, amount: first.amount + currency.step });
  }
}

export const requestWithdrawal: Draw = (scene, broken) => {
  const { random, model } = scene;
  const user = pickUser(scene);
  const rich = model.listedCurrencies.filter(
    (known) => model.available(user, 'main', known.currency) >= known.step,
  );
  const currency = rich.length > 0 ? random.pick(rich) : pickCurrency(scene);
  const open = currency.chains.filter((chain) => chain.isWithdrawEnabled);
  const chain = random.pick(open.length > 0 && random.chance(0.9) ? open : currency.chains);
  const steps = model.available(user, 'main', currency.currency) / currency.step;
  const part = random.pick([steps, steps / 2n, random.belowBig(steps), steps / 8n]);
  const fields: Fields = {
    kind: 'request-withdrawal',
    user,
    currency: currency.currency,
    chain: chain.chainId,
    amount: (part > 0n ? part : 1n) * currency.step,
    address: 'address',
    ...(random.chance(0.3) && { payee: random.pick(['elsewhere', 'ELSEWHERE', broken ? '' : 'nobody']) }),
    memo: random.pick(['', 'memo']),
    ...(random.chance(0.3) && { feeIncluded: random.chance(0.8) }),
    ...(random.chance(0.2) && { note: 'ö'.repeat(random.pick([0, 1, 100, broken ? 101 : 20])) }),
  };
  if (broken) {
    const [field, value] = random.pick<[string, unknown]>([
      ['user', badId(random)],
      ['currency', badId(random)],
      ['chain', 'chain9'],
      ['address', badText(random, 256)],
      ['memo', badText(random, 256)],
      ['amount', badAmount(random, fields['amount'] as bigint, currency.step)],
      ['amount', currency.step * BigInt(random.range(1, 3))],
    ]);
    fields[field] = value;
  }
  return fields as unknown as Command;
};

function pickWithdrawal(
  scene: Scene,
  broken: boolean,
  state: WithdrawalSet['state'] = 'processing',
): { user: number; withdrawal: number } {
  const { random, model } = scene;
  const fitting = model.withdrawals.filter((known) => known.state === state);
  const list = fitting.length > 0 && !(broken && random.chance(0.5)) ? fitting : model.withdrawals;
  const known = list.length > 0 ? random.pick(list) : { user: pickUser(scene), withdrawal: 1 };
  if (!broken || random.chance(0.5)) return known;
  return random.pick([
    { user: known.user, withdrawal: random.pick([...model.oldIds, badId(random)]) },
    { user: pickUser(scene), withdrawal: known.withdrawal },
    { user: badId(random), withdrawal: known.withdrawal },
  ]);
}

export const cancelWithdrawal: Draw = (scene, broken) => {
  const { user, withdrawal } = pickWithdrawal(scene, broken);
  return { kind: 'cancel-withdrawal', user, withdrawal };
};

export const claimWithdrawal: Draw = (scene, broken) => {
  const { withdrawal } = pickWithdrawal(scene, broken);
  return { kind: 'claim-withdrawal', withdrawal };
};

export const unclaimWithdrawal: Draw = (scene, broken) => {
  const { withdrawal } = pickWithdrawal(scene, broken, 'paying');
  return { kind: 'unclaim-withdrawal', withdrawal };
};

export const advanceWithdrawal: Draw = (scene, broken) => {
  const { random } = scene;
  const { withdrawal } = pickWithdrawal(scene, broken, 'paying');
  const txId = broken && random.chance(0.3) ? badText(random, 128) : random.pick(['sent1', 'sent2']);
  return {
    kind: 'advance-withdrawal',
    withdrawal,
    payment:
      broken && random.chance(0.3) ? (badWord(random) as 'signed') : random.pick(['signed', 'broadcast']),
    ...(random.chance(0.5) && { txId }),
  };
};

export const settleWithdrawal: Draw = (scene, broken) => {
  const { random } = scene;
  const sent = random.chance(0.7);
  const state = sent || random.chance(0.5) ? 'paying' : 'processing';
  const { withdrawal } = pickWithdrawal(scene, broken, state);
  const txId = broken && random.chance(0.3) ? badText(random, 128) : 'paid';
  const failureReason = broken && random.chance(0.3) ? 'ö'.repeat(257) : random.pick(['', 'closed account']);
  const isOdd = broken && random.chance(0.3);
  return {
    kind: 'settle-withdrawal',
    withdrawal,
    sent,
    ...(sent !== isOdd && { txId }),
    ...((isOdd ? random.chance(0.5) : !sent && random.chance(0.5)) && { failureReason }),
  };
};

export const returnDeposit: Draw = (scene, broken) => {
  const { random, model } = scene;
  const open = model.depositSets.filter(({ state }) => state === 'waiting' || state === 'refused');
  const list = open.length > 0 && !(broken && random.chance(0.5)) ? open : model.depositSets;
  const deposit = list.length > 0 ? random.pick(list).deposit : 1;
  return {
    kind: 'return-deposit',
    deposit: broken && random.chance(0.4) ? random.pick([...model.oldIds, badId(random)]) : deposit,
    ...(random.chance(0.5) && { txId: broken && random.chance(0.5) ? badText(random, 128) : 'back' }),
  };
};

/** Prefers recent movements, whose money is more likely to be unspent. */
export const reverseMovement: Draw = (scene, broken) => {
  const { random, model } = scene;
  const kind = 'reverse-movement';
  const bad = (id: number): number =>
    broken && random.chance(0.4) ? random.pick([...model.oldIds, badId(random)]) : id;
  const late = <T>(list: readonly T[]): T | undefined => random.pick([undefined, ...list.slice(-6)]);
  const deposit = late(model.depositSets)?.deposit ?? 1;
  const sent = model.withdrawals.filter(({ state }) => state === 'sent');
  const withdrawal = late(sent.length > 0 && !broken ? sent : model.withdrawals)?.withdrawal ?? 1;
  const correction = late(model.corrections) ?? 1;
  if (broken && random.chance(0.2)) return random.pick([{ kind }, { kind, deposit, withdrawal }]);
  return random.pick<Command>([
    { kind, deposit: bad(deposit) },
    { kind, withdrawal: bad(withdrawal) },
    { kind, correction: bad(correction) },
  ]);
};

export const moveMoney: Draw = (scene, broken) => {
  const { random, model } = scene;
  const currency = pickCurrency(scene);
  const side = (): MoneySide =>
    random.chance(0.3)
      ? { system: broken && random.chance(0.2) ? ('outside' as 'fees') : random.pick(['fees', 'suspense']) }
      : {
          user: broken && random.chance(0.2) ? badId(random) : pickUser(scene),
          account:
            broken && random.chance(0.2) ? (badWord(random) as 'main') : random.pick(['main', 'trade']),
        };
  const [from, to] = [side(), side()];
  const available =
    'user' in from ? model.available(from.user, from.account, currency.currency) : currency.step;
  const { step } = currency;
  const amount = (random.pick([available / 2n, available / 100n, 1n]) / step + 1n) * step;
  return {
    kind: 'move-money',
    currency: broken && random.chance(0.2) ? badId(random) : currency.currency,
    amount:
      broken && random.chance(0.3) ? random.pick([0n, -1n, amount + 1n, available * 2n + step]) : amount,
    from,
    to: broken && random.chance(0.2) ? from : to,
    ...(random.chance(0.3) && { clientId: broken ? badText(random, 128) : `move ${random.below(8)}` }),
  };
};

/**
 * One deposit and one transfer of most of it for every user and currency, as the initial state for trading.
 */
export function fundingCommands(scene: Scene): Command[] {
  const { random, model } = scene;
  const commands: Command[] = [];
  for (const currency of model.currencies) {
    const chain = currency.chains.find((candidate) => candidate.isDepositEnabled);
    if (chain === undefined) continue;
    for (const { user } of model.users) {
      const amount = drawAmount(scene, currency) + drawAmount(scene, currency);
      const name = `${currency.currency}-${user}`;
      const moved = ((amount / currency.step) * BigInt(random.range(5, 10))) / 10n;
      commands.push(
        {
          kind: 'report-deposit',
          user,
          currency: currency.currency,
          chain: chain.chainId,
          amount,
          txId: `first-${name}`,
          travelRule: false,
        },
        {
          kind: 'transfer',
          user,
          type: 'internal',
          clientId: `first-${name}`,
          currency: currency.currency,
          amount: moved * currency.step,
          from: 'main',
          to: 'trade',
        },
      );
    }
  }
  return commands;
}

export const setWithdrawalLimits: Draw = (scene, broken) => {
  const { random, model } = scene;
  const currency = pickCurrency(scene);
  // Mostly high limits: with low ones, nothing would be withdrawn.
  const amount = random.pick([
    null,
    null,
    0n,
    drawAmount(scene, currency),
    drawAmount(scene, currency) * 50n,
  ]);
  const fields: Fields = {
    kind: 'set-withdrawal-limits',
    limits: [{ currency: currency.currency, amount }],
  };
  const masters = model.users.filter(({ parent }) => parent < 0);
  if (random.chance(0.5)) fields['user'] = random.pick(masters).user;
  else fields['tier'] = random.pick([0, 0, random.range(0, 12)]);
  if (broken) {
    const [field, value] = random.pick<[string, unknown]>([
      ['user', badId(random)],
      ['user', pickUser(scene)],
      ['tier', random.pick([-1, 13, 0.5])],
      ['limits', [{ currency: badId(random), amount: 1n }]],
      ['limits', [{ currency: currency.currency, amount: -1n }]],
    ]);
    fields[field] = value;
    if (random.chance(0.2)) fields['user'] = fields['tier'] = undefined;
  }
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as never as Command;
};

/** All withdrawals of the flow go to the address `address`. */
export const addAddressRule: Draw = (scene, broken) => {
  const { random, model } = scene;
  if (!broken) model.addressRules += 1;
  const currency = pickCurrency(scene);
  const fields: Fields = {
    kind: 'add-address-rule',
    action: random.pick(['block', 'allow', 'allow']),
    address: random.pick(['address', 'ADDRESS', 'elsewhere']),
  };
  if (random.chance(0.8)) fields['currency'] = currency.currency;
  if (random.chance(0.6)) fields['chain'] = random.pick(currency.chains)?.chainId ?? 'chain0';
  if (broken) {
    const [field, value] = random.pick<[string, unknown]>([
      ['currency', badId(random)],
      ['action', badWord(random)],
      ['address', badText(random, 256)],
      ['chain', badText(random, 64)],
    ]);
    fields[field] = value;
  }
  return fields as unknown as Command;
};

/** Rules are numbered from 1. Most are removed again, or nothing could be withdrawn. */
export const removeAddressRule: Draw = ({ random, model }, broken) => ({
  kind: 'remove-address-rule',
  rule: broken ? badId(random) : random.range(Math.max(1, model.addressRules - 5), model.addressRules + 1),
});

export const reportWallet: Draw = (scene, broken) => {
  const { random, model } = scene;
  const currency = pickCurrency(scene);
  return {
    kind: 'report-wallet',
    currency: broken && random.chance(0.4) ? badId(random) : currency.currency,
    balance: broken && random.chance(0.4) ? -1n : drawAmount(scene, currency),
    at:
      broken && random.chance(0.4) ? random.pick([-1, 0.5, model.time * 2]) : model.time - random.below(1000),
  };
};
