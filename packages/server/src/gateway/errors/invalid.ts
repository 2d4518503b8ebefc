/** Parameters that are not as documented: the refusal, and how their values are shown in its sentence. */

import { NumberText } from '../http/reading/json-body.ts';
import { Refusal } from './refusal.ts';

/** Longer values are not repeated in full. */
const SHOWN_LENGTH_MAX = 60;

export const invalid = (detail: string): Refusal => new Refusal('parameter-invalid', detail);

/** A value of a request in a sentence: as JSON, cut where it is long. */
export function shown(value: unknown): string {
  const text = value instanceof NumberText ? value.text : (JSON.stringify(value) ?? 'nothing');
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX)}...`;
}
