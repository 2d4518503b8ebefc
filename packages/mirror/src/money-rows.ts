/** Deposits, questionnaires, withdrawals and deposit addresses as rows of the mirror: each in its state after the last record of a batch. */

import {
  type Address,
  type Deposit,
  type Event,
  type Exchange,
  formatUnits,
  type Questionnaire,
  type Withdrawal,
} from '@bourse/core';

type Table = 'addresses' | 'deposits' | 'questionnaires' | 'withdrawals';

export class MoneyRows {
  readonly #exchange: Exchange;
  readonly #rows: Readonly<Record<Table, Map<number | string, Row>>> = {
    addresses: new Map(),
    deposits: new Map(),
    questionnaires: new Map(),
    withdrawals: new Map(),
  };

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get count(): number {
    const { addresses, deposits, questionnaires, withdrawals } = this.#rows;
    return addresses.size + deposits.size + questionnaires.size + withdrawals.size;
  }

  add(event: Event, time: number): void {
    if (event.kind === 'deposit-set') this.#deposit(event, time);
    else if (event.kind === 'questionnaire-set') this.#questionnaire(event, time);
    else if (event.kind === 'withdrawal-set') this.#withdrawal(event, time);
    else if (event.kind === 'address-set') this.#address(event, time);
  }

  rows(): readonly (readonly [Table, readonly Row[]])[] {
    const { addresses, deposits, questionnaires, withdrawals } = this.#rows;
    return [
      ['addresses', [...addresses.values()]],
      ['deposits', [...deposits.values()]],
      ['questionnaires', [...questionnaires.values()]],
      ['withdrawals', [...withdrawals.values()]],
    ];
  }

  /** The first time counts as its creation; the table keeps an existing one. */
  #put(table: Table, id: number | string, row: Row, time: number): void {
    const before = this.#rows[table].get(id);
    const created_at = before ? before['created_at'] : isoTime(time);
    this.#rows[table].set(id, { ...row, created_at, updated_at: isoTime(time) });
  }

  #address({ user, currency, chain, address, memo }: Address, time: number): void {
    const { code } = this.#exchange.reference.currencies[currency];
    const row = { user_id: user, currency: code, chain, address, memo: memo || null };
    this.#put('addresses', `${user} ${code} ${chain}`, row, time);
  }

  #deposit(deposit: Deposit, time: number): void {
    const { deposit: id, user, currency, chain, amount, fee = 0n, txId, state, travelRuleId } = deposit;
    const { code, scale } = this.#exchange.reference.currencies[currency];
    const row = {
      deposit_id: id,
      user_id: user,
      currency: code,
      chain,
      amount: formatUnits(amount, scale),
      fee: formatUnits(fee, scale),
      tx_id: txId,
      state,
      travel_rule_id: travelRuleId || null,
      failure_code: deposit.failureCode ?? null,
    };
    this.#put('deposits', id, row, time);
  }

  #questionnaire(questionnaire: Questionnaire, time: number): void {
    const { questionnaire: id, travelRuleId, user, senderType, info, state, failureCode } = questionnaire;
    const row = {
      questionnaire_id: id,
      travel_rule_id: travelRuleId,
      user_id: user,
      sender_type: senderType,
      info,
      state,
      failure_code: failureCode || null,
    };
    this.#put('questionnaires', id, row, time);
  }

  #withdrawal(withdrawal: Withdrawal, time: number): void {
    const { withdrawal: id, user, currency, chain, amount, fee, address, memo, note, state } = withdrawal;
    const { claimedBy, claimedAt, txId, failureReason } = withdrawal;
    const { code, scale } = this.#exchange.reference.currencies[currency];
    const row = {
      withdrawal_id: id,
      user_id: user,
      currency: code,
      chain,
      amount: formatUnits(amount, scale),
      fee: formatUnits(fee, scale),
      address,
      memo: memo || null,
      remark: note ?? null,
      state,
      claimed_by: claimedBy ?? null,
      claimed_at: claimedAt === undefined ? null : isoTime(claimedAt),
      tx_id: txId ?? null,
      failure_reason: failureReason ?? null,
    };
    this.#put('withdrawals', id, row, time);
  }
}

/** A row of a table, by column, and times as PostgreSQL reads them. */
export type Row = Readonly<Record<string, unknown>>;

export const isoTime = (ms: number): string => new Date(ms).toISOString();
