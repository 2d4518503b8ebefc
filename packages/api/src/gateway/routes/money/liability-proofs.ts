/** The proof that the exchange's published liabilities include the caller's balances. */

import { shortened } from '@bourse/engine';
import { Type } from '../../schema.ts';
import { Refusal } from '../../errors/refusal.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const text = Type.String();

const PROOF = Type.Object({
  id: text,
  record: Type.Integer(),
  time: Type.Integer(),
  origin: text,
  user: text,
  balances: Type.Array(
    Type.Object({
      currency: text,
      balance: text,
      units: text,
      nonce: text,
      path: Type.Array(Type.Object({ side: text, digest: text, units: text })),
    }),
  ),
});

export function liabilityProofRoutes({ transparency }: Services): Route[] {
  return [
    route({
      id: 'get-liability-proof',
      method: 'GET',
      path: '/api/v1/bourse/liabilities/:id/proof',
      summary: 'Proves that the published liabilities include the caller’s balances.',
      access: 'general',
      pool: 'manage',
      weight: 20,
      shape: 'A',
      params: { id: text },
      answer: PROOF,
      async handle({ user, params }) {
        const proof = await transparency?.liabilities.proofOf(params.id, user);
        if (proof) return proof;
        throw new Refusal(
          'liabilities-unknown',
          `There is no publication of liabilities with the id '${shortened(params.id)}'.`,
        );
      },
    }),
  ];
}
