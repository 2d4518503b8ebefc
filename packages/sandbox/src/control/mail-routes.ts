/** The mails that a sandbox without a mail server would have sent. */

import { Type } from '@bourse/api';
import { type ControlRoute, controlRoute } from './route.ts';

export const MAIL_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'list-mail',
    method: 'GET',
    path: '/mail',
    summary: 'Mails to people of this sandbox, newest first; `to` names one address.',
    query: { to: Type.Optional(Type.String()) },
    handle: ({ sandbox, query }) => sandbox.mailbox.list(query.to),
  }),
];
