/**
 * The family's older transfer calls; both are the flex transfer with other field names. Between a user's own accounts
 * they require the permission to trade, between two users the permission to transfer, like the flex transfer.
 */

import { Type, wordOf } from '../../schema.ts';
import { invalid, shown } from '../../errors/invalid.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { move } from './transfers.ts';

const text = Type.String();
const optional = Type.Optional(text);
const ANSWER = Type.Object({ orderId: text });

export function innerTransferRoutes(services: Services): Route[] {
  const common = { method: 'POST', pool: 'manage', shape: 'A', answer: ANSWER } as const;
  return [
    route({
      ...common,
      id: 'inner-transfer',
      access: 'spot',
      path: '/api/v2/accounts/inner-transfer',
      summary: "Moves money between the caller's own accounts.",
      weight: 10,
      body: {
        clientOid: text,
        currency: text,
        amount: text,
        from: wordOf('main', 'trade'),
        to: wordOf('main', 'trade'),
      },
      handle(call) {
        const { clientOid, currency, amount, from, to } = call.body;
        return move(services, {
          ...call,
          body: {
            clientOid,
            currency,
            amount,
            type: 'INTERNAL',
            fromAccountType: from.toUpperCase(),
            toAccountType: to.toUpperCase(),
          },
        });
      },
    }),
    route({
      ...common,
      id: 'sub-transfer',
      access: 'flex-transfers',
      path: '/api/v2/accounts/sub-transfer',
      summary: 'Moves money from a master to its sub-account (OUT) or back (IN).',
      weight: 30,
      body: {
        clientOid: text,
        currency: text,
        amount: text,
        direction: wordOf('IN', 'OUT'),
        subUserId: text,
        accountType: optional,
        subAccountType: optional,
      },
      handle(call) {
        const { clientOid, currency, amount, direction, subUserId } = call.body;
        const account = (call.body.accountType || 'MAIN').toUpperCase();
        const subAccount = (call.body.subAccountType || 'MAIN').toUpperCase();
        const money = { clientOid, currency, amount };
        if (direction === 'OUT') {
          const accounts = { fromAccountType: account, toAccountType: subAccount, toUserId: subUserId };
          return move(services, { ...call, body: { ...money, type: 'PARENT_TO_SUB', ...accounts } });
        }
        if (direction !== 'IN') throw invalid(`direction ${shown(direction)} must be IN or OUT.`);
        const accounts = { fromAccountType: subAccount, toAccountType: account, fromUserId: subUserId };
        return move(services, { ...call, body: { ...money, type: 'SUB_TO_PARENT', ...accounts } });
      },
    }),
  ];
}
