/**
 * The members of an order as they come, by dialect. The literal dialect takes exactly the documented JSON types; the
 * family dialect also takes numbers for texts, and null and '' for unset, because its clients send them.
 */

import type { SelfTradeMode, TimeInForce } from '@bourse/core';
import { isDecimal } from '../decimals.ts';
import { NumberText } from '../door/json-body.ts';
import { Refusal } from '../errors/refusal.ts';

/** Anything that came as a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** The literal dialect: documented types and nothing else. */
export type Strict = boolean;

const CANCEL_AFTER_SEC_MAX = 1_000_000_000;
const CLIENT_OID_LENGTH_MAX = 40;
const NOTE_LENGTH_MAX = 20;
/** Longer values are not repeated in full. */
const SHOWN_LENGTH_MAX = 60;

export const invalid = (detail: string): Refusal => new Refusal('parameter-invalid', detail);

export function membersOf(value: unknown, what: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw invalid(`${what} must be a JSON object.`);
}

/** Of a query. */
export function queryText(value: string | undefined, field: string): string {
  if (value !== undefined && value !== '') return value;
  throw invalid(`${field} is required: add ?${field}= to the address.`);
}

/** A text that must be there. */
export function requiredText(value: unknown, field: string, strict: Strict): string {
  const text = textOf(value, field, strict);
  if (text === undefined || text === '') throw invalid(`${field} is required.`);
  return text;
}

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

export function selfTradeModeOf(value: unknown, strict: Strict): SelfTradeMode | undefined {
  if (isUnset(value, strict)) return undefined;
  if (value === 'CN' || value === 'CO' || value === 'CB' || value === 'DC') return value;
  throw wrongWord(value, 'stp', 'CN, CO, CB or DC', strict);
}

/** An empty one is unset. */
export function clientOidOf(value: unknown, strict: Strict): string | undefined {
  const text = textOf(value, 'clientOid', strict);
  if (text === undefined || text === '') return undefined;
  if (text.length <= CLIENT_OID_LENGTH_MAX && isName(text)) return text;
  throw invalid(
    `clientOid ${shown(text)} must be at most ${CLIENT_OID_LENGTH_MAX} digits, letters, underscores or hyphens` +
      (text.length > CLIENT_OID_LENGTH_MAX ? `; it has ${text.length} characters.` : '.'),
  );
}

/** Tags and remarks; an empty one is unset. */
export function noteOf(value: unknown, field: string, strict: Strict): string | undefined {
  const text = textOf(value, field, strict);
  if (text === undefined || text === '') return undefined;
  if (text.length <= NOTE_LENGTH_MAX && isPrintable(text)) return text;
  throw invalid(
    `${field} ${shown(text)} must be at most ${NOTE_LENGTH_MAX} printable ASCII characters` +
      (text.length > NOTE_LENGTH_MAX ? `; it has ${text.length}.` : '.'),
  );
}

/** The text of a decimal, well formed. */
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

export function flagOf(value: unknown, field: string, strict: Strict): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined || (!strict && value === null)) return false;
  throw wrongType(value, field, 'true or false');
}

/** Whole seconds. In the family dialect -1 is unset, and the number may come as text. */
export function cancelAfterOf(value: unknown, strict: Strict): number | undefined {
  if (isUnset(value, strict)) return undefined;
  const text = strict ? undefined : typeof value === 'number' ? String(value) : asText(value, strict);
  if (text === '-1') return undefined;
  const seconds = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : value;
  if (typeof seconds !== 'number') throw wrongType(value, 'cancelAfter', 'a JSON integer, in seconds');
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= CANCEL_AFTER_SEC_MAX) return seconds;
  throw invalid(
    `cancelAfter ${shown(value)} must be a whole number of seconds from 1 to ${CANCEL_AFTER_SEC_MAX}.`,
  );
}

/** The family dialect: an order that was longer on its way than its sender allows is not placed. */
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

function isUnset(value: unknown, strict: Strict): boolean {
  return value === undefined || (!strict && (value === null || value === ''));
}

/** Where a number came, the family dialect takes it as it was written. */
function asText(value: unknown, strict: Strict): string | undefined {
  if (typeof value === 'string') return value;
  return !strict && value instanceof NumberText ? value.text : undefined;
}

function textOf(value: unknown, field: string, strict: Strict): string | undefined {
  const text = asText(value, strict);
  if (text !== undefined) return text;
  if (value === undefined || (!strict && value === null)) return undefined;
  throw wrongType(value, field, 'a JSON string');
}

function wrongWord(value: unknown, field: string, words: string, strict: Strict): Refusal {
  if (value === undefined || isUnset(value, strict)) return invalid(`${field} is required: ${words}.`);
  return invalid(`${field} ${shown(value)} must be ${words}.`);
}

function wrongType(value: unknown, field: string, expected: string): Refusal {
  return invalid(`${field} must be ${expected}; it is ${shown(value)}.`);
}

/** A value of a request in a sentence: as JSON, cut where it is long. */
export function shown(value: unknown): string {
  const text = value instanceof NumberText ? value.text : (JSON.stringify(value) ?? 'nothing');
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX)}...`;
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
