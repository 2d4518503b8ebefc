/** Errors as `{code, msg}`, for the APIs of operators, people and the sandbox's control. */

import { Unavailable } from '@bourse/engine';
import { type ErrorRow, ERRORS } from './errors.ts';
import { isInDialects, Refusal } from './refusal.ts';
import { fromFramework } from './to-refusal.ts';

/** The HTTP status of each error code of an API. */
export type StatusTable = ReadonlyMap<string, number>;

export const statusTable = (statuses: object): StatusTable => new Map(Object.entries(statuses));

export interface JsonError {
  readonly status: number;
  readonly code: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

const REFUSED = 400;

/**
 * An error that the table lacks has the status of its row in ERRORS; a rejection of the core that neither has is 400.
 */
export function jsonError(
  error: unknown,
  statuses: StatusTable,
  bodyBytesMax = 0,
  contentType?: string,
): JsonError {
  const refusal: Refusal<string> =
    error instanceof Refusal ? error : fromFramework(error, bodyBytesMax, contentType);
  const { error: name, detail, more } = refusal;
  const row: ErrorRow | undefined = isInDialects(refusal) ? ERRORS[refusal.error] : undefined;
  const code = error instanceof Unavailable ? error.reason : name;
  return {
    status: statuses.get(name) ?? row?.status ?? REFUSED,
    code,
    body: { code, msg: detail || (row?.text ?? refusal.message), ...more.fields },
    headers: more.headers ?? {},
  };
}
