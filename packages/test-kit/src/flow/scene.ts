/** The state from which commands are drawn, and choices they share. */

import type { Command, Once } from '@bourse/core';
import { badId } from './breakage.ts';
import type { KnownCurrency, KnownMarket, Model } from './model.ts';
import type { Random } from '../random.ts';
import type { MarketPlan } from './world.ts';

export interface Scene {
  readonly random: Random;
  readonly model: Model;
  /** For symbols added later. */
  readonly plans: Map<string, MarketPlan>;
  /** Requests with an idempotency key, to be repeated exactly or with a difference. */
  readonly deposits: Command[];
  readonly transfers: Command[];
  readonly onceIds: Once[];
}

/** Draws one command; `broken` asks for something wrong with it. */
export type Draw = (scene: Scene, broken: boolean) => Command;

export function pickUser(scene: Scene): number {
  return scene.random.below(scene.model.users.length);
}

/** The user; rarely one that does not exist. */
export function userOr(scene: Scene, broken: boolean, user: number): number {
  return broken && scene.random.chance(0.15) ? badId(scene.random) : user;
}

export function pickMarket({ random, model }: Scene): KnownMarket {
  // Half of all goes to one market, which is busy then.
  const markets = model.listedMarkets;
  const market = random.chance(0.5) ? (markets[0] as KnownMarket) : random.pick(markets);
  const takesOrders = market.state === 'open' || market.state === 'auction' || market.state === 'post-only';
  const isOpen = takesOrders && market.terms.enableTrading;
  return isOpen || random.chance(0.1) ? market : random.pick(markets);
}

export function pickCurrency({ random, model }: Scene): KnownCurrency {
  return random.pick(model.listedCurrencies);
}

/** An amount worth a few orders in some market of the currency. */
export function drawAmount(scene: Scene, currency: KnownCurrency): bigint {
  const { random, model } = scene;
  const markets = model.listedMarkets.filter(
    (market) => market.base === currency.currency || market.quote === currency.currency,
  );
  let worth = markets.length > 0 ? 1n : 1000n;
  for (const { plan, base, sizeFactor } of markets) {
    const lot = BigInt(plan.lot) * (base === currency.currency ? sizeFactor : BigInt(plan.center));
    // Markets differ in size by far: enough for the largest, now and then only for a smaller one.
    if (lot > worth && !random.chance(0.15)) worth = lot;
  }
  const steps = (worth * BigInt(random.range(4, 80))) / currency.step;
  return (steps + 1n) * currency.step;
}
