/**
 * The users that every sandbox begins with. Their keys are published (docs/operating/sandbox.md) and exist in no venue:
 * there they are refused like any unknown key.
 */

import type { Credentials } from '@bourse/client';

export interface PublishedUser extends Credentials {
  readonly name: string;
  readonly about: string;
}

export const publishedUsers: readonly PublishedUser[] = [
  {
    name: 'alice',
    about: 'has money and a sub-account',
    apiKey: '65a0b0c0d0e0f00000a11ce1',
    apiSecret: 'a11ce000-5a4d-4b0c-8e11-000000000001',
    apiPassphrase: 'alice-sandbox',
  },
  {
    name: 'bob',
    about: 'has money',
    apiKey: '65a0b0c0d0e0f000000b0b01',
    apiSecret: 'b0b00000-5a4d-4b0c-8e11-000000000002',
    apiPassphrase: 'bob-sandbox',
  },
  {
    name: 'carol',
    about: 'has money',
    apiKey: '65a0b0c0d0e0f00000ca2011',
    apiSecret: 'ca201000-5a4d-4b0c-8e11-000000000003',
    apiPassphrase: 'carol-sandbox',
  },
];
