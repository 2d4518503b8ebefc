/** Parameters that are not as documented: the refusal, and how their values are shown in its sentence. */

import { shortened } from '@bourse/engine';
import { NumberText } from '../http/reading/json-body.ts';
import { Refusal } from './refusal.ts';

export const invalid = (detail: string): Refusal => new Refusal('parameter-invalid', detail);

/** A value of a request in a sentence: as JSON, cut where it is long. */
export function shown(value: unknown): string {
  return shortened(value instanceof NumberText ? value.text : (JSON.stringify(value) ?? 'nothing'));
}
