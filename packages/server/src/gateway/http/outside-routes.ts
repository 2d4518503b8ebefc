/** What is around the interface, and what asking for it costs the address that asks. */

import type { Terms } from '../admission/admission.ts';
import { DOCUMENT_WEIGHT } from './answers/documents.ts';

const service = (weight: number): Terms => ({ access: 'public', pool: 'service', weight });

const DOCUMENT = service(DOCUMENT_WEIGHT);
/** Making the page of figures takes milliseconds, though at most once a second. */
const METRICS = service(10);
/** Health, files of the pages, and paths that do not exist. */
const OTHER = service(1);

/** The operator's interface admits its own requests. */
const OPERATOR_PATH = /^\/operator(?:\/|$)/;

/** Not on the public port of a venue. */
const FOR_OPERATORS = /^\/(?:operator|console|metrics)(?:[/.]|$)/;

export const isForOperators = (path: string): boolean => FOR_OPERATORS.test(path);

export function serviceTerms(path: string, isDocument: boolean): Terms | undefined {
  if (OPERATOR_PATH.test(path)) return undefined;
  if (isDocument) return DOCUMENT;
  return path === '/metrics' ? METRICS : OTHER;
}

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
