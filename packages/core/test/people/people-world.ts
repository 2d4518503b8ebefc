/** An exchange with one person, for trying commands. */

import { openMarket } from '@bourse/test-kit/market.ts';
import { type Command, Exchange, type Outcome, RULES_VERSION } from '../../src/index.ts';
import { Venue } from '@bourse/test-kit/venue.ts';

export const PERSON = 'p-1';
const SESSION = 's-1';
export const MINUTE_MS = 60_000;

export const addPerson = (person = PERSON, login = 'login-1'): Command => ({
  kind: 'add-person',
  person,
  login,
  profile: 'sealed',
  verifier: 'sealed',
  spends: [],
});

export const openSession = (venue: Venue, session = SESSION, more: object = {}): Command => ({
  kind: 'open-session',
  person: PERSON,
  session,
  token: `token of ${session}`,
  expires: venue.time + 12 * 60 * MINUTE_MS,
  key: { key: `key-of-${session}`, secret: 'sealed', permissions: ['general', 'spot', 'withdrawal'] },
  address: 'address-1',
  proof: { version: versionOf(venue) },
  ...more,
});

export const versionOf = ({ exchange }: Venue): number => exchange.reference.people.get(PERSON)?.version ?? 0;

export const inSession = { person: PERSON, session: SESSION } as const;

export function told(outcome: Outcome): string {
  return outcome.kind === 'rejected' ? `rejected ${outcome.rejection.code}` : outcome.kind;
}

/** The outcome of one command. */
export const attempt = (venue: Venue, command: Command): string => told(venue.try(command).outcomes[0]);

/** A market with a person who has money and a session; the user's number is returned with it. */
export function peopleVenue(): { readonly venue: Venue; readonly user: number } {
  const venue = new Venue(new Exchange());
  venue.rules = RULES_VERSION;
  venue.do(...openMarket());
  const user = venue.make(addPerson());
  venue.do(openSession(venue));
  venue.do({
    kind: 'report-deposit',
    user,
    currency: 0,
    chain: 'net',
    amount: 10n ** 9n,
    txId: `money ${user}`,
    travelRule: false,
  });
  return { venue, user };
}
