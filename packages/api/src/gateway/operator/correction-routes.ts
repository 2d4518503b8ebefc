/** Corrections: reverse movements that were reported or paid by mistake, or move money, by new postings. */

import type { Correction, MoneySide } from '@bourse/core';
import { COUNT_MAX, EVERYBODY } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney } from '../decimals.ts';
import { markedId, userId } from '../ids.ts';
import { cutOf, PAGE_QUERY, pageOf, pageWith } from '../paging.ts';
import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findCurrency, findMarked, findUser, parseAmount, unknownId } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const Text = Type.String();
const Side = Type.Object(
  {
    userId: Type.Optional(Text),
    account: Type.Optional(Type.Union([Type.Literal('main'), Type.Literal('trade')])),
    system: Type.Optional(Type.Union([Type.Literal('fees'), Type.Literal('suspense')])),
  },
  { additionalProperties: false },
);

export const CORRECTION_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'correct',
    method: 'POST',
    path: '/v1/corrections',
    roles: ['finance'],
    policy: 'above',
    summary:
      'Reverses a credited deposit, a sent withdrawal or a correction (`reverse`), or moves money between users’ accounts, fees and suspense (`move`), by new postings. `clientOid` is the idempotency key of a move.',
    body: {
      kind: Type.Union([Type.Literal('reverse'), Type.Literal('move')]),
      depositId: Type.Optional(Text),
      withdrawalId: Type.Optional(Text),
      correctionId: Type.Optional(Text),
      currency: Type.Optional(Text),
      amount: Type.Optional(Text),
      from: Type.Optional(Side),
      to: Type.Optional(Side),
      clientOid: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    },
    async handle({ services, body, act }) {
      checkFields(body);
      const outcome = await act(
        body.kind === 'reverse' ? reversalOf(body) : moveOf(services, body as Partial<Move>),
      );
      if (outcome.kind !== 'added') throw new Error(`unexpected outcome '${outcome.kind}' of a correction`);
      return readCorrection(services, outcome.id);
    },
  }),
  operatorRoute({
    id: 'list-corrections',
    method: 'GET',
    path: '/v1/corrections',
    summary: 'All corrections, newest first.',
    query: PAGE_QUERY,
    async handle({ services, query }) {
      const { port, catalogue, longLists } = services;
      const page = pageOf({ query });
      const items = await longLists.collect({
        user: EVERYBODY,
        page: cutOf(page),
        read: (piece) =>
          port.read(({ reference }) =>
            reference.corrections(piece).map((each) => {
              const { correction: id } = each;
              return { id, each, by: reference.reversalOf(id) };
            }),
          ),
        show: (rows) => rows.map(({ each, by }) => showCorrection(each, by, catalogue)),
      });
      const count = await port.read(({ reference }) => reference.correctionCount);
      return pageWith(page, Math.min(count, COUNT_MAX), items);
    },
  }),
  operatorRoute({
    id: 'get-correction',
    method: 'GET',
    path: '/v1/corrections/:correctionId',
    summary: 'A correction with its postings.',
    params: { correctionId: Text },
    handle: ({ services, params }) => readCorrection(services, findMarked('correction', params.correctionId)),
  }),
];

const FIELDS_OF = {
  reverse: ['depositId', 'withdrawalId', 'correctionId'],
  move: ['currency', 'amount', 'from', 'to', 'clientOid'],
} as const;

/** Fields of the other kind are rejected: a caller who gives an amount does not expect a complete reversal. */
function checkFields(body: { readonly kind: 'reverse' | 'move' }): void {
  const own: readonly string[] = ['kind', ...FIELDS_OF[body.kind]];
  const strange = Object.keys(body).find((name) => !own.includes(name));
  if (strange === undefined) return;
  const what =
    body.kind === 'reverse'
      ? 'a reversal is always complete; to move a part, use kind move'
      : 'a move names no deposit, withdrawal or correction; to undo one, use kind reverse';
  throw operatorRefusal('field-not-allowed', `${strange}: ${what}.`);
}

interface Named {
  readonly depositId?: string;
  readonly withdrawalId?: string;
  readonly correctionId?: string;
}

function reversalOf({ depositId, withdrawalId, correctionId }: Named) {
  const named = [depositId, withdrawalId, correctionId].filter((each) => each !== undefined);
  if (named.length !== 1) {
    const msg = 'A reversal needs exactly one of depositId, withdrawalId and correctionId.';
    throw operatorRefusal('field-missing', msg);
  }
  return {
    kind: 'reverse-movement',
    ...(depositId !== undefined && { deposit: findMarked('deposit', depositId) }),
    ...(withdrawalId !== undefined && { withdrawal: findMarked('withdrawal', withdrawalId) }),
    ...(correctionId !== undefined && { correction: findMarked('correction', correctionId) }),
  } as const;
}

interface GivenSide {
  readonly userId?: string;
  readonly account?: 'main' | 'trade';
  readonly system?: 'fees' | 'suspense';
}

interface Move {
  readonly currency: string;
  readonly amount: string;
  readonly from: GivenSide;
  readonly to: GivenSide;
  readonly clientOid?: string;
}

function moveOf(services: OperatorServices, { currency: code, amount, from, to, clientOid }: Partial<Move>) {
  if (code === undefined || amount === undefined || from === undefined || to === undefined) {
    throw operatorRefusal('field-missing', 'A move needs currency, amount, from and to.');
  }
  const currency = findCurrency(services, code);
  return {
    kind: 'move-money',
    currency: currency.number,
    amount: parseAmount(amount, currency, currency.precision),
    from: sideOf(services, 'from', from),
    to: sideOf(services, 'to', to),
    ...(clientOid !== undefined && { clientId: clientOid }),
  } as const;
}

function sideOf(
  services: OperatorServices,
  field: string,
  { userId: id, account, system }: GivenSide,
): MoneySide {
  if (system !== undefined && id === undefined && account === undefined) return { system };
  if (system === undefined && id !== undefined && account !== undefined) {
    return { user: findUser(services, id).number, account };
  }
  const msg = `${field}: give userId and account ("main" or "trade"), or system ("fees" or "suspense").`;
  throw operatorRefusal('value-invalid', msg);
}

async function readCorrection({ port, catalogue }: OperatorServices, id: number) {
  const { found, by } = await port.read(({ reference }) => ({
    found: reference.correction(id),
    by: reference.reversalOf(id),
  }));
  if (!found) throw unknownId('correction', markedId('correction', id));
  return showCorrection(found, by, catalogue);
}

export function showCorrection(correction: Correction, by: number | null, catalogue: Catalogue) {
  const { code, scale } = catalogue.currencyAt(correction.currency);
  const { type, amount, postings, reverses } = correction;
  return {
    correctionId: markedId('correction', correction.correction),
    kind: type,
    currency: code,
    amount: formatMoney(amount, scale),
    clientOid: correction.clientId ?? null,
    reverses: reverses ? { [`${reverses.kind}Id`]: markedId(reverses.kind, reverses.id) } : null,
    reversedBy: by === null ? null : markedId('correction', by),
    postings: postings.map(({ user, account, change }) => ({
      ...(user < 0 ? { system: account } : { userId: userId(user), account }),
      amount: formatMoney(change, scale),
    })),
  };
}
