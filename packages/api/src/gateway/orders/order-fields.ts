/** Order members as sent, by dialect. */

import type { SelfTradeMode, TimeInForce } from '@bourse/core';
import { isDecimal } from '../decimals.ts';
import { invalid, type Refusal } from '../errors/refusal.ts';
import { asText, isUnset, type Members, shown, type Strict, textOf, wrongType } from '../members.ts';
import { asked, type Asking } from '../paging.ts';
import { Type } from '../schema.ts';

const CANCEL_AFTER_SEC_MAX = 1_000_000_000;
const CLIENT_OID_LENGTH_MAX = 40;
const NOTE_LENGTH_MAX = 20;

export function sideOf(value: unknown, strict: Strict): 'buy' | 'sell' {
  if (value === 'buy' || value === 'sell') return value;
  throw wrongWord(value, 'side', 'buy or sell', strict);
}

export function typeOf(value: unknown, strict: Strict): 'limit' | 'market' {
  if (value === 'limit' || value === 'market') return value;
  throw wrongWord(value, 'type', 'limit or market', strict);
}

export function timeInForceOf(value: unknown, strict: Strict): TimeInForce | undefined {
  if (isUnset(value, strict)) return undefined;
  if (value === 'GTC' || value === 'GTT' || value === 'IOC' || value === 'FOK') return value;
  throw wrongWord(value, 'timeInForce', 'GTC, GTT, IOC or FOK', strict);
}

/** Order lists show an unset one as '', and both dialects accept that as input. */
export function selfTradeModeOf(value: unknown, strict: Strict): SelfTradeMode | undefined {
  if (value === '' || isUnset(value, strict)) return undefined;
  if (value === 'CN' || value === 'CO' || value === 'CB' || value === 'DC') return value;
  throw wrongWord(value, 'stp', 'CN, CO, CB or DC', strict);
}

/** An empty string is unset. */
export function clientOidOf(value: unknown, strict: Strict): string | undefined {
  const text = textOf(value, 'clientOid', strict);
  if (text === undefined || text === '') return undefined;
  if (text.length <= CLIENT_OID_LENGTH_MAX && isName(text)) return text;
  throw invalid(
    `clientOid ${shown(text)} must be at most ${CLIENT_OID_LENGTH_MAX} digits, letters, underscores or hyphens` +
      (text.length > CLIENT_OID_LENGTH_MAX ? `; it has ${text.length} characters.` : '.'),
  );
}

/** Tags and remarks; an empty string is unset. */
export function noteOf(value: unknown, field: string, strict: Strict): string | undefined {
  const text = textOf(value, field, strict);
  if (text === undefined || text === '') return undefined;
  if (text.length <= NOTE_LENGTH_MAX && isPrintable(text)) return text;
  throw invalid(
    `${field} ${shown(text)} must be at most ${NOTE_LENGTH_MAX} printable ASCII characters` +
      (text.length > NOTE_LENGTH_MAX ? `; it has ${text.length}.` : '.'),
  );
}

/** A well-formed decimal as text. */
export function decimalOf(value: unknown, field: string, strict: Strict): string | undefined {
  if (isUnset(value, strict)) return undefined;
  const text = asText(value, strict);
  if (text === undefined) throw wrongType(value, field, 'a decimal in a JSON string, like "0.1"');
  if (isDecimal(text)) return text;
  throw invalid(
    `${field} ${shown(value)} is no decimal: digits, at most one point with digits on both sides, ` +
      'no sign, no exponent, no blanks, at most 40 digits.',
  );
}

export function booleanOf(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return false;
  throw wrongType(value, field, 'true or false');
}

/**
 * Whole seconds; 0, as shown in order lists, is unset. In the family dialect -1 is unset too, and the number may be a
 * string.
 */
export function cancelAfterOf(value: unknown, strict: Strict): number | undefined {
  if (value === 0 || isUnset(value, strict)) return undefined;
  const text = strict ? undefined : typeof value === 'number' ? String(value) : asText(value, strict);
  if (text === '-1' || text === '0') return undefined;
  const seconds = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : value;
  if (typeof seconds !== 'number') throw wrongType(value, 'cancelAfter', 'a JSON integer, in seconds');
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= CANCEL_AFTER_SEC_MAX) return seconds;
  throw invalid(
    `cancelAfter ${shown(value)} must be a whole number of seconds from 1 to ${CANCEL_AFTER_SEC_MAX}.`,
  );
}

/** The family dialect: an order older than its sender allows is not placed. */
export function checkAge(members: Members, time: number): void {
  const allowedMs = millisecondsOf(members['allowMaxTimeWindow'], 'allowMaxTimeWindow');
  if (allowedMs === undefined) return;
  const sentAt = millisecondsOf(members['clientTimestamp'], 'clientTimestamp');
  if (sentAt === undefined) throw invalid('clientTimestamp is required beside allowMaxTimeWindow.');
  if (sentAt + allowedMs >= time) return;
  throw invalid(
    `The order came ${time - sentAt} ms after its clientTimestamp, and allowMaxTimeWindow is ${allowedMs} ms.`,
  );
}

function millisecondsOf(value: unknown, field: string): number | undefined {
  if (isUnset(value, false)) return undefined;
  const text = typeof value === 'number' ? String(value) : asText(value, false);
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  throw wrongType(value, field, 'a JSON integer, in milliseconds');
}

function wrongWord(value: unknown, field: string, words: string, strict: Strict): Refusal {
  if (value === undefined || isUnset(value, strict)) return invalid(`${field} is required: ${words}.`);
  return invalid(`${field} ${shown(value)} must be ${words}.`);
}

function isName(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (!isLetter && !(code >= 48 && code <= 57) && code !== 45 && code !== 95) return false;
  }
  return true;
}

function isPrintable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

const SPOT = 'TRADE';

/** `tradeType`, which clients of the family send: only spot trading exists here. */
export const TRADE_TYPE_QUERY = {
  tradeType: Type.Optional(Type.String({ description: 'TRADE; there are no orders of another type.' })),
};

/** Whether spot orders are requested; there are no others. */
export function isOfSpot(call: Asking<'tradeType'>): boolean {
  return (asked(call, 'tradeType') ?? SPOT) === SPOT;
}

/** An order for another kind of trading must not become a spot order. */
export function refuseOtherTrading({ tradeType }: Members): void {
  if (tradeType === undefined || tradeType === null || tradeType === '' || tradeType === SPOT) return;
  throw invalid(`tradeType ${shown(tradeType)} must be ${SPOT}: there is spot trading only.`);
}
