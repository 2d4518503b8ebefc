/** The orders of one step. An order is dropped if its agent cannot pay for it and its earlier orders of the step. */

import type { Command, Exchange, Side } from '@bourse/core';
import type { LivingSymbol } from './symbol.ts';

/** Not a currency's number. */
const CURRENCIES_END = 2 ** 20;
/** A buyer holds the fee too; nobody pays more than a hundredth. */
const FEE_SHARE = 100n;

const KINDS = {
  ordinary: {},
  immediate: { timeInForce: 'IOC' },
  'post-only': { postOnly: true },
} as const;

export class StepOrders {
  readonly commands: Command[] = [];
  readonly #exchange: Exchange;
  /** The remaining budget, by user and currency. */
  readonly #left = new Map<number, bigint>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** False if the agent cannot pay, or the order would be below the minimum. */
  limit(
    user: number,
    symbol: LivingSymbol,
    side: Side,
    price: number,
    size: number,
    kind: 'ordinary' | 'immediate' | 'post-only' = 'ordinary',
  ): boolean {
    if (!symbol.isWorthwhile(price, size) || !this.#spend(user, symbol, side, price, size)) return false;
    const order = { symbol: symbol.number, type: 'limit', side, price, size, ...KINDS[kind] } as const;
    this.commands.push({ kind: 'place-order', user, ...order });
    return true;
  }

  /** `price`: the expected price, which the agent must be able to pay. */
  market(user: number, symbol: LivingSymbol, side: Side, price: number, size: number): boolean {
    if (!symbol.isWorthwhile(price, size) || !this.#spend(user, symbol, side, price, size)) return false;
    this.commands.push({ kind: 'place-order', user, symbol: symbol.number, type: 'market', side, size });
    return true;
  }

  cancel(user: number, symbol: LivingSymbol, order: number): void {
    this.commands.push({ kind: 'cancel-order', user, symbol: symbol.number, order });
  }

  reduce(user: number, symbol: LivingSymbol, order: number, size: number): void {
    this.commands.push({ kind: 'reduce-order', user, symbol: symbol.number, order, size });
  }

  #spend(user: number, symbol: LivingSymbol, side: Side, price: number, size: number): boolean {
    const isBuy = side === 'buy';
    const funds = BigInt(price) * BigInt(size);
    const need = isBuy ? funds + funds / FEE_SHARE : BigInt(size) * symbol.baseFactor;
    const currency = isBuy ? symbol.quote : symbol.base;
    const key = user * CURRENCIES_END + currency;
    const left = this.#left.get(key) ?? this.#exchange.balance(user, 'trade', currency).available;
    if (left < need) return false;
    this.#left.set(key, left - need);
    return true;
  }
}
