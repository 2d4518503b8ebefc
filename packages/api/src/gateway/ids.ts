/**
 * Ids that the exchange generates: public ids, account ids, and names that are unique in the log.
 *
 * A public id has 24 hex digits: 8 of a time in seconds (or of a fixed mark), 12 of a number, 4 of a check over the
 * rest. It can be decoded without a table; the check detects mistyped ids before anything is looked up or cancelled.
 */

import { randomBytes } from 'node:crypto';
import type { AccountType, OrderOutcome } from '@bourse/core';

const ID_LENGTH = 24;
const NUMBER_AT = 8;
const CHECK_AT = 20;
/** 48 bits: enough for nine years at a million a second. */
const NUMBER_END = 2 ** 48;

export interface ParsedId {
  readonly number: number;
  /** Seconds since 1970, or the mark of the kind. */
  readonly seconds: number;
}

type PlacedOrder = Pick<OrderOutcome, 'order' | 'createdAt'>;

/** Objects without a time; the marks distinguish the kinds. */
const MARKS = {
  user: 0x5f00_0001,
  transfer: 0x5f00_0002,
  deposit: 0x5f00_0003,
  'travel-rule': 0x5f00_0004,
  questionnaire: 0x5f00_0005,
  withdrawal: 0x5f00_0006,
  'stop-order': 0x5f00_0007,
  'oco-order': 0x5f00_0008,
  'test-order': 0x5f00_0009,
  operator: 0x5f00_000a,
  proposal: 0x5f00_000b,
  schedule: 0x5f00_000c,
  correction: 0x5f00_000d,
} as const;

export type MarkedKind = keyof typeof MARKS;

/** `createdAt` in milliseconds. */
export function orderId(order: number, createdAt: number): string {
  return format(Math.floor(createdAt / 1000), order);
}

/** For an order placed by a command whose outcome has the time of that record. */
export function placedOrderId({ order, createdAt }: PlacedOrder, answeredAt: number): string {
  return orderId(order, createdAt ?? answeredAt);
}

const ALL_MARKS: ReadonlySet<number> = new Set(Object.values(MARKS));

/**
 * Null if the text is not an order id; ids of other kinds have a mark in place of the time. Compare the seconds with
 * the order's, because several objects may have the same number.
 */
export function parseOrderId(text: string): ParsedId | null {
  const parsed = parse(text);
  return parsed === null || ALL_MARKS.has(parsed.seconds) ? null : parsed;
}

export function markedId(kind: MarkedKind, number: number): string {
  return format(MARKS[kind], number);
}

/** The number, or -1 if the text is not an id of this kind. */
export function parseMarkedId(kind: MarkedKind, text: string): number {
  const parsed = parse(text);
  return parsed !== null && parsed.seconds === MARKS[kind] ? parsed.number : -1;
}

export const userId = (user: number): string => markedId('user', user);
export const operatorId = (operator: number): string => markedId('operator', operator);
/** Root has number 0. */
export const actorId = (operator: number): string => (operator === 0 ? 'root' : operatorId(operator));
export const parseUserId = (text: string): number => parseMarkedId('user', text);

/** The head of the latest id: most ids are created in the same second as the previous one. */
let headSeconds = -1;
let headText = '';
let headCheck = 0;

function format(seconds: number, number: number): string {
  if (!(number >= 0 && number < NUMBER_END)) throw new RangeError(`no id can be made of ${number}`);
  if (seconds !== headSeconds) {
    headText = hex(seconds, NUMBER_AT);
    headCheck = checkWord(CHECK_START, seconds);
    headSeconds = seconds;
  }
  return (
    headText + hex(number, CHECK_AT - NUMBER_AT) + hex(checkNumber(headCheck, number), ID_LENGTH - CHECK_AT)
  );
}

function parse(text: string): ParsedId | null {
  if (text.length !== ID_LENGTH) return null;
  const seconds = readHex(text, 0, NUMBER_AT);
  const number = readHex(text, NUMBER_AT, CHECK_AT);
  const check = readHex(text, CHECK_AT, ID_LENGTH);
  if (seconds < 0 || number < 0 || check < 0) return null;
  return checkNumber(checkWord(CHECK_START, seconds), number) === check ? { number, seconds } : null;
}

const ZEROS = '0'.repeat(ID_LENGTH);

function hex(value: number, digits: number): string {
  const text = value.toString(16);
  return ZEROS.slice(0, digits - text.length) + text;
}

/** -1 if a character is not a digit. Lower case only, so that every id has one spelling. */
function readHex(text: string, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) value = value * 16 + code - 48;
    else if (code >= 97 && code <= 102) value = value * 16 + code - 87;
    else return -1;
  }
  return value;
}

/** CRC-16 (CCITT) of the preceding digits: detects every wrong digit and every swap of adjacent digits. */
const CHECK_START = 0xffff;

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  return crc;
});

const checkByte = (crc: number, byte: number): number => ((crc << 8) & 0xffff) ^ CRC_TABLE[(crc >> 8) ^ byte];

/** The four bytes of an integer below 2^32. */
function checkWord(crc: number, word: number): number {
  const upper = checkByte(checkByte(crc, word >>> 24), (word >>> 16) & 0xff);
  return checkByte(checkByte(upper, (word >>> 8) & 0xff), word & 0xff);
}

/** The six bytes of an integer below 2^48. */
function checkNumber(crc: number, number: number): number {
  const high = Math.floor(number / 2 ** 32);
  return checkWord(checkByte(checkByte(crc, high >>> 8), high & 0xff), number % 2 ** 32);
}

// Account ids, one for each user, type and currency, permanent and decodable without a table: 24 hex digits for MAIN,
// 12 or more decimal digits for TRADE. Both contain check digits, which detect guessed or mistyped ids before any
// balance is looked up.

export interface AccountName {
  readonly user: number;
  readonly type: AccountType;
  readonly currency: number;
}

/** Added to the number, so that the first ids do not look like 1, 2, 3. */
const MAIN_PREFIX = 0x6163_0000;
const TRADE_OFFSET = 100_000_000_000n;
const CURRENCIES = 10_000n;
const CHECKS = 97n;

export function accountId({ user, type, currency }: AccountName): string {
  if (type === 'main') {
    const check = Number(checkOf(user, currency));
    return hex(MAIN_PREFIX + check, 8) + hex(user, 8) + hex(currency, 8);
  }
  const number = BigInt(user) * CURRENCIES + BigInt(currency);
  return String(TRADE_OFFSET + number * 100n + checkOf(user, currency));
}

/** Null if the text is not an account id. */
export function parseAccountId(text: string): AccountName | null {
  const name = /^[0-9a-f]{24}$/.test(text)
    ? parseMain(text)
    : /^\d{12,20}$/.test(text)
      ? parseTrade(text)
      : null;
  return name !== null && accountId(name) === text ? name : null;
}

function parseMain(text: string): AccountName {
  const part = (at: number) => Number.parseInt(text.slice(at, at + 8), 16);
  return { user: part(8), type: 'main', currency: part(16) };
}

function parseTrade(text: string): AccountName | null {
  const number = (BigInt(text) - TRADE_OFFSET) / 100n;
  if (number < 0n) return null;
  return { user: Number(number / CURRENCIES), type: 'trade', currency: Number(number % CURRENCIES) };
}

const checkOf = (user: number, currency: number): bigint =>
  (BigInt(user) * 7n + BigInt(currency) * 31n + 5n) % CHECKS;

// Generates names that are unique in the log: the sequence of its last record, and a counter. A name enters the log
// after that record, so no earlier record can contain it, even after a restart. Random numbers are avoided, so that
// the same requests give the same log. Nodes of a cluster have the same last record, so there each process adds a
// random prefix.

const PROCESS_BYTES = 4;

export class LogTags {
  #seq = -1;
  #count = 0;
  readonly #process: string;

  constructor(isOneOfSeveral = false) {
    this.#process = isOneOfSeveral ? `${randomBytes(PROCESS_BYTES).toString('hex')}-` : '';
  }

  /** `seq`: of the last record. Digits and lower-case letters, at most 24, or 33 with the process prefix. */
  next(seq: number): string {
    this.#count = seq === this.#seq ? this.#count + 1 : 0;
    this.#seq = seq;
    return `${this.#process}${seq.toString(36)}-${this.#count.toString(36)}`;
  }
}
