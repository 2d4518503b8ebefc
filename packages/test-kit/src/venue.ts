/**
 * A small exchange in memory: commands in, decoded outcomes and events out, with terms that suit most tests.
 */

import type {
  AddCurrency,
  AddSymbol,
  Chain,
  Command,
  LogRecord,
  OrderRequest,
} from '../../core/src/commands/commands.ts';
import type { Event } from '../../core/src/events/events.ts';
import { Exchange } from '../../core/src/exchange.ts';
import type { FinishedCommand, Outcome } from '../../core/src/commands/outcomes.ts';

export interface Said {
  readonly outcomes: Outcome[];
  readonly events: Event[];
  /** Commands of earlier records. */
  readonly finished: FinishedCommand[];
}

export class Venue {
  readonly exchange: Exchange;
  /** All applied records, so that another exchange can apply them too. */
  readonly records: LogRecord[] = [];
  time: number;
  /** The version of the rules that its records follow; undefined: rules 1. */
  rules: number | undefined;

  constructor(exchange = new Exchange(), time = 1_700_000_000_000) {
    this.exchange = exchange;
    this.time = Math.max(time, exchange.time);
  }

  /** Applies one record with these commands; rejections are outcomes like others. */
  try(...commands: Command[]): Said {
    const { rules } = this;
    const record = {
      seq: this.exchange.seq + 1,
      time: this.time,
      ...(rules === undefined ? {} : { rules }),
      commands,
    };
    this.records.push(record);
    return applyTo(this.exchange, record);
  }

  /** The same, but throws if any command is rejected. */
  do(...commands: Command[]): Said {
    const said = this.try(...commands);
    const refused = said.outcomes.flatMap((outcome, i) =>
      outcome.kind === 'rejected' ? [`${tell(commands[i])} was refused: ${tell(outcome.rejection)}`] : [],
    );
    if (refused.length > 0) throw new Error(refused.join('\n'));
    return said;
  }

  /** The id of the object that the command creates. */
  make(command: Command): number {
    const [outcome] = this.do(command).outcomes;
    if (outcome.kind === 'order') return outcome.order;
    if (outcome.kind === 'added') return outcome.id;
    if (outcome.kind === 'deposit') return outcome.deposit;
    throw new Error(`${outcome.kind} has no id`);
  }

  place(user: number, request: OrderRequest): number {
    return this.make({ kind: 'place-order', user, ...request });
  }

  /** Money for the trade account. */
  fund(user: number, money: number, amount: bigint): void {
    const name = `fund-${this.exchange.seq}-${user}-${money}`;
    const moved = { user, currency: money, amount };
    this.do(
      { kind: 'report-deposit', ...moved, chain: 'net', txId: name, travelRule: false },
      { kind: 'transfer', ...moved, type: 'internal', clientId: name, from: 'main', to: 'trade' },
    );
  }
}

export function applyTo(exchange: Exchange, record: LogRecord): Said {
  const { outcomes, events, finished } = exchange.apply(record);
  return { outcomes: outcomes.decode(), events: events.decode(), finished: [...finished] };
}

/** Exact text of a value, including bigints, with fields in their order. */
export function tell(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));
}

export const CHAIN: Chain = {
  chainId: 'net',
  chainName: 'Network',
  depositMinSize: null,
  depositFeeRate: '',
  withdrawalMinSize: '0',
  withdrawalMinFee: '0',
  withdrawFeeRate: '0.01',
  withdrawMaxFee: '',
  isWithdrawEnabled: true,
  isDepositEnabled: true,
  confirms: 2,
  preConfirms: 1,
  contractAddress: '',
};

export function currency(code: string, precision: number, scale: number): AddCurrency {
  return {
    kind: 'add-currency',
    code,
    precision,
    scale,
    name: code,
    fullName: `The ${code}`,
    confirms: null,
    contractAddress: null,
    isMarginEnabled: false,
    isDebitEnabled: true,
    chains: [CHAIN],
  };
}

/** Sizes in hundredths and prices in tenths, unless said otherwise. */
export function symbol(code: string, base: number, quote: number, terms: Partial<AddSymbol> = {}): AddSymbol {
  return {
    kind: 'add-symbol',
    code,
    base,
    quote,
    name: code,
    market: 'USDS',
    baseIncrement: '0.01',
    baseMinSize: '0.01',
    baseMaxSize: '100000',
    quoteMinSize: '0.1',
    quoteMaxSize: '10000000',
    quoteIncrement: '0.01',
    priceIncrement: '0.1',
    priceLimitRate: '1000',
    minFunds: '0',
    isMarginEnabled: false,
    enableTrading: true,
    ...terms,
  };
}
