/**
 * Movements that are kept permanently: deposits, because reporting a transaction twice must never credit it twice, and
 * corrections, because each movement may be reversed once.
 */

import type { DecideQuestionnaire, ReportDeposit, SubmitQuestionnaire } from '../commands/commands.ts';
import { reject, type Rejection } from '../commands/rejections.ts';
import type { CorrectionMade, DepositSet, QuestionnaireSet } from '../events/events.ts';
import { AscendingIds, type NewestFirst } from '../tables/ordered.ts';
import { type Amount, AMOUNT_MAX } from '../values/amount.ts';
import { checkLength, checkPrintable, invalidValue } from '../values/checks.ts';

const TX_ID_LENGTH_MAX = 128;
const INFO_LENGTH_MAX = 10_000;
const FAILURE_LENGTH_MAX = 64;

export type Deposit = Omit<DepositSet, 'kind'>;
export type Questionnaire = Omit<QuestionnaireSet, 'kind'>;

/** Whether the deposit is neither credited nor returned. */
export const isOpen = ({ state }: Deposit): boolean => state !== 'done' && state !== 'returned';

/**
 * Deposits and their Travel Rule questionnaires. A questionnaire is `pending` until it is decided: `success` credits the
 * deposit, after `fail` another may be submitted.
 */
export class Deposits {
  readonly #byId = new Map<number, Deposit>();
  readonly #byTxId = new Map<string, number>();
  /** Deposits that a correction reversed, by their txId. */
  readonly #reversed = new Map<string, Set<number>>();
  /** The number of open deposits, by user. */
  readonly #open = new Map<number, number>();
  readonly #byTravelRuleId = new Map<number, number>();
  readonly #questionnaires = new Map<number, Questionnaire>();
  readonly #questionnaireIds = new AscendingIds();
  /** The latest questionnaire of each Travel Rule id. */
  readonly #latest = new Map<number, number>();

  get(id: number): Deposit | null {
    return this.#byId.get(id) ?? null;
  }

  questionnaire(id: number): Questionnaire | null {
    return this.#questionnaires.get(id) ?? null;
  }

  ofTravelRule(travelRuleId: number): Deposit | null {
    return this.get(this.#byTravelRuleId.get(travelRuleId) ?? 0);
  }

  set(deposit: Deposit): void {
    const { deposit: id, user, txId } = deposit;
    const before = this.#byId.get(id);
    const opened = Number(isOpen(deposit)) - Number(before !== undefined && isOpen(before));
    if (opened !== 0) this.#open.set(user, (this.#open.get(user) ?? 0) + opened);
    this.#byId.set(id, deposit);
    const reversed = this.#reversed.get(txId) ?? new Set();
    if (deposit.reversed) {
      this.#reversed.set(txId, reversed.add(id));
      if (this.#byTxId.get(txId) === id) this.#byTxId.delete(txId);
    } else {
      if (reversed.delete(id) && reversed.size === 0) this.#reversed.delete(txId);
      this.#byTxId.set(txId, id);
    }
    if (deposit.travelRuleId > 0) this.#byTravelRuleId.set(deposit.travelRuleId, deposit.deposit);
  }

  /** Ids increase, so the latest is the one set last, even when a snapshot is read in order. */
  setQuestionnaire(questionnaire: Questionnaire): void {
    const { questionnaire: id, travelRuleId } = questionnaire;
    if (!this.#questionnaires.has(id)) this.#questionnaireIds.add(id);
    this.#questionnaires.set(id, questionnaire);
    this.#latest.set(travelRuleId, id);
  }

  /** The deposit already reported with this txId. */
  reported(txId: string): Deposit | null {
    return this.get(this.#byTxId.get(txId) ?? 0);
  }

  /** The reversed deposit that the command reports again: custodians sometimes report a transaction twice. */
  reversed(command: ReportDeposit): Deposit | null {
    const ids = this.#reversed.get(command.txId) ?? [];
    return Array.from(ids, (id) => this.get(id)!).find((each) => isSameDeposit(each, command)) ?? null;
  }

  /** Whether the user has an open deposit. */
  hasOpen(user: number): boolean {
    return (this.#open.get(user) ?? 0) > 0;
  }

  list(): Deposit[] {
    return [...this.#byId.values()].toSorted((a, b) => a.deposit - b.deposit);
  }

  listQuestionnaires(): Questionnaire[] {
    return this.#questionnaireIds.all.map((id) => this.#questionnaires.get(id) as Questionnaire);
  }

  newestQuestionnaires(part: NewestFirst): Questionnaire[] {
    return this.#questionnaireIds.newest(part).map((id) => this.#questionnaires.get(id) as Questionnaire);
  }

  checkSubmit(command: SubmitQuestionnaire): Rejection | null {
    const { user, travelRuleId, senderType, info } = command;
    const refused = checkLength('info', info, 1, INFO_LENGTH_MAX);
    if (refused) return refused;
    if (senderType !== 'individual' && senderType !== 'company') {
      return invalidValue('senderType', senderType, 'individual or company');
    }
    if (this.ofTravelRule(travelRuleId)?.user !== user) return reject('deposit-unknown', { travelRuleId });
    const latest = this.questionnaire(this.#latest.get(travelRuleId) ?? 0);
    if (this.ofTravelRule(travelRuleId)?.state === 'returned') {
      const questionnaire = latest?.questionnaire ?? 0;
      return reject('questionnaire-closed', { questionnaire, state: 'returned' });
    }
    if (!latest || latest.state === 'fail') return null;
    return reject('questionnaire-closed', { questionnaire: latest.questionnaire, state: latest.state });
  }

  checkDecision(command: DecideQuestionnaire): Rejection | null {
    const { questionnaire, accepted, failureCode } = command;
    const refused = checkPrintable('failureCode', failureCode, accepted ? 0 : 1, FAILURE_LENGTH_MAX);
    if (refused) return refused;
    const found = this.questionnaire(questionnaire);
    if (!found) return reject('questionnaire-unknown', { questionnaire });
    return found.state === 'pending'
      ? null
      : reject('questionnaire-closed', { questionnaire, state: found.state });
  }
}

export function checkTxId(txId: string): Rejection | null {
  return checkPrintable('txId', txId, 1, TX_ID_LENGTH_MAX);
}

/** Whether the command reports the same transaction again. */
export function isSameDeposit(deposit: Deposit, command: ReportDeposit): boolean {
  return (
    deposit.user === command.user &&
    deposit.currency === command.currency &&
    deposit.chain === command.chain &&
    deposit.amount === command.amount &&
    deposit.travelRuleId > 0 === command.travelRule
  );
}

/** The negated `outside` balance is the total of the currency. */
export function checkTotal(outside: Amount, amount: bigint): Rejection | null {
  const max = AMOUNT_MAX + outside.toBigInt();
  return amount <= max ? null : reject('amount-above-max', { value: amount, max });
}

export type Correction = Omit<CorrectionMade, 'kind'>;

/** New postings that reverse earlier ones or move money; existing postings are never edited. */
export class Corrections {
  readonly #byId = new Map<number, Correction>();
  readonly #ids = new AscendingIds();
  /** The correction that reversed a deposit, withdrawal or correction, by its id; ids are unique across the three. */
  readonly #reversals = new Map<number, number>();
  readonly #byClientId = new Map<string, Correction>();

  get count(): number {
    return this.#ids.count;
  }

  get(id: number): Correction | null {
    return this.#byId.get(id) ?? null;
  }

  reversalOf(id: number): number | null {
    return this.#reversals.get(id) ?? null;
  }

  ofClientId(clientId: string): Correction | null {
    return this.#byClientId.get(clientId) ?? null;
  }

  add(correction: Correction): void {
    const { clientId } = correction;
    this.#byId.set(correction.correction, correction);
    this.#ids.add(correction.correction);
    if (clientId !== undefined) this.#byClientId.set(clientId, correction);
    if (correction.reverses) this.#reversals.set(correction.reverses.id, correction.correction);
  }

  /** Ascending by id. */
  list(): Correction[] {
    return this.#ids.all.map((id) => this.#byId.get(id) as Correction);
  }

  newest(part: NewestFirst): Correction[] {
    return this.#ids.newest(part).map((id) => this.#byId.get(id) as Correction);
  }
}
