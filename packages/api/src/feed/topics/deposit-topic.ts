/** Every change of a user's deposits: reported, questionnaire submitted, rejected, credited. */

import type { DepositSet } from '@bourse/core';
import { markedId } from '../../gateway/ids.ts';
import { depositAmounts, depositStatus } from '../../gateway/money/deposit-status.ts';
import type { Services } from '../../gateway/services.ts';
import type { Channels } from '../channels.ts';

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
