/** Numbers without gaps: ids of all objects, and trades and book changes per symbol. */

import type { Event } from '@bourse/core';
import { violated } from './violation.ts';

export class NumberingChecker {
  #lastId = 0;
  readonly #trades: number[] = [];
  readonly #bookChanges: number[] = [];
  readonly #deposits = new Set<number>();
  readonly #withdrawals = new Set<number>();

  check(event: Event): void {
    switch (event.kind) {
      case 'order-received':
        this.#next('order', event.order);
        break;
      case 'oco-placed':
        this.#next('OCO order', event.oco);
        break;
      case 'stop-placed':
        this.#next('stop order', event.stopOrder);
        break;
      case 'correction-made':
        this.#next('correction', event.correction);
        break;
      case 'transfer-made':
        this.#next('transfer', event.transfer);
        break;
      case 'withdrawal-set':
        if (this.#withdrawals.has(event.withdrawal)) break;
        this.#withdrawals.add(event.withdrawal);
        this.#next('withdrawal', event.withdrawal);
        break;
      case 'questionnaire-set':
        if (event.state === 'pending') this.#next('questionnaire', event.questionnaire);
        break;
      case 'deposit-set':
        if (this.#deposits.has(event.deposit)) break;
        this.#deposits.add(event.deposit);
        this.#next('deposit', event.deposit);
        if (event.travelRuleId > 0) this.#next('Travel Rule id', event.travelRuleId);
        break;
      case 'trade':
        follows(this.#trades, event.symbol, event.trade, 'trade');
        break;
      case 'book-changed':
        follows(this.#bookChanges, event.symbol, event.sequence, 'book change');
        break;
    }
  }

  #next(what: string, id: number): void {
    this.#lastId += 1;
    if (id !== this.#lastId) violated('ids follow each other', { what, id, expected: this.#lastId });
  }
}

function follows(lasts: number[], symbol: number, number: number, what: string): void {
  const expected = (lasts[symbol] ?? 0) + 1;
  if (number !== expected) violated('numbers without a gap', { what, symbol, number, expected });
  lasts[symbol] = number;
}
