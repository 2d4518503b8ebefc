/**
 * Any command, as tagged values with field names: larger and slower than the layouts of frequent kinds, but it never
 * needs a change. Every field is kept, even unknown ones, so that the author and the reason of a command are kept
 * too.
 */

import type { Command } from '@bourse/core';
import { type ByteSink, type ByteSource, isSmall, Malformed } from '../bytes.ts';
import { LogTooNew } from './command-log.ts';

export type Fields = { readonly [field: string]: unknown };

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
/** An integer from 0 to below 2^32. */
const SMALL = 3;
const NUMBER = 4;
const BIGINT = 5;
const TEXT = 6;
const LIST = 7;
const OBJECT = 8;

/** Commands are flat except for chains and orders; deeper nesting is not ours, and must not overflow the stack. */
const DEPTH_MAX = 8;

export function writeFields(sink: ByteSink, fields: Fields, depth = 0): void {
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
  sink.varint(names.length);
  for (const name of names) {
    sink.text(name);
    writeValue(sink, fields[name], depth);
  }
}

function writeValue(sink: ByteSink, value: unknown, depth: number): void {
  if (depth > DEPTH_MAX) throw new TypeError('a command is nested too deeply');
  switch (typeof value) {
    case 'boolean':
      sink.byte(value ? TRUE : FALSE);
      return;
    case 'number':
      writeNumber(sink, value);
      return;
    case 'bigint':
      sink.byte(BIGINT);
      sink.bigint(value);
      return;
    case 'string':
      sink.byte(TEXT);
      sink.text(value);
      return;
    case 'object':
      writeObject(sink, value, depth);
      return;
    default:
      throw new TypeError(`a command cannot hold a ${typeof value}`);
  }
}

function writeNumber(sink: ByteSink, value: number): void {
  if (isSmall(value)) {
    sink.byte(SMALL);
    sink.varint(value);
    return;
  }
  sink.byte(NUMBER);
  sink.float64(value);
}

function writeObject(sink: ByteSink, value: object | null, depth: number): void {
  if (value === null) sink.byte(NULL);
  else if (Array.isArray(value)) {
    sink.byte(LIST);
    sink.varint(value.length);
    for (const item of value) writeValue(sink, item, depth + 1);
  } else {
    sink.byte(OBJECT);
    writeFields(sink, value as Fields, depth + 1);
  }
}

function readFields(source: ByteSource, depth = 0): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (let left = source.count(); left > 0; left--) {
    const field = source.text();
    const value = readValue(source, depth);
    if (field !== '__proto__') fields[field] = value;
    else
      Object.defineProperty(fields, field, { value, enumerable: true, writable: true, configurable: true });
  }
  return fields;
}

function readValue(source: ByteSource, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new Malformed('values are nested too deeply');
  const tag = source.byte();
  switch (tag) {
    case NULL:
      return null;
    case FALSE:
      return false;
    case TRUE:
      return true;
    case SMALL:
      return source.varint();
    case NUMBER:
      return source.float64();
    case BIGINT:
      return source.bigint();
    case TEXT:
      return source.text();
    case LIST:
      return Array.from({ length: source.count() }, () => readValue(source, depth + 1));
    case OBJECT:
      return readFields(source, depth + 1);
    default:
      throw new Malformed(`no value has the tag ${tag}`);
  }
}

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

/** Throws LogTooNew for an unknown kind. */
export function readAny(source: ByteSource): Command {
  const fields = readFields(source);
  const { kind } = fields;
  if (typeof kind !== 'string') throw new Malformed('a command has no kind');
  if (!Object.hasOwn(KINDS, kind)) {
    throw new LogTooNew(`Commands of the kind '${kind}' are unknown to this version.`);
  }
  return fields as unknown as Command;
}
