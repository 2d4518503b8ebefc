/**
 * Commands as bytes: a tag, then the layout it names. Frequent kinds have their own layouts; everything else, and a
 * frequent one with unusual content, has the general layout. A tag keeps its meaning forever, because logs are
 * kept.
 */

import type { CancelOrder, Command, Once, OrderRequest, PlaceOrder, PlaceOrders } from '@bourse/core';
import { LogTooNew } from '../command-log.ts';
import { isSmall, readThing, type Thing, writeThing } from './any-command.ts';
import { type ByteSink, putVarint, VARINT_BYTES_MAX } from '../../bytes/byte-sink.ts';
import { type ByteSource, Malformed } from '../../bytes/byte-source.ts';
import { readImport, writeImport } from './candle-layout.ts';
import { hasFields, readOrder, readPlaceOrder, writeOrder } from './order-layout.ts';

const ANY = 0;
const PLACE_ORDER = 1;
const PLACE_ORDERS = 2;
const CANCEL_ORDER = 3;
/** The idempotency key of a frequent command, followed by its own tag and layout. */
const ONCE = 4;
const IMPORT_CANDLES = 5;

/** All kinds; a missing one is a compile error. */
const KINDS: Readonly<Record<Command['kind'], true>> = {
  'add-currency': true,
  'change-currency': true,
  'remove-currency': true,
  'add-symbol': true,
  'change-symbol': true,
  'remove-symbol': true,
  'set-market-state': true,
  'begin-auction': true,
  'cancel-auction': true,
  'pause-exchange': true,
  'resume-exchange': true,
  'schedule-call': true,
  'unschedule-call': true,
  'set-fees': true,
  'remove-fees': true,
  'set-limits': true,
  'add-user': true,
  'change-user': true,
  'freeze-user': true,
  'unfreeze-user': true,
  'close-user': true,
  'add-user-note': true,
  'cancel-for-others': true,
  'add-key': true,
  'change-key': true,
  'remove-key': true,
  'report-deposit': true,
  'submit-questionnaire': true,
  'decide-questionnaire': true,
  transfer: true,
  'add-address': true,
  'load-addresses': true,
  'ask-address': true,
  'request-withdrawal': true,
  'cancel-withdrawal': true,
  'claim-withdrawal': true,
  'unclaim-withdrawal': true,
  'advance-withdrawal': true,
  'assign-movement': true,
  'release-movement': true,
  'settle-withdrawal': true,
  'return-deposit': true,
  'reverse-movement': true,
  'move-money': true,
  'set-withdrawal-limits': true,
  'add-address-rule': true,
  'remove-address-rule': true,
  'report-wallet': true,
  'place-order': true,
  'place-orders': true,
  'test-order': true,
  'place-stop-order': true,
  'cancel-order': true,
  'cancel-stop-order': true,
  'place-oco-order': true,
  'cancel-oco-order': true,
  'cancel-orders': true,
  'reduce-order': true,
  'alter-order': true,
  'set-switch': true,
  'import-candles': true,
  'set-note': true,
  'add-person': true,
  'open-session': true,
  'set-session-key': true,
  'end-sessions': true,
  'step-up': true,
  'change-person': true,
  'lock-person': true,
  'add-book-address': true,
  'remove-book-address': true,
  'restrict-addresses': true,
  'freeze-person': true,
  'close-person': true,
  'add-operator': true,
  'break-glass': true,
  'change-operator': true,
  'set-operator-token': true,
  'remove-operator': true,
  'close-root': true,
  'refuse-call': true,
  'note-call': true,
  'set-policy': true,
  'approve-proposal': true,
  'refuse-proposal': true,
  'withdraw-proposal': true,
  'publish-notice': true,
  'remove-notice': true,
};

/** Throws a TypeError for values that a command must not contain: functions, symbols, undefined in a list. */
export function writeCommand(sink: ByteSink, command: Command): void {
  const { at } = sink;
  if (writeHot(sink, command)) return;
  sink.at = at;
  sink.byte(ANY);
  writeThing(sink, command as unknown as Thing);
}

/** False if the command has no layout of its own or does not fit it. */
function writeHot(sink: ByteSink, command: Command): boolean {
  switch (command.kind) {
    case 'place-order':
      return writeOnce(sink, command.once) && writePlaceOrder(sink, command);
    case 'place-orders':
      return writeOnce(sink, command.once) && writePlaceOrders(sink, command);
    case 'cancel-order':
      return writeOnce(sink, command.once) && writeCancelOrder(sink, command);
    case 'import-candles':
      if (!writeOnce(sink, command.once)) return false;
      sink.byte(IMPORT_CANDLES);
      return writeImport(sink, command);
    default:
      return false;
  }
}

function writeOnce(sink: ByteSink, once: Once | undefined): boolean {
  if (once === undefined) return true;
  if (typeof once.id !== 'string' || typeof once.until !== 'number' || !hasFields(once, 2)) return false;
  sink.byte(ONCE);
  sink.text(once.id);
  sink.float64(once.until);
  return true;
}

const besidesOnce = (command: Command): number => (command.once === undefined ? 0 : 1);

function writePlaceOrder(sink: ByteSink, command: PlaceOrder): boolean {
  const { user } = command;
  if (!isSmall(user)) return false;
  sink.byte(PLACE_ORDER);
  sink.varint(user);
  return writeOrder(sink, command, 2 + besidesOnce(command));
}

function writePlaceOrders(sink: ByteSink, command: PlaceOrders): boolean {
  const { user, orders } = command;
  if (!isSmall(user) || !Array.isArray(orders) || !hasFields(command, 3 + besidesOnce(command))) return false;
  sink.byte(PLACE_ORDERS);
  sink.varint(user);
  sink.varint(orders.length);
  for (let i = 0; i < orders.length; i++) if (!writeOrder(sink, orders[i], 0)) return false;
  return true;
}

/** Tag, flags, user, symbol and the order id. */
const CANCEL_BYTES = 2 + 2 * VARINT_BYTES_MAX + 8;

/** Flags: bit 0 an order id follows, bit 1 a client id, bit 2 the second in which the order was created. */
function writeCancelOrder(sink: ByteSink, command: CancelOrder): boolean {
  const { user, symbol, order, clientId, createdSec } = command;
  if (!isSmall(user) || !isSmall(symbol)) return false;
  if (order !== undefined && typeof order !== 'number') return false;
  if (clientId !== undefined && typeof clientId !== 'string') return false;
  if (createdSec !== undefined && typeof createdSec !== 'number') return false;
  const marks =
    (order === undefined ? 0 : 1) | (clientId === undefined ? 0 : 2) | (createdSec === undefined ? 0 : 4);
  const fields = 3 + (marks & 1) + ((marks >> 1) & 1) + (marks >> 2);
  if (!hasFields(command, fields + besidesOnce(command))) return false;
  sink.reserve(CANCEL_BYTES);
  const { bytes, view } = sink;
  let { at } = sink;
  bytes[at] = CANCEL_ORDER;
  bytes[at + 1] = marks;
  at = putVarint(bytes, at + 2, user);
  at = putVarint(bytes, at, symbol);
  if (order !== undefined) {
    view.setFloat64(at, order, true);
    at += 8;
  }
  sink.at = at;
  if (clientId !== undefined) sink.text(clientId);
  if (createdSec !== undefined) sink.float64(createdSec);
  return true;
}

/**
 * Throws Malformed for invalid bytes, and LogTooNew for an unknown tag or kind. Fields that are
 * not set may be present as undefined, which the core treats alike.
 */
export function readCommand(source: ByteSource): Command {
  const tag = source.byte();
  if (tag === ANY) return readAny(source);
  if (tag !== ONCE) return readHot(source, tag, undefined);
  const once = { id: source.text(), until: source.float64() };
  return readHot(source, source.byte(), once);
}

function readHot(source: ByteSource, tag: number, once: Once | undefined): Command {
  switch (tag) {
    case PLACE_ORDER:
      return readPlaceOrder(source, once);
    case PLACE_ORDERS:
      return readPlaceOrders(source, once);
    case CANCEL_ORDER:
      return readCancelOrder(source, once);
    case IMPORT_CANDLES:
      return readImport(source, once);
    default:
      throw new LogTooNew(`Commands with the tag ${tag} are not known here.`);
  }
}

function readPlaceOrders(source: ByteSource, once: Once | undefined): Command {
  const user = source.varint();
  const orders: OrderRequest[] = [];
  for (let left = source.count(); left > 0; left--) orders.push(readOrder(source));
  return { kind: 'place-orders', user, orders, once } as Command;
}

function readCancelOrder(source: ByteSource, once: Once | undefined): Command {
  const marks = source.byte();
  if (marks > 7) throw new Malformed(`a cancellation has the marks ${marks}`);
  const user = source.varint();
  const symbol = source.varint();
  const order = (marks & 1) === 0 ? undefined : source.float64();
  const clientId = (marks & 2) === 0 ? undefined : source.text();
  const createdSec = (marks & 4) === 0 ? undefined : source.float64();
  return { kind: 'cancel-order', user, symbol, order, clientId, createdSec, once } as Command;
}

function readAny(source: ByteSource): Command {
  const thing = readThing(source);
  const { kind } = thing;
  if (typeof kind !== 'string') throw new Malformed('a command has no kind');
  if (!Object.hasOwn(KINDS, kind)) {
    throw new LogTooNew(`Commands of the kind '${kind}' are not known here.`);
  }
  return thing as unknown as Command;
}
