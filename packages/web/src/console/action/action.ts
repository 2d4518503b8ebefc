/** Something that an operator may do at some place of the console. */

import type { ReactNode } from 'react';
import type { FormField } from './form-field.ts';

export interface Questions {
  readonly fields: readonly FormField[];
  /** Builds the body from the answers. Throws an EntryError for inconsistent answers. */
  readonly bodyOf: (answers: ReadonlyMap<string, unknown>) => Readonly<Record<string, unknown>>;
}

export interface Action {
  /** Of the operator's interface. */
  readonly call: string;
  readonly title: string;
  /** What follows from it, in a sentence or two; the preview shows it. */
  readonly consequence: string;
  /** What the place decides: the names in the path, and values that are no question. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** As it is now; then only what differs is sent. */
  readonly before?: object;
  /** What stands in the fields at first. */
  readonly suggested?: Readonly<Record<string, unknown>>;
  readonly isDangerous?: boolean;
  /** Fields that the interface leaves open and this action needs. */
  readonly required?: readonly string[];
  /** Questions that replace the API's fields if the body is more than a list of values. */
  readonly questions?: Questions;
  /** Fields that make no sense in this action. */
  readonly left?: readonly string[];
  /** What the preview says in a sentence with figures, before and after, made from the request's body. */
  readonly effect?: (body: Readonly<Record<string, unknown>>) => ReactNode;
}
