/** Commands about withdrawal limits, address rules and wallet balances. */

import type { Command } from '@bourse/core';
import { badId, badText, badWord } from './breakage.ts';
import type { Fields } from './order-fields.ts';
import { type Draw, drawAmount, pickCurrency, pickUser } from './scene.ts';

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
