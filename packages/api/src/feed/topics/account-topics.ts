/** Every posting to a user's accounts. */

import type { AccountType, BalanceCause, BalanceChanged, DepositSet } from '@bourse/core';
import { accountId, markedId, orderId } from '../../gateway/ids.ts';
import { formatMoney } from '../../gateway/decimals.ts';
import type { Services } from '../../gateway/services.ts';
import type { Channels } from '../channels.ts';
import type { RecordOrders } from './record-orders.ts';
import { depositAmounts, depositStatus } from '../../gateway/money/travel-rule.ts';

/** The name of a cause in its own account; elsewhere it is `other`. */
const EVENTS: Readonly<Record<BalanceCause, Partial<Record<AccountType, string>>>> = {
  hold: { trade: 'trade.hold' },
  release: { trade: 'trade.hold' },
  trade: { trade: 'trade.setted' },
  deposit: { main: 'main.deposit' },
  transfer: { main: 'main.transfer', trade: 'trade.transfer' },
  'withdrawal-hold': { main: 'main.withdraw_hold' },
  'withdrawal-release': { main: 'main.withdraw_hold' },
  withdrawal: { main: 'main.withdraw_done' },
  correction: {},
};
/** Decimal digits for a posting's index within its record, so that ids increase. */
const POSTING_DIGITS = 7;

export class BalanceTopic {
  readonly #channels: Channels;
  readonly #services: Services;

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
  }

  /** `at`: the event's index in its record. */
  take(event: BalanceChanged, at: number, orders: RecordOrders): void {
    const channel = event.user < 0 ? undefined : this.#channels.find('/account/balance', event.user);
    if (channel === undefined) return;
    const { user, currency, available, hold } = event;
    const account = event.account as AccountType;
    const { code, scale } = this.#services.catalogue.currencyAt(currency);
    const money = (units: bigint) => formatMoney(units, scale);
    const id = String(orders.seq) + String(at).padStart(POSTING_DIGITS, '0');
    channel.push(
      `{"accountId":"${accountId({ user, type: account, currency })}","currency":${JSON.stringify(code)},` +
        `"total":"${money(available + hold)}","available":"${money(available)}","hold":"${money(hold)}",` +
        `"availableChange":"${money(event.availableChange)}","holdChange":"${money(event.holdChange)}",` +
        `"relationContext":{${this.#contextOf(event, orders)}},` +
        `"relationEvent":"${EVENTS[event.cause][account] ?? `${account}.other`}","relationEventId":"${id}",` +
        `"time":"${orders.time}"}`,
      undefined,
      `"id":"${id}",`,
    );
  }

  #contextOf({ order, trade }: BalanceChanged, orders: RecordOrders): string {
    if (order === 0) return '';
    const { symbol, createdAt } = orders.facts(order);
    const { code } = this.#services.catalogue.symbolAt(symbol);
    const ofTrade = trade === 0 ? '' : `,"tradeId":"${trade}"`;
    return `"symbol":"${code}","orderId":"${orderId(order, createdAt)}"${ofTrade}`;
  }
}

/** Every change of a user's deposits: reported, questionnaire submitted, rejected, credited. */
export class DepositTopic {
  readonly #channels: Channels;
  readonly #services: Services;

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
  }

  take(event: DepositSet, time: number): void {
    const channel = this.#channels.find('/account/deposits', event.user);
    if (channel === undefined) return;
    const { code, scale } = this.#services.catalogue.currencyAt(event.currency);
    channel.push(
      JSON.stringify({
        id: markedId('deposit', event.deposit),
        currency: code,
        chain: event.chain,
        ...depositAmounts(event, scale),
        walletTxId: event.txId,
        ...depositStatus(event),
        time,
      }),
    );
  }
}
