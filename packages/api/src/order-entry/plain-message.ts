/**
 * A message in the form that nearly all have: id, op and args, with names that are known, and values that are ASCII text
 * without a backslash, or true or false. It is read in one go, in half the time that checking and parsing JSON takes. For
 * anything else there is nothing here, and the general way reads it: so what is read here is what that would read.
 */

export type PlainMessage = {
  readonly id: string | undefined;
  readonly op: string | undefined;
  readonly args: PlainArguments | undefined;
};

type Value = string | boolean | undefined;

/** What is not given is undefined. There are no numbers among them. */
export class PlainArguments {
  readonly clientOid: Value;
  readonly symbol: Value;
  readonly type: Value;
  readonly side: Value;
  readonly price: Value;
  readonly size: Value;
  readonly timeInForce: Value;
  readonly postOnly: Value;
  readonly stp: Value;
  readonly orderId: Value;
  readonly remark: Value;
  readonly tags: Value;
  readonly funds: Value;

  constructor(given: readonly Value[]) {
    this.clientOid = given[2];
    this.symbol = given[3];
    this.type = given[4];
    this.side = given[5];
    this.price = given[6];
    this.size = given[7];
    this.timeInForce = given[8];
    this.postOnly = given[9];
    this.stp = given[10];
    this.orderId = given[11];
    this.remark = given[12];
    this.tags = given[13];
    this.funds = given[14];
  }
}

/** The place of a name is that of its value. Those up to `op` are the message's own, the others those of its args. */
const NAMES = [
  'id',
  'op',
  'clientOid',
  'symbol',
  'type',
  'side',
  'price',
  'size',
  'timeInForce',
  'postOnly',
  'stp',
  'orderId',
  'remark',
  'tags',
  'funds',
  'args',
].map((name) => Buffer.from(name));
const [ID, OP] = [0, 1];
const ARGS = NAMES.length - 1;
const UNKNOWN = -1;

/** Places by length, first and third byte of the names, which no two of them share. */
const PLACES = new Int8Array(16 << 7).fill(UNKNOWN);
for (const [place, name] of NAMES.entries()) PLACES[markOf(name, 0, name.length)] = place;

const BLANK = 0x20;
const LAST_ASCII = 0x7e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
/** Of every byte, whether it ends a plain text: its quote, and whatever is not plain. */
const ENDS = Uint8Array.from({ length: 256 }, (_, code) =>
  code === QUOTE || code === BACKSLASH || code < BLANK || code > LAST_ASCII ? 1 : 0,
);
/** V8 makes longer pieces of a text views of it, which would keep the whole message. */
const COPIED_LENGTH_MAX = 12;

const values: Value[] = NAMES.map(() => undefined);

export function readPlainMessage(bytes: Buffer): PlainMessage | undefined {
  const text = bytes.toString('latin1');
  values.fill(undefined);
  let isInArgs = false;
  let args: PlainArguments | undefined;
  let at = skipBlanks(bytes, 0);
  if (bytes[at] !== OPEN) return undefined;
  at++;
  for (;;) {
    at = skipBlanks(bytes, at);
    if (bytes[at] !== QUOTE) return undefined;
    const nameEnd = endOfText(bytes, at + 1);
    const place = placeOf(bytes, at + 1, nameEnd);
    at = skipBlanks(bytes, nameEnd + 1);
    if (place === UNKNOWN || bytes[at] !== COLON) return undefined;
    at = skipBlanks(bytes, at + 1);
    if (place === ARGS) {
      if (isInArgs || args !== undefined || bytes[at] !== OPEN) return undefined;
      isInArgs = true;
      at++;
      continue;
    }
    // What is given twice is refused, but not here.
    if (place > OP !== isInArgs || values[place] !== undefined) return undefined;
    if (bytes[at] === QUOTE) {
      const start = at + 1;
      at = endOfText(bytes, start);
      values[place] =
        at - start <= COPIED_LENGTH_MAX ? text.slice(start, at) : bytes.toString('latin1', start, at);
      at++;
    } else if (isInArgs && has(bytes, at, TRUE)) {
      values[place] = true;
      at += TRUE.length;
    } else if (isInArgs && has(bytes, at, FALSE)) {
      values[place] = false;
      at += FALSE.length;
    } else return undefined;
    at = skipBlanks(bytes, at);
    if (isInArgs && bytes[at] === CLOSE) {
      args = new PlainArguments(values);
      isInArgs = false;
      at = skipBlanks(bytes, at + 1);
    }
    if (bytes[at] === COMMA) at++;
    else break;
  }
  if (isInArgs || bytes[at] !== CLOSE || skipBlanks(bytes, at + 1) !== bytes.length) return undefined;
  return { id: values[ID] as string | undefined, op: values[OP] as string | undefined, args };
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === BLANK) at++;
  return at;
}

/** Where its quote is; past the end, so that nothing fits there, where the text is not plain. */
function endOfText(bytes: Buffer, from: number): number {
  const { length } = bytes;
  let at = from;
  while (at < length && ENDS[bytes[at]] === 0) at++;
  return at < length && bytes[at] === QUOTE ? at : length;
}

function placeOf(bytes: Buffer, start: number, end: number): number {
  const place = PLACES[markOf(bytes, start, end)];
  if (place === UNKNOWN || NAMES[place].length !== end - start) return UNKNOWN;
  return has(bytes, start, NAMES[place]) ? place : UNKNOWN;
}

function has(bytes: Buffer, start: number, word: Buffer): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false;
  return true;
}

function markOf(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  if (length < 2) return 0;
  const third = bytes[start + Math.min(2, length - 1)];
  return ((length & 15) << 7) | ((bytes[start] + 3 * third) & 127);
}
