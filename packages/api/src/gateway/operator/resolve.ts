/** From the words of an operator to the numbers of the core, or to a sentence on what is wrong with them. */

import type { Chain, Currency, SymbolSet, User } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { INEXPRESSIBLE, MALFORMED, moneyOf } from '../decimals.ts';
import { type MarkedKind, parseMarkedId, parseUserId } from '../ids.ts';
import { OperatorError } from './operator-error.ts';
import type { Services } from '../services.ts';

/** What has the names. */
type Named = Pick<Services, 'catalogue'>;

/** By id, or by name: names are unique too, and easier to type. */
export function findUser({ catalogue }: Named, text: string): User {
  const number = parseUserId(text);
  const user = number >= 0 ? catalogue.user(number) : catalogue.users().find(({ name }) => name === text);
  if (user) return user;
  throw new OperatorError(
    404,
    'user-unknown',
    `There is no user '${shortened(text)}': give a user id or a name.`,
  );
}

export function findCurrency({ catalogue }: Named, code: string): Currency {
  const currency = catalogue.currency(code);
  if (currency) return currency;
  const known = catalogue.currencies().map((each) => each.code);
  throw new OperatorError(
    404,
    'currency-unknown',
    `There is no currency '${shortened(code)}'. Known: ${list(known)}.`,
  );
}

export function findSymbol({ catalogue }: Named, code: string): SymbolSet {
  const symbol = catalogue.symbol(code);
  if (symbol) return symbol;
  throw new OperatorError(404, 'symbol-unknown', `There is no symbol '${shortened(code)}'.`);
}

/** By id or by name, whatever the case; left out where the currency has only one. */
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
    throw new OperatorError(404, 'chain-unknown', none);
  }
  const known = list(chains.map((each) => each.chainId));
  const msg =
    text === undefined
      ? `${code} has several chains: name one of`
      : `${code} has no chain '${shortened(text)}'. Known:`;
  throw new OperatorError(404, 'chain-unknown', `${msg} ${known}.`);
}

export function findMarked(kind: MarkedKind, text: string): number {
  const number = parseMarkedId(kind, text);
  if (number >= 0) return number;
  throw unknownId(kind, text);
}

export function unknownId(kind: MarkedKind, text: string): OperatorError {
  return new OperatorError(404, `${kind}-unknown`, `There is no ${kind} '${shortened(text)}'.`);
}

/** A positive decimal in the currency's units; how many places it may have is checked by the core. */
export function parseAmount(text: string, { code, scale }: Currency): bigint {
  const units = moneyOf(text, scale);
  if (units === MALFORMED) {
    throw new OperatorError(
      400,
      'value-invalid',
      `amount: '${shortened(text)}' is not a positive decimal such as "12.5".`,
    );
  }
  if (units === INEXPRESSIBLE) {
    const msg = `amount: ${shortened(text)} is finer than ${code} is counted (${scale} places), or larger than it can be.`;
    throw new OperatorError(400, 'value-invalid', msg);
  }
  return units as bigint;
}

const LISTED_MAX = 30;

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  return names.length > LISTED_MAX ? `${names.slice(0, LISTED_MAX).join(', ')}, ...` : names.join(', ');
}
