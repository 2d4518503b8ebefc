/** Invalid parameters: the error, and how their values appear in its message. */

import { shortened } from '@bourse/engine';
import { NumberText } from '../http/reading/json-body.ts';
import { Refusal } from './refusal.ts';

export const invalid = (detail: string): Refusal => new Refusal('parameter-invalid', detail);

/** A value of a request for an error message: JSON, truncated if long. */
export function shown(value: unknown): string {
  return shortened(value instanceof NumberText ? value.text : (JSON.stringify(value) ?? 'nothing'));
}
