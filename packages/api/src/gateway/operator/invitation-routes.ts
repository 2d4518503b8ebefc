/** Invitations for people to sign up where `signUp` is `invite`. */

import { Type } from '../schema.ts';
import { OperatorError } from './operator-error.ts';
import { type OperatorCall, type OperatorRoute, Reason } from './route.ts';

interface InvitationBody {
  readonly email?: string;
  readonly expires?: number;
}

/** Changes nothing in the exchange, so the reason may be left out. */
export const INVITATION_ROUTES: readonly OperatorRoute[] = [
  {
    id: 'add-invitation',
    method: 'POST',
    path: '/v1/invitations',
    roles: ['support'],
    policy: 'never',
    summary: 'Makes an invitation to sign up; it works once, for 7 days or until `expires`.',
    query: Type.Object({}, { additionalProperties: false }),
    body: Type.Object(
      {
        email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
        expires: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
        reason: Type.Optional(Reason),
      },
      { additionalProperties: false },
    ),
    handle({ services, body }: OperatorCall<unknown, unknown, InvitationBody>) {
      const { invite } = services;
      if (!invite) throw new OperatorError(404, 'no-identity', 'People cannot sign in to this exchange.');
      return { invitation: invite(body) };
    },
  } as OperatorRoute,
];
