/**
 * Any command, as tagged values with field names: larger and slower than the layouts of frequent kinds, but it never
 * needs a change. Every field is kept, even unknown ones, so that the author and the reason of a command are kept
 * too.
 */

import type { ByteSink } from '../../bytes/byte-sink.ts';
import { type ByteSource, Malformed } from '../../bytes/byte-source.ts';

export type Thing = { readonly [field: string]: unknown };

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
/** An integer from 0 to below 2^32. */
const SMALL = 3;
const NUMBER = 4;
const BIGINT = 5;
const TEXT = 6;
const LIST = 7;
const THING = 8;

/** Commands are flat except for chains and orders; deeper nesting is not ours, and must not overflow the stack. */
const DEPTH_MAX = 8;

export function writeThing(sink: ByteSink, thing: Thing, depth = 0): void {
  const fields = Object.keys(thing).filter((field) => thing[field] !== undefined);
  sink.varint(fields.length);
  for (const field of fields) {
    sink.text(field);
    writeValue(sink, thing[field], depth);
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
    sink.byte(THING);
    writeThing(sink, value as Thing, depth + 1);
  }
}

export function readThing(source: ByteSource, depth = 0): Record<string, unknown> {
  const thing: Record<string, unknown> = {};
  for (let left = source.count(); left > 0; left--) {
    const field = source.text();
    const value = readValue(source, depth);
    if (field !== '__proto__') thing[field] = value;
    else Object.defineProperty(thing, field, { value, enumerable: true, writable: true, configurable: true });
  }
  return thing;
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
    case THING:
      return readThing(source, depth + 1);
    default:
      throw new Malformed(`no value has the tag ${tag}`);
  }
}

/** Whether it survives a round trip as a varint; -0 does not. */
export function isSmall(value: unknown): value is number {
  return typeof value === 'number' && value >>> 0 === value && !Object.is(value, -0);
}
