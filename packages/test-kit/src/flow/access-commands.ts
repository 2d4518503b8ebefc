/** Commands about users: their keys and their deposit addresses. */

import type { Command, Permission } from '@bourse/core';
import type { Random } from '../random.ts';
import { badId, badNumber, badText, badWord } from './breakage.ts';
import type { Fields } from './order-fields.ts';
import { type Draw, pickCurrency, pickUser, type Scene } from './scene.ts';

/** Above this, new users are rejected because of a taken name. Closed users do not count. */
const USERS_MAX = 12;

export const addUser: Draw = (scene, broken) => {
  const { random, model } = scene;
  const isFull = model.users.filter(({ closed }) => !closed).length >= USERS_MAX;
  const fields: Fields = {
    kind: 'add-user',
    name: isFull ? random.pick(model.users).name : `u${random.bits().toString(36)}`,
  };
  if (random.chance(0.5))
    fields['parent'] = random.pick(model.users.filter((known) => known.parent < 0)).user;
  if (random.chance(0.3)) fields['note'] = 'n'.repeat(random.pick([0, 1, 255, broken ? 256 : 20]));
  if (random.chance(0.3)) fields['sender'] = drawSender(scene, fields['parent'] as number | undefined);
  if (broken && random.chance(0.5)) fields['parent'] = random.pick([badId(random), pickUser(scene)]);
  else if (broken)
    fields['name'] = isFull ? '' : random.pick([badText(random, 64), random.pick(model.users).name]);
  return fields as unknown as Command;
};

/** Usually the user whom the gateway would have let through. */
function drawSender(scene: Scene, usual: number | undefined): number {
  const { random } = scene;
  if (random.chance(0.1)) return badId(random);
  return usual === undefined || random.chance(0.2) ? pickUser(scene) : usual;
}

const masterOf = ({ model }: Scene, user: number): number | undefined =>
  model.users.find((known) => known.user === user)?.parent;

export const changeUser: Draw = (scene, broken) => {
  const { random } = scene;
  const fields: Fields = {
    kind: 'change-user',
    user: broken && random.chance(0.4) ? badId(random) : pickUser(scene),
  };
  if (random.chance(0.5)) fields['tier'] = random.range(0, 12);
  if (random.chance(0.6)) fields['frozen'] = random.chance(0.7);
  if (broken && random.chance(0.7)) fields['tier'] = random.pick([-1, 13, 0.5, Number.NaN, 12]);
  return fields as unknown as Command;
};

export const freezeUser: Draw = (scene, broken) => {
  const { random } = scene;
  const level = random.pick(['trading', 'withdrawals', 'withdrawals', 'all'] as const);
  return {
    kind: 'freeze-user',
    user: broken && random.chance(0.5) ? badId(random) : pickUser(scene),
    level: broken && random.chance(0.5) ? (badWord(random) as 'all') : level,
    withSubAccounts: random.chance(0.6),
  };
};

export const unfreezeUser: Draw = (scene, broken) => {
  const { random, model } = scene;
  const frozen = model.users.filter((known) => known.frozen);
  const user = frozen.length > 0 && random.chance(0.8) ? random.pick(frozen).user : pickUser(scene);
  return {
    kind: 'unfreeze-user',
    user: broken ? badId(random) : user,
    withSubAccounts: random.chance(0.5),
  };
};

/** Most users have money, so search for one without. */
export const closeUser: Draw = (scene, broken) => {
  const { random, model } = scene;
  const poor = model.users.filter(
    ({ user, closed }) =>
      !closed &&
      model.currencies.every(({ currency }) =>
        (['main', 'trade'] as const).every((account) => model.available(user, account, currency) === 0n),
      ),
  );
  const user = poor.length > 0 && random.chance(0.8) ? random.pick(poor).user : pickUser(scene);
  return { kind: 'close-user', user: broken && random.chance(0.4) ? badId(random) : user };
};

export const addUserNote: Draw = (scene, broken) => {
  const { random } = scene;
  return {
    kind: 'add-user-note',
    user: broken && random.chance(0.5) ? badId(random) : pickUser(scene),
    text: 'ö'.repeat(broken ? random.pick([0, 1001]) : random.pick([1, 1000])),
  };
};

/** Frozen users are unfrozen again: a world of frozen users would not trade. */
export function thaw({ random, model }: Scene): Command | undefined {
  const frozen = model.users.filter((known) => known.frozen && !known.closed);
  if (frozen.length === 0) return undefined;
  return { kind: 'change-user', user: random.pick(frozen).user, frozen: false };
}

function drawPermissions(random: Random): Permission[] {
  const all: Permission[] = ['general', 'spot', 'flex-transfers', 'withdrawal'];
  return random.shuffle(all).slice(0, random.range(0, 4));
}

export const addKey: Draw = (scene, broken) => {
  const { random, model } = scene;
  const fields: Fields = {
    kind: 'add-key',
    user: pickUser(scene),
    key: `k${random.bits().toString(36)}`,
    version: random.range(2, 3),
    permissions: drawPermissions(random),
    ipAllowList: random.pick([[], ['10.0.0.1'], ['::1', '127.0.0.1']]),
    secret: 'secret',
  };
  if (random.chance(0.3)) fields['note'] = 'n'.repeat(random.pick([0, 1, 255, broken ? 256 : 20]));
  if (random.chance(0.3)) fields['sender'] = drawSender(scene, masterOf(scene, fields['user'] as number));
  if (model.keys.length > 12 || (model.keys.length > 0 && random.chance(0.1)))
    fields['key'] = random.pick(model.keys);
  if (!broken) return fields as unknown as Command;
  const [field, value] = random.pick<[string, unknown]>([
    ['user', badId(random)],
    ['key', badText(random, 64)],
    ['key', random.pick([...model.keys, 'key0'])],
    ['secret', badText(random, 1024)],
    ['version', badNumber(random, 2, 1)],
    ['permissions', ['general', badWord(random)]],
    ['ipAllowList', random.pick([Array.from({ length: 21 }, () => '::1'), [badText(random, 64)]])],
  ]);
  fields[field] = value;
  return fields as unknown as Command;
};

export const changeKey: Draw = (scene, broken) => {
  const { random, model } = scene;
  const fields: Fields = { kind: 'change-key', key: random.pick([...model.keys, 'key0']) };
  if (random.chance(0.7)) fields['permissions'] = drawPermissions(random);
  if (random.chance(0.5)) fields['ipAllowList'] = ['192.168.0.1'];
  if (random.chance(0.2)) fields['sender'] = drawSender(scene, undefined);
  if (random.chance(0.3)) fields['note'] = 'n'.repeat(random.pick([0, 1, 255, broken ? 256 : 20]));
  if (broken) {
    const [field, value] = random.pick<[string, unknown]>([
      ['key', random.pick(['nobody', badText(random, 64)])],
      ['permissions', [badWord(random)]],
      ['ipAllowList', [badText(random, 64)]],
    ]);
    fields[field] = value;
  }
  return fields as unknown as Command;
};

export const removeKey: Draw = (scene, broken) => {
  const key = broken ? 'nobody' : scene.random.pick([...scene.model.keys, 'key0']);
  const sender = scene.random.chance(0.2) ? { sender: drawSender(scene, undefined) } : {};
  return { kind: 'remove-key', key, ...sender };
};

/** Few addresses, so that several users request the same. */
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
