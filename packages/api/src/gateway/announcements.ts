/** Public notices, in the format of the family dialect. */

import type { Notice, ScheduledChange, ScheduleEntry } from '@bourse/core';
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
/** The default type, which every notice has in addition to its own. */
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

/** The announcement of a scheduled change, in the form of a notice. Its number is below that of any notice. */
export function scheduledNotice(
  { entry, at, command, createdAt, state }: ScheduleEntry,
  catalogue: Catalogue,
): Notice {
  const when = new Date(at).toISOString();
  const what = describeChange(command, catalogue);
  const came = {
    scheduled: '',
    done: ' It has taken effect.',
    refused: ' It was not possible at that time.',
  }[state];
  return {
    notice: -entry,
    title: what,
    text: `From ${when} on: ${what}.${came}`,
    url: '',
    types: [isDelisting(command) ? 'delistings' : 'product-updates'],
    language: DEFAULT_LANGUAGE,
    publishAt: createdAt,
  };
}

const isDelisting = (command: ScheduledChange): boolean =>
  command.kind === 'set-market-state' && command.state === 'delisted';

function describeChange(command: ScheduledChange, catalogue: Catalogue): string {
  const code = (symbol: number) => catalogue.symbolAt(symbol)?.code ?? String(symbol);
  switch (command.kind) {
    case 'set-market-state':
      return `${code(command.symbol)} is ${command.state}`;
    case 'begin-auction':
      return `${code(command.symbol)} holds an auction of ${command.endsInMs / 1000} s, then it is ${command.thenState}`;
    case 'cancel-auction':
      return `the auction of ${code(command.symbol)} is cancelled`;
    case 'pause-exchange':
      return 'trading is paused';
    case 'resume-exchange':
      return 'trading is resumed';
    case 'change-symbol':
      return `the terms of ${code(command.symbol)} change`;
    case 'set-fees':
    case 'remove-fees':
      return command.symbol === undefined ? 'fees change' : `the fees of ${code(command.symbol)} change`;
  }
}

export const typesOf = (types: readonly string[]): string[] => [...new Set([DEFAULT_TYPE, ...types])];
