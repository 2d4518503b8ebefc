/**
 * Names and terms at hand: what requests call by code, the core by number. Built from the exchange at the start, kept
 * by its events; looked at on every request, so without waiting.
 */

import {
  type Currency,
  DEFAULT_RATES,
  type MarketEvent,
  type Exchange,
  type FeeRule,
  type Key,
  type Rates,
  type SymbolSet,
  type User,
} from '@bourse/core';
import type { ExchangePort, Published } from '../engine/exchange-port.ts';

const ANY = -1;
const MASTER = -1;

export class Catalogue {
  private readonly symbolList: SymbolSet[] = [];
  private readonly symbolsByCode = new Map<string, SymbolSet>();
  private readonly currencyList: Currency[] = [];
  private readonly currenciesByCode = new Map<string, Currency>();
  private readonly keysByName = new Map<string, Key>();
  private readonly userList: User[] = [];
  private readonly feeRules = new Map<string, Rates>();

  constructor(exchange: Exchange) {
    const { reference } = exchange;
    for (const symbol of reference.symbols()) this.setSymbol(symbol);
    for (const currency of reference.currencies) this.setCurrency(currency);
    for (const key of reference.keys()) this.keysByName.set(key.key, key);
    for (const user of reference.users) this.userList[user.number] = user;
    for (const rule of reference.feeRules()) this.setFees(rule);
  }

  /** As the exchange stands, and from then on with every record. */
  static follow(port: ExchangePort): Promise<Catalogue> {
    return port.read((exchange) => {
      const catalogue = new Catalogue(exchange);
      port.subscribe((published, now) => catalogue.take(published, now));
      return catalogue;
    });
  }

  symbol(code: string): SymbolSet | undefined {
    return this.symbolsByCode.get(code);
  }

  symbolAt(number: number): SymbolSet {
    return this.symbolList[number];
  }

  symbols(): readonly SymbolSet[] {
    return this.symbolList;
  }

  currency(code: string): Currency | undefined {
    return this.currenciesByCode.get(code);
  }

  currencyAt(number: number): Currency {
    return this.currencyList[number];
  }

  currencies(): readonly Currency[] {
    return this.currencyList;
  }

  key(name: string): Key | undefined {
    return this.keysByName.get(name);
  }

  keys(): readonly Key[] {
    return [...this.keysByName.values()];
  }

  user(number: number): User | undefined {
    return this.userList[number];
  }

  users(): readonly User[] {
    return this.userList;
  }

  /** The user's fee rates in the symbol, in 10^-8; for -1 the general ones. A sub-account has its master's. */
  rates(user: number, symbol: number): Rates {
    const parent = user === ANY ? MASTER : this.userList[user].parent;
    const master = parent === MASTER ? user : parent;
    const rates =
      this.feeRules.get(feeKey(master, symbol)) ??
      this.feeRules.get(feeKey(master, ANY)) ??
      this.feeRules.get(feeKey(ANY, symbol)) ??
      this.feeRules.get(feeKey(ANY, ANY));
    return rates ?? DEFAULT_RATES;
  }

  /** To be called for each record. */
  take({ marketEvents }: Published, exchange: Exchange): void {
    for (let i = 0; i < marketEvents.length; i++) this.takeEvent(marketEvents[i], exchange);
  }

  private takeEvent(event: MarketEvent, { reference }: Exchange): void {
    switch (event.kind) {
      case 'symbol-set':
        this.setSymbol(event);
        return;
      case 'currency-set':
        this.setCurrency(reference.currencies[event.currency]);
        return;
      case 'fees-set':
        this.setFees(event);
        return;
      case 'user-added':
      case 'user-changed':
        this.userList[event.user] = reference.users[event.user];
        return;
      case 'key-set': {
        // The event never carries the secret. A key that the same record removes is gone by now.
        const key = reference.key(event.key);
        if (key) this.keysByName.set(event.key, key);
        return;
      }
      case 'key-removed':
        this.keysByName.delete(event.key);
    }
  }

  private setSymbol(symbol: SymbolSet): void {
    this.symbolList[symbol.symbol] = symbol;
    this.symbolsByCode.set(symbol.code, symbol);
  }

  private setCurrency(currency: Currency): void {
    this.currencyList[currency.number] = currency;
    this.currenciesByCode.set(currency.code, currency);
  }

  private setFees({ user, symbol, maker, taker }: FeeRule): void {
    this.feeRules.set(feeKey(user, symbol), { maker, taker });
  }
}

const feeKey = (user: number, symbol: number): string => `${user} ${symbol}`;
