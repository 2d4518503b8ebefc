/** Commands about orders: placing, cancelling, reducing, altering, stop orders and the switch. */

import type { Command, Side } from '@bourse/core';
import { badId, badNumber, badText, badWord, breakOrder } from './breakage.ts';
import type { KnownMarket, KnownOco, KnownOrder, KnownStop } from './model.ts';
import { drawOrder, drawPrice, type Fields, isAffordable } from './order-fields.ts';
import type { Random } from '../random.ts';
import { type Draw, pickMarket, pickUser, type Scene, userOr } from './scene.ts';

function order(scene: Scene, broken: boolean, user: number): Fields {
  const fields = affordableOrder(scene, user);
  if (broken) breakOrder(scene.random, scene.model, fields);
  return fields;
}

/** Tries a few times for an order the user can pay; too little money is then one refusal among many. */
function affordableOrder(scene: Scene, user: number): Fields {
  const { random, model } = scene;
  for (let attempt = 0; ; attempt += 1) {
    const market = pickMarket(scene);
    const fields = drawOrder(random, model, market, user);
    if (attempt === 3 || random.chance(0.15) || isAffordable(model, market, user, fields)) return fields;
  }
}

/** Who places an order: often the owner of one it may meet, because self-trades have many rules. */
function pickTrader(scene: Scene): number {
  const { random } = scene;
  return (random.chance(0.2) ? pickOrder(scene)?.user : undefined) ?? pickUser(scene);
}

function single(kind: 'place-order' | 'test-order'): Draw {
  return (scene, broken) => {
    const user = pickTrader(scene);
    const fields = order(scene, broken, user);
    return {
      kind,
      user: userOr(scene, broken && scene.random.chance(0.2), user),
      ...fields,
    } as unknown as Command;
  };
}

export const placeOrder = single('place-order');
export const testOrder = single('test-order');

export const placeOrders: Draw = (scene, broken) => {
  const user = pickTrader(scene);
  const count = scene.random.range(0, 5);
  const orders = Array.from({ length: count }, () => order(scene, broken && scene.random.chance(0.5), user));
  const command = { kind: 'place-orders', user: userOr(scene, broken, user), orders };
  return command as unknown as Command;
};

export const placeStopOrder: Draw = (scene, broken) => {
  const { random } = scene;
  const user = pickUser(scene);
  const fields = order(scene, broken && random.chance(0.6), user);
  const market = scene.model.markets[Number(fields['symbol'])] ?? pickMarket(scene);
  const stop = random.chance(0.5) ? 'loss' : 'entry';
  fields['stop'] = stop;
  fields['stopPrice'] = stopPrice(random, market, stop);
  if (broken && random.chance(0.4)) {
    if (random.chance(0.3)) fields['stop'] = badWord(random);
    else fields['stopPrice'] = badNumber(random, fields['stopPrice'], market.tick);
  }
  return { kind: 'place-stop-order', user: userOr(scene, broken, user), ...fields } as unknown as Command;
};

/** A limit order with a stop order on the other side of the market, near enough to be reached. */
export const placeOcoOrder: Draw = (scene, broken) => {
  const { random, model } = scene;
  const user = pickTrader(scene);
  const drawn = affordableOrder(scene, user);
  const market = model.markets[Number(drawn['symbol'])] as KnownMarket;
  const { symbol, side, size = market.plan.lot, clientId } = drawn;
  const isBuy = side === 'buy';
  const price = drawPrice(random, market, side as Side, random.chance(0.9));
  const stop = stopPrice(random, market, isBuy ? 'entry' : 'loss');
  const isApart = isBuy ? stop > price : stop < price;
  const away = Math.max(market.tick, price + (isBuy ? 1 : -1) * random.range(1, 3) * market.plan.step);
  const fields: Fields = { symbol, side, price, size, stopPrice: isApart ? stop : away };
  fields['limitPrice'] = random.pick([fields['stopPrice'], drawPrice(random, market, side as Side, false)]);
  if (clientId !== undefined) fields['clientId'] = clientId;
  if (random.chance(0.05)) Object.assign(fields, { tags: 'pair', remark: 'one or other' });
  if (broken) breakOco(scene, fields, market);
  return { kind: 'place-oco-order', user: userOr(scene, broken, user), ...fields } as unknown as Command;
};

function breakOco({ random }: Scene, fields: Fields, market: KnownMarket): void {
  const [field, value] = random.pick<[string, unknown]>([
    ['price', badNumber(random, fields['price'], market.tick)],
    ['size', badNumber(random, fields['size'], market.increment)],
    ['stopPrice', badNumber(random, fields['stopPrice'], market.tick)],
    ['stopPrice', fields['price']],
    ['limitPrice', badNumber(random, fields['limitPrice'], market.tick)],
    ['side', badWord(random)],
    ['symbol', badId(random)],
    ['clientId', badText(random, 40)],
    ['tags', badText(random, 20)],
    ['remark', badText(random, 20)],
  ]);
  fields[field] = value;
  if (random.chance(0.2)) fields['limitPrice'] = badNumber(random, fields['limitPrice'], market.tick);
}

export const cancelOcoOrder: Draw = (scene, broken) => {
  const { random, model } = scene;
  const known = model.ocos.length > 0 ? random.pick(model.ocos) : undefined;
  const { user, symbol, oco: id, clientId } = known ?? { user: 0, symbol: 0, oco: 1, clientId: '' };
  return {
    kind: 'cancel-oco-order',
    ...orderName(scene, broken, { user, symbol, id, clientId }),
  } as unknown as Command;
};

/** Mostly on the side where it stays pending, so that a later trade or another stop order triggers it. */
function stopPrice(random: Random, market: KnownMarket, stop: 'loss' | 'entry'): number {
  const drawn = drawPrice(random, market, random.chance(0.5) ? 'buy' : 'sell', false);
  const isMet = market.last > 0 && (stop === 'loss' ? market.last <= drawn : market.last >= drawn);
  if (!isMet || random.chance(0.2)) return drawn;
  const away = random.range(1, 3) * market.plan.step * (stop === 'loss' ? -1 : 1);
  const price = Math.floor((market.last + away) / market.tick) * market.tick;
  return price > 0 ? price : market.tick;
}

function pickOrder(scene: Scene): KnownOrder | undefined {
  const busy = scene.model.markets.filter((market) => market.orders.length > 0);
  return busy.length === 0 ? undefined : scene.random.pick(scene.random.pick(busy).orders);
}

/** Names an active order by its id or the client's; when broken: foreign, old, doubly, not at all. */
function orderName(
  scene: Scene,
  broken: boolean,
  known: { user: number; symbol: number; id: number; clientId: string },
): Fields {
  const { random, model } = scene;
  const name: Fields = { user: known.user, symbol: known.symbol };
  if (known.clientId !== '' && random.chance(0.6)) name['clientId'] = known.clientId;
  else name['order'] = known.id;
  if (!broken) return name;
  switch (random.below(9)) {
    case 0:
      name['user'] = random.chance(0.3) ? badId(random) : pickUser(scene);
      break;
    case 1:
      name['symbol'] = random.chance(0.4) ? badId(random) : random.below(model.markets.length);
      break;
    case 2:
      delete name['clientId'];
      name['order'] = random.pick([...model.oldIds, ...model.stops.map((stop) => stop.stopOrder), 0]);
      break;
    case 3:
      name['order'] = known.id;
      name['clientId'] = 'twice';
      break;
    case 4:
      delete name['order'];
      delete name['clientId'];
      break;
    case 5:
      delete name['order'];
      name['clientId'] = random.pick([
        ...model.clientIds.map((used) => used.clientId),
        'nobody',
        badText(random, 40),
      ]);
      break;
    case 6:
      delete name['clientId'];
      name['order'] = badId(random);
      break;
  }
  return name;
}

function named(
  scene: Scene,
  broken: boolean,
  known = pickOrder(scene),
): { known: KnownOrder | undefined; name: Fields } {
  const {
    user,
    symbol,
    order: id,
    clientId,
  } = known ?? { user: pickUser(scene), symbol: 0, order: 1, clientId: '' };
  const name = orderName(scene, broken, { user, symbol, id, clientId });
  // Some names include the order's time, and some of those are wrong.
  if (known && scene.random.chance(0.2)) {
    name['createdSec'] = Math.floor(known.createdAt / 1000) + (scene.random.chance(0.2) ? 1 : 0);
  }
  return { known, name };
}

/** Mostly one that has not traded, like most cancelled orders. */
function pickUntouched(scene: Scene): KnownOrder | undefined {
  for (let attempt = 0; ; attempt += 1) {
    const known = pickOrder(scene);
    if (attempt === 2 || !known || known.dealSize === 0) return known;
  }
}

export const cancelOrder: Draw = (scene, broken) =>
  ({ kind: 'cancel-order', ...named(scene, broken, pickUntouched(scene)).name }) as unknown as Command;

export const cancelStopOrder: Draw = (scene, broken) => {
  const { random, model } = scene;
  const stop = model.stops.length > 0 ? random.pick(model.stops) : undefined;
  const {
    user,
    symbol,
    stopOrder: id,
    clientId,
  } = stop ?? { user: 0, symbol: 0, stopOrder: 1, clientId: '' };
  return {
    kind: 'cancel-stop-order',
    ...orderName(scene, broken, { user, symbol, id, clientId }),
  } as unknown as Command;
};

export const cancelOrders: Draw = (scene, broken) => {
  const user = userOr(scene, broken, pickOrder(scene)?.user ?? pickUser(scene));
  if (scene.random.chance(0.5)) return { kind: 'cancel-orders', user };
  const symbol = broken ? badId(scene.random) : pickMarket(scene).symbol;
  return { kind: 'cancel-orders', user, symbol };
};

export const cancelForOthers: Draw = (scene, broken) => {
  const { random, model } = scene;
  const stop = random.pick([undefined, ...model.stops, ...model.ocos]);
  const known = stop ?? pickOrder(scene);
  const user = userOr(scene, broken, known?.user ?? pickUser(scene));
  const symbol = broken && random.chance(0.5) ? badId(random) : (known?.symbol ?? pickMarket(scene).symbol);
  const kind = 'cancel-for-others';
  if (random.chance(0.1)) return { kind, symbol };
  if (random.chance(0.3)) return { kind, user };
  if (random.chance(0.3)) return { kind, user, symbol };
  const id = idOf(known) ?? 1;
  if (!broken || random.chance(0.5)) return { kind, user, symbol, order: id };
  return random.pick<Command>([
    { kind },
    { kind, order: id },
    { kind, user, order: id },
    { kind, symbol, order: id },
    { kind, user: pickUser(scene), symbol, order: id },
    { kind, user, symbol, order: random.pick([...model.oldIds, badId(random)]) },
  ]);
};

function idOf(known: KnownStop | KnownOco | KnownOrder | undefined): number | undefined {
  if (known === undefined) return undefined;
  if ('stopOrder' in known) return known.stopOrder;
  return 'oco' in known ? known.oco : known.order;
}

export const reduceOrder: Draw = (scene, broken) => {
  const { random, model } = scene;
  const { known, name } = named(scene, broken && random.chance(0.5));
  const increment = known === undefined ? 1 : (model.markets[known.symbol] as KnownMarket).increment;
  const most = known === undefined ? 1 : Math.max(1, Math.floor(known.remaining / increment));
  let size =
    random.pick([1, random.range(1, most), random.range(1, most), random.chance(0.4) ? most : 1]) * increment;
  if (broken) size = random.pick([size, badNumber(random, size, increment), (most + 1) * increment]);
  return { kind: 'reduce-order', ...name, size } as unknown as Command;
};

export const alterOrder: Draw = (scene, broken) => {
  const { random, model } = scene;
  const { known, name } = named(scene, broken && random.chance(0.4));
  const fields: Fields = { kind: 'alter-order', ...name };
  const market = model.markets[known?.symbol ?? 0] as KnownMarket;
  const side: Side = known?.side ?? 'buy';
  const which = random.below(3);
  if (which !== 0) fields['newPrice'] = drawPrice(random, market, side, random.chance(market.plan.patience));
  if (which !== 1) fields['newSize'] = alteredSize(random, market, known);
  if (!broken) return fields as unknown as Command;
  if (random.chance(0.2)) {
    delete fields['newPrice'];
    delete fields['newSize'];
  } else if (random.chance(0.5)) fields['newPrice'] = badNumber(random, fields['newPrice'], market.tick);
  else fields['newSize'] = badNumber(random, fields['newSize'], market.increment);
  return fields as unknown as Command;
};

function alteredSize(random: Random, market: KnownMarket, known: KnownOrder | undefined): number {
  const { dealSize, remaining } = known ?? { dealSize: 0, remaining: market.plan.lot };
  const lots = random.range(1, 6) * market.plan.lot;
  const size = random.pick([
    dealSize,
    dealSize - market.increment,
    dealSize + lots,
    dealSize + lots,
    dealSize + Math.max(1, Math.floor(remaining / 2 / market.increment)) * market.increment,
    dealSize + remaining + market.increment,
    // Much smaller: an iceberg's visible size must be cut; much larger: it must be raised.
    dealSize + market.increment,
    dealSize + lots * 8,
  ]);
  return size > 0 ? size : market.increment;
}

export const setSwitch: Draw = (scene, broken) => {
  const { random, model } = scene;
  const all = random.shuffle(model.listedMarkets.map((market) => market.symbol));
  let symbols = random.chance(0.4) ? [] : all.slice(0, random.range(1, all.length));
  let timeoutSec = random.pick([-1, 5, 5, 6, 10, random.range(5, 600), 86_400]);
  if (broken) {
    if (random.chance(0.5)) timeoutSec = random.pick([0, 4, -2, 5.5, Number.NaN, 86_401]);
    else symbols = [...symbols, badId(random)];
  }
  return { kind: 'set-switch', user: userOr(scene, broken, pickUser(scene)), timeoutSec, symbols };
};
