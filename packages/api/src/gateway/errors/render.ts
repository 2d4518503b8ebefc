/** Renders responses: the dialect's envelope around a route's result or a refusal. */

import type { Dialect } from '../dialects.ts';
import { type ErrorName, type ErrorRow, ERRORS } from './errors.ts';
import type { Refusal } from './refusal.ts';
import type { Shape } from '../route.ts';

/** JSON that is already text. For frequent responses, and for integers beyond 2^53. */
export class Raw {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

export function renderSuccess(dialect: Dialect, shape: Shape, data: unknown): string {
  if (dialect.isLiteral && shape === 'bare') return textOfData(data);
  return `{${successMembers(dialect, shape, data)}}`;
}

/** The members of a response with an envelope, without the braces. */
export function successMembers(dialect: Dialect, shape: Shape, data: unknown): string {
  const text = textOfData(data);
  if (!dialect.isLiteral || shape === 'A') return `"code":"200000","data":${text}`;
  return `"success":true,"code":"200","msg":"success","retry":false,"data":${text}`;
}

const textOfData = (data: unknown): string =>
  data instanceof Raw ? data.json : (JSON.stringify(data) ?? 'null');

export function statusOf(dialect: Dialect, error: ErrorName): number {
  const row: ErrorRow = ERRORS[error];
  return row.business && !dialect.isLiteral ? 200 : row.status;
}

/**
 * The literal dialect explains in `msg`, after the table's text; in the family dialect `msg` is the text alone, because
 * its clients compare it exactly, and the explanation is in `detail`.
 */
export function renderRefusal(dialect: Dialect, shape: Shape, refusal: Refusal): string {
  const { code, retry } = ERRORS[refusal.error];
  const text = errorText(dialect, refusal);
  const { detail } = refusal;
  if (!dialect.isLiteral) {
    const extra = detail ? `,"detail":${JSON.stringify(detail)}` : '';
    return `{"code":"${code}","msg":${JSON.stringify(text)}${extra}}`;
  }
  const msg = JSON.stringify(withDetail(text, detail));
  if (shape === 'B') return `{"success":false,"code":"${code}","msg":${msg},"retry":${retry},"data":null}`;
  return `{"code":"${code}","msg":${msg}}`;
}

/** The table's text first and unchanged, then the explanation. */
export function withDetail(text: string, detail: string): string {
  if (detail === '') return text;
  return /[.!]$/.test(text) ? `${text} ${detail}` : `${text}: ${detail}`;
}

export function errorText(dialect: Dialect, refusal: Refusal): string {
  const { text }: ErrorRow = ERRORS[refusal.error];
  if (!text.includes('{')) return text;
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    name === 'PREFIX' ? dialect.prefix : (refusal.values[name] ?? place),
  );
}
