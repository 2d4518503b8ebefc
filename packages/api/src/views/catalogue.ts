/**
 * Names and terms of everything that requests name by code and the core by number. Built from the exchange at start
 * and updated from its events; used synchronously by every request.
 */

import {
  type Currency,
  DEFAULT_RATES,
  type MarketEvent,
  type Exchange,
  type FeeRule,
  type Freeze,
  freezeOf,
  type Key,
  type KeyRemoved,
  type Rates,
  type SymbolSet,
  type User,
} from '@bourse/core';
import type { ExchangePort, Published } from '@bourse/engine';

const ANY = -1;
const MASTER = -1;
const TAKE_ORDERS: ReadonlySet<SymbolSet['state']> = new Set(['open', 'post-only', 'auction']);

export class Catalogue {
  /** By number, including removed ones, because history may still contain them. */
  readonly #symbolList: SymbolSet[] = [];
  readonly #symbolsByCode = new Map<string, SymbolSet>();
  #listedSymbols: readonly SymbolSet[] = [];
  readonly #currencyList: Currency[] = [];
  readonly #currenciesByCode = new Map<string, Currency>();
  #listedCurrencies: readonly Currency[] = [];
  readonly #keysByName = new Map<string, Key>();
  /** By user, then by name: one user's keys without reading everybody's. */
  readonly #keysByUser = new Map<number, Map<string, Key>>();
  /** For signing keys, by name. */
  readonly #sessionStarts = new Map<string, number>();
  /** Users of people with roles. */
  readonly #operatorUsers = new Set<number>();
  readonly #userList: User[] = [];
  readonly #feeRules = new Map<string, Rates>();
  /** Whether an operator has paused the exchange. */
  isPaused = false;

  constructor(exchange: Exchange) {
    const { reference, counts } = exchange;
    for (let number = 0; number < counts.symbols; number++) this.#symbolList.push(reference.symbol(number));
    for (const symbol of reference.symbols()) this.#setSymbol(symbol);
    for (const currency of reference.currencies) this.#setCurrency(currency);
    for (const key of reference.keys()) this.#setKey(key, exchange);
    this.#setOperators(exchange);
    for (const user of reference.users) this.#userList[user.number] = user;
    for (const rule of reference.feeRules()) this.#setFees(rule);
    this.isPaused = reference.isPaused;
  }

  /** Starts with the current state and follows every record. */
  static follow(port: ExchangePort): Promise<Catalogue> {
    return port.read((exchange) => {
      const catalogue = new Catalogue(exchange);
      port.subscribe((published, now) => catalogue.apply(published, now));
      return catalogue;
    });
  }

  symbol(code: string): SymbolSet | undefined {
    return this.#symbolsByCode.get(code);
  }

  symbolAt(number: number): SymbolSet {
    return this.#symbolList[number];
  }

  /** Symbols that were not removed. */
  symbols(): readonly SymbolSet[] {
    return this.#listedSymbols;
  }

  /** Whether any kind of order can be placed in it. */
  takesOrders({ enableTrading, state }: SymbolSet): boolean {
    return enableTrading && !this.isPaused && TAKE_ORDERS.has(state);
  }

  currency(code: string): Currency | undefined {
    return this.#currenciesByCode.get(code);
  }

  currencyAt(number: number): Currency {
    return this.#currencyList[number];
  }

  /** Currencies that were not removed. */
  currencies(): readonly Currency[] {
    return this.#listedCurrencies;
  }

  key(name: string): Key | undefined {
    return this.#keysByName.get(name);
  }

  keys(): readonly Key[] {
    return [...this.#keysByName.values()];
  }

  keysOf(user: number): readonly Key[] {
    return [...(this.#keysByUser.get(user)?.values() ?? [])];
  }

  /** When the session of a signing key began; 0 for other keys. */
  sessionCreatedAt(key: string): number {
    return this.#sessionStarts.get(key) ?? 0;
  }

  /** Whether the person who owns the user is an operator. `user`: a master. */
  isOperator(user: number): boolean {
    return this.#operatorUsers.has(user);
  }

  /** Whether the user, or its master with all sub-accounts, is frozen completely. */
  isFrozen(user: User): boolean {
    return freezeOf(user)?.level === 'all' || this.masterFreezeOf(user)?.level === 'all';
  }

  /** The freeze of the master, if it also applies to this sub-account. */
  masterFreezeOf({ parent }: User): Freeze | null {
    const master = this.#userList[parent];
    const freeze = master === undefined ? null : freezeOf(master);
    return freeze?.withSubAccounts ? freeze : null;
  }

  user(number: number): User | undefined {
    return this.#userList[number];
  }

  users(): readonly User[] {
    return this.#userList;
  }

  /**
   * The user's rates in the symbol, in 10^-8; a sub-account has its master's. For -1: the rates of users without
   * their own.
   */
  rates(user: number, symbol: number): Rates {
    const parent = user === ANY ? MASTER : this.#userList[user].parent;
    const master = parent === MASTER ? user : parent;
    const rates =
      this.#feeRules.get(feeKey(master, symbol)) ??
      this.#feeRules.get(feeKey(master, ANY)) ??
      this.#feeRules.get(feeKey(ANY, symbol)) ??
      this.#feeRules.get(feeKey(ANY, ANY));
    return rates ?? DEFAULT_RATES;
  }

  /** Call it for each record. */
  apply({ marketEvents }: Published, exchange: Exchange): void {
    for (let i = 0; i < marketEvents.length; i++) this.#applyEvent(marketEvents[i], exchange);
  }

  #applyEvent(event: MarketEvent, exchange: Exchange): void {
    const { reference } = exchange;
    switch (event.kind) {
      case 'symbol-set':
        this.#setSymbol(event);
        return;
      case 'pause-set':
        this.isPaused = event.isPaused;
        return;
      case 'currency-set':
        this.#setCurrency(reference.currencies[event.currency]);
        return;
      case 'symbol-removed':
        this.#symbolsByCode.delete(event.code);
        this.#listSymbols();
        return;
      case 'currency-removed':
        this.#setCurrency(reference.currencies[event.currency]);
        return;
      case 'fees-set':
        this.#setFees(event);
        return;
      case 'fees-removed':
        this.#feeRules.delete(feeKey(event.user, event.symbol));
        return;
      case 'user-added':
      case 'user-changed':
        this.#userList[event.user] = reference.users[event.user];
        return;
      case 'key-set': {
        // The event never contains the secret. A key removed in the same record no longer exists here.
        const key = reference.key(event.key);
        if (key) this.#setKey(key, exchange);
        return;
      }
      case 'key-removed':
        this.#removeKey(event);
        return;
      case 'person-changed': {
        // A sign-up, or a new address, with which somebody else may be an operator.
        const person = reference.people.get(event.person);
        if (person && reference.operators.ofLogin(person.login)) this.#operatorUsers.add(event.user);
        else this.#operatorUsers.delete(event.user);
        return;
      }
      case 'operators-changed':
        this.#setOperators(exchange);
    }
  }

  #setKey(key: Key, { reference: { people } }: Exchange): void {
    this.#keysByName.set(key.key, key);
    let own = this.#keysByUser.get(key.user);
    if (!own) {
      own = new Map();
      this.#keysByUser.set(key.user, own);
    }
    own.set(key.key, key);
    const session = key.session === undefined ? null : people.session(key.session);
    if (session) this.#sessionStarts.set(key.key, session.createdAt);
  }

  #removeKey({ key, user }: KeyRemoved): void {
    this.#keysByName.delete(key);
    this.#sessionStarts.delete(key);
    const own = this.#keysByUser.get(user);
    own?.delete(key);
    if (own?.size === 0) this.#keysByUser.delete(user);
  }

  #setOperators({ reference: { people, operators } }: Exchange): void {
    this.#operatorUsers.clear();
    for (const { login } of operators.list()) {
      const person = people.ofLogin(login);
      if (person) this.#operatorUsers.add(person.user);
    }
  }

  #setSymbol(symbol: SymbolSet): void {
    this.#symbolList[symbol.symbol] = symbol;
    this.#symbolsByCode.set(symbol.code, symbol);
    this.#listSymbols();
  }

  #listSymbols(): void {
    this.#listedSymbols = this.#symbolList.filter((each) => this.#symbolsByCode.get(each.code) === each);
  }

  #setCurrency(currency: Currency): void {
    this.#currencyList[currency.number] = currency;
    if (!currency.removed) this.#currenciesByCode.set(currency.code, currency);
    else if (this.#currenciesByCode.get(currency.code)?.number === currency.number) {
      this.#currenciesByCode.delete(currency.code);
    }
    this.#listedCurrencies = this.#currencyList.filter(({ removed }) => !removed);
  }

  #setFees({ user, symbol, maker, taker }: FeeRule): void {
    this.#feeRules.set(feeKey(user, symbol), { maker, taker });
  }
}

const feeKey = (user: number, symbol: number): string => `${user} ${symbol}`;
