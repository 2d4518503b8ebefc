/**
 * Public ids of 24 hex digits: 8 of a time in seconds (or of a fixed mark), 12 of a number, 4 of a check over the
 * rest. They can be decoded without a table; the check detects mistyped ids before anything is looked up or
 * cancelled.
 */

import type { OrderOutcome } from '@bourse/core';

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
