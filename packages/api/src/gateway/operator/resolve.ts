/** Resolves the names in operators' calls to the numbers of the core; throws for unknown ones. */

import type { Chain, Currency, SymbolSet, User } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { INEXPRESSIBLE, MALFORMED, moneyOf, unitsOf } from '../decimals.ts';
import { parseMarkedId, parseUserId } from '../ids.ts';
import type { Refusal } from '../errors/refusal.ts';
import { type OperatorErrorName, operatorRefusal } from './operator-errors.ts';
import type { Services } from '../services.ts';

/** Kinds of ids that operators may use. */
type LookedUp =
  | 'correction'
  | 'deposit'
  | 'operator'
  | 'proposal'
  | 'questionnaire'
  | 'schedule'
  | 'withdrawal';

/** The source of the names. */
type Named = Pick<Services, 'catalogue'>;

/** Resolves a user by id or by name; both are unique. */
export function findUser({ catalogue }: Named, text: string): User {
  const number = parseUserId(text);
  const user = number >= 0 ? catalogue.user(number) : catalogue.users().find(({ name }) => name === text);
  if (user) return user;
  throw operatorRefusal('user-unknown', `Unknown user '${shortened(text)}'. Give a user id or a name.`);
}

export function findCurrency({ catalogue }: Named, code: string): Currency {
  const currency = catalogue.currency(code);
  if (currency) return currency;
  const known = catalogue.currencies().map((each) => each.code);
  throw operatorRefusal('currency-unknown', `Unknown currency '${shortened(code)}'. Known: ${list(known)}.`);
}

export function findSymbol({ catalogue }: Named, code: string): SymbolSet {
  const symbol = catalogue.symbol(code);
  if (symbol) return symbol;
  throw operatorRefusal('symbol-unknown', `Unknown symbol '${shortened(code)}'.`);
}

/** Resolves a chain by id or name, case-insensitively. Optional if the currency has only one. */
export function findChain({ code, chains }: Currency, text: string | undefined): Chain {
  const wanted = text?.toLowerCase();
  const found =
    wanted === undefined
      ? chains.length === 1 && chains[0]
      : chains.find(({ chainId, chainName }) =>
          [chainId, chainName].some((each) => each.toLowerCase() === wanted),
        );
  if (found) return found;
  if (chains.length === 0) {
    const none = `${code} has no chain; add one with POST /v1/currencies/${code}.`;
    throw operatorRefusal('chain-unknown', none);
  }
  const known = list(chains.map((each) => each.chainId));
  const msg =
    text === undefined
      ? `${code} has several chains: name one of`
      : `${code} has no chain '${shortened(text)}'. Known:`;
  throw operatorRefusal('chain-unknown', `${msg} ${known}.`);
}

export function findMarked(kind: LookedUp, text: string): number {
  const number = parseMarkedId(kind, text);
  if (number >= 0) return number;
  throw unknownId(kind, text);
}

export function unknownId(kind: LookedUp, text: string): Refusal<OperatorErrorName> {
  return operatorRefusal(`${kind}-unknown`, `Unknown ${kind} '${shortened(text)}'.`);
}

/** Parses a positive decimal into the currency's units. The core checks the decimals of amounts that move: `places`. */
export function parseAmount(text: string, { code, scale }: Currency, places = scale): bigint {
  const units = moneyOf(text, scale);
  if (units === MALFORMED) {
    throw operatorRefusal(
      'value-invalid',
      `amount: '${shortened(text)}' is not a positive decimal such as "12.5".`,
    );
  }
  if (units === INEXPRESSIBLE) {
    const msg = `amount: ${shortened(text)} is finer than ${code} is counted (${places} places), or larger than it can be.`;
    throw operatorRefusal('value-invalid', msg);
  }
  return units as bigint;
}

/** In units of the symbol. The core checks that it is a multiple of the price increment. */
export function parsePrice(text: string, { code, priceDecimals, priceIncrement }: SymbolSet): number {
  const units = unitsOf(text, priceDecimals);
  if (units > 0) return units;
  const msg = `referencePrice: '${shortened(text)}' is not a price of ${code}. Expected a multiple of ${priceIncrement}.`;
  throw operatorRefusal('value-invalid', msg);
}

const LISTED_MAX = 30;

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  return names.length > LISTED_MAX ? `${names.slice(0, LISTED_MAX).join(', ')}, ...` : names.join(', ');
}
