/** Settings of people who sign in, and of the mails they get. */

import { Type } from '@bourse/api/basics';
import { about } from './about.ts';

const people = about('People');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const IDENTITY_ROWS = {
  signUp: Type.Union(
    [Type.Literal('default'), Type.Literal('open'), Type.Literal('invite'), Type.Literal('closed')],
    {
      default: 'default',
      ...people(
        'Who may sign up: anybody (open), invited people (invite), nobody (closed). `default` is open in a sandbox, invite at a venue.',
      ),
    },
  ),
  smtpUrl: Type.String({
    default: '',
    pattern: '^(smtps?://[^\\s]+)?$',
    ...people(
      'The mail server, such as smtps://user:password@mail.example.com. Empty: a sandbox keeps mails in its mailbox, and a venue cannot send any.',
    ),
    expects: 'a URL with smtp or smtps',
    secret: true,
  }),
  mailFrom: Type.String({
    default: 'Bourse <no-reply@localhost>',
    pattern: '^[^\\r\\n]{3,200}$',
    ...people('The sender of mails.'),
    expects: '3 to 200 characters on one line',
  }),
  sessionIdleMs: Type.Integer({
    default: 30 * MINUTE_MS,
    minimum: 1000,
    maximum: DAY_MS,
    ...people('A session ends when it has been idle this long.', 'ms'),
  }),
  sessionMaxMs: Type.Integer({
    default: 12 * 60 * MINUTE_MS,
    minimum: 1000,
    maximum: 30 * DAY_MS,
    ...people('A session ends after this long in any case.', 'ms'),
  }),
  addressDelayMs: Type.Integer({
    default: -1,
    minimum: -1,
    maximum: 30 * DAY_MS,
    ...people(
      'Delay before a new entry of the address book can be used. -1: 24 hours at a venue, none in a sandbox.',
      'ms',
    ),
  }),
};
