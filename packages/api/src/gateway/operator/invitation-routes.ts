/** Invitations for people to sign up where `signUp` is `invite`. */

import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { noteCall, type OperatorRoute, operatorRoute } from './route.ts';

export const INVITATION_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'add-invitation',
    method: 'POST',
    path: '/v1/invitations',
    roles: ['support'],
    policy: 'never',
    isReasonOptional: true,
    summary: 'Creates an invitation to sign up, valid once, for 7 days or until `expires`.',
    body: {
      email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
      expires: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    },
    async handle({ services, body, act }) {
      const { invite } = services;
      if (!invite) throw operatorRefusal('no-identity', 'People cannot sign in to this exchange.');
      const invitation = invite(body);
      await noteCall({ act, services }, 'add-invitation');
      return { invitation };
    },
  }),
];
