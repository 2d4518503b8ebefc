/** Notices as everybody reads them, in the words of the family. */

import type { Notice } from '@bourse/core';
import type { Catalogue } from '../views/catalogue.ts';
import { Type, wordOf } from './schema.ts';

export const TYPES = [
  'latest-announcements',
  'activities',
  'product-updates',
  'vip',
  'maintenance-updates',
  'delistings',
  'others',
  'api-campaigns',
  'new-listings',
] as const;
/** Of every notice besides its own type: the list that is asked for unless another is. */
export const DEFAULT_TYPE = 'latest-announcements';
export const DEFAULT_LANGUAGE = 'en_US';

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);

export const ANNOUNCEMENT_SCHEMA = Type.Object({
  annId: Type.Integer(),
  annTitle: text,
  annType: Type.Array(wordOf(...TYPES)),
  annDesc: text,
  cTime: Type.Integer({ description: 'Milliseconds: when it was published.' }),
  language: text,
  annUrl: text,
  change: Type.Union(
    [
      Type.Object({
        symbol: text,
        priceIncrement: textOrNull,
        quoteIncrement: textOrNull,
        effectiveTime: Type.Integer({ description: 'Milliseconds.' }),
        status: wordOf('scheduled', 'done', 'refused'),
      }),
      Type.Null(),
    ],
    { description: 'A change of increments that it announces, and whether it has taken effect.' },
  ),
});

export function announcement({ notice, title, types, change, ...rest }: Notice, catalogue: Catalogue) {
  return {
    annId: notice,
    annTitle: title,
    annType: typesOf(types),
    annDesc: rest.text,
    cTime: rest.publishAt,
    language: rest.language,
    annUrl: rest.url,
    change: change
      ? {
          symbol: catalogue.symbolAt(change.symbol).code,
          priceIncrement: change.priceIncrement ?? null,
          quoteIncrement: change.quoteIncrement ?? null,
          effectiveTime: change.at,
          status: change.state,
        }
      : null,
  };
}

export const typesOf = (types: readonly string[]): string[] => [...new Set([DEFAULT_TYPE, ...types])];
