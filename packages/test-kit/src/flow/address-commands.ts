/** Commands about deposit addresses: assign, load, request. */

import type { Command } from '@bourse/core';
import { badId, badText } from './breakage.ts';
import type { Fields } from './order-fields.ts';
import { type Draw, pickCurrency, pickUser } from './scene.ts';

/** Few, so that several users want the same. */
const PLACES = 60;

export const addAddress: Draw = (scene, broken) => {
  const { random } = scene;
  const { currency, chains } = pickCurrency(scene);
  const fields: Fields = {
    kind: 'add-address',
    user: pickUser(scene),
    currency,
    chain: random.pick(chains).chainId,
    address: random.chance(0.4) ? `a${random.below(PLACES)}` : `a${random.bits().toString(36)}`,
    memo: random.pick(['', 'memo']),
    ...(random.chance(0.3) && { index: random.below(6) }),
    ...(random.chance(0.2) && { replaces: `a${random.below(PLACES)}` }),
  };
  if (broken) {
    const [field, value] = random.pick<[string, unknown]>([
      ['user', badId(random)],
      ['currency', badId(random)],
      ['chain', 'chain9'],
      ['address', badText(random, 128)],
      ['memo', badText(random, 64)],
    ]);
    fields[field] = value;
  }
  return fields as unknown as Command;
};

export const loadAddresses: Draw = (scene, broken) => {
  const { random } = scene;
  const { chains } = pickCurrency(scene);
  const count = broken ? random.pick([0, 1, 1001]) : random.range(1, 3);
  const address = () =>
    broken && random.chance(0.3)
      ? badText(random, 128)
      : random.pick([`a${random.below(PLACES)}`, `l${random.bits().toString(36)}`]);
  return {
    kind: 'load-addresses',
    chain: broken && random.chance(0.3) ? badText(random, 64) : random.pick(chains).chainId,
    addresses: Array.from({ length: count }, () => ({ address: address(), memo: random.pick(['', 'memo']) })),
  };
};

export const askAddress: Draw = (scene, broken) => {
  const { random } = scene;
  const { currency, chains } = pickCurrency(scene);
  const fields = { user: pickUser(scene), currency, chain: random.pick(chains).chainId };
  if (broken) {
    Object.assign(
      fields,
      random.pick([{ user: badId(random) }, { currency: badId(random) }, { chain: 'chain9' }]),
    );
  }
  return { kind: 'ask-address', ...fields };
};
