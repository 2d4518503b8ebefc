/**
 * A second path, 4 to 5 % of an HTTP order (docs/internals/speed.md): the headers object that Node would build. A
 * client sends the same names with every request, so the object is a copy of an earlier one with other values. Built
 * name by name, it would take four times the memory, and every name would be lowercased again.
 */

import type { IncomingHttpHeaders } from 'node:http';

interface Shape {
  /** The names as sent. */
  readonly sent: readonly string[];
  /** The corresponding member names of the object. */
  readonly members: readonly string[];
  readonly headers: IncomingHttpHeaders;
  /** Consecutive misses since its last use. */
  missed: number;
}

/** Number of cached client kinds; a power of two. */
const SHAPES_MAX = 64;
/** Consecutive misses before a shape is replaced. */
const MISSED_MAX = 8;
const HEADERS_MAX = 40;

const shapes: (Shape | undefined)[] = Array(SHAPES_MAX).fill(undefined);

/** `raw` alternates names and values. Returns undefined if no shape fits; then use Node's own object. */
export function shapedHeaders(raw: readonly string[]): IncomingHttpHeaders | undefined {
  const place = placeOf(raw);
  const shape = shapes[place];
  if (shape !== undefined && fits(shape, raw)) return filled(shape, raw);
  if (shape === undefined || ++shape.missed > MISSED_MAX) shapes[place] = shapeOf(raw) ?? shape;
  return undefined;
}

/** Hashes the lengths of the names, which rarely agree for different clients. */
function placeOf(raw: readonly string[]): number {
  let sum = raw.length;
  for (let at = 0; at < raw.length; at += 2) sum = (sum * 31 + raw[at].length) | 0;
  return sum & (SHAPES_MAX - 1);
}

function fits({ sent }: Shape, raw: readonly string[]): boolean {
  if (raw.length !== 2 * sent.length) return false;
  for (let at = 0; at < sent.length; at++) if (sent[at] !== raw[2 * at]) return false;
  return true;
}

function filled(shape: Shape, raw: readonly string[]): IncomingHttpHeaders {
  const { members } = shape;
  const headers = { ...shape.headers };
  for (let at = 0; at < members.length; at++) headers[members[at]] = raw[2 * at + 1];
  shape.missed = 0;
  return headers;
}

/**
 * Undefined for headers that Node does not simply copy: duplicate names, set-cookie, and integer names, which an
 * object would reorder.
 */
function shapeOf(raw: readonly string[]): Shape | undefined {
  if (raw.length > 2 * HEADERS_MAX) return undefined;
  const sent = raw.filter((_, at) => at % 2 === 0);
  const names = sent.map((name) => name.toLowerCase());
  const isOrdinary = new Set(names).size === names.length && !names.some((name) => UNORDINARY.has(name));
  if (!isOrdinary) return undefined;
  const headers: IncomingHttpHeaders = {};
  for (const name of names) headers[name] = '';
  const members = Object.keys(headers);
  if (members.some((member, at) => member !== names[at])) return undefined;
  return { sent, members, headers, missed: 0 };
}

const UNORDINARY: ReadonlySet<string> = new Set(['set-cookie', '__proto__']);
