/** A script of requests and advances that follows from a seed: the same for every sandbox it is played to. */

import { Random } from '@bourse/test-kit/random.ts';
import { SignedClient } from './client.ts';
import type { TestSandbox } from './exchange.ts';

export type Step =
  | { readonly kind: 'place'; readonly user: string; readonly order: object }
  | { readonly kind: 'cancel'; readonly user: string; readonly clientOid: string }
  | { readonly kind: 'faucet'; readonly user: string; readonly amount: string }
  | { readonly kind: 'advance'; readonly ms: number };

const USERS = ['alice', 'bob', 'carol'];

/** `requests` of them, with `ms` of advances in between. */
export function makeScript(seed: number, requests: number, ms: number): Step[] {
  const random = new Random(seed);
  const steps: Step[] = [];
  for (let at = 0; at < requests; at++) {
    const user = random.pick(USERS);
    const kind = random.pick(['place', 'place', 'place', 'cancel', 'faucet'] as const);
    if (kind === 'faucet') steps.push({ kind, user, amount: String(1 + random.below(1000)) });
    else if (kind === 'cancel') steps.push({ kind, user, clientOid: `o${random.below(at + 1)}` });
    else {
      const gtt = random.below(4) === 0 ? { timeInForce: 'GTT', cancelAfter: 1 + random.below(600) } : {};
      steps.push({
        kind,
        user,
        order: {
          clientOid: `o${at}`,
          side: random.pick(['buy', 'sell']),
          price: String(9990 + random.below(21)),
          size: `0.0${1 + random.below(9)}`,
          ...gtt,
        },
      });
    }
    if (random.below(3) === 0) steps.push({ kind: 'advance', ms: random.below((6 * ms) / requests) });
  }
  return steps;
}

/** Sends each request like an ordinary client, one after the other, and passes responses to `onReply`. */
export async function play(
  { running, call }: TestSandbox,
  steps: readonly Step[],
  onReply: (text: string) => void = () => undefined,
): Promise<void> {
  const clients = new Map(USERS.map((name) => [name, new SignedClient(running.connection, name)]));
  for (const step of steps) {
    if (step.kind === 'advance')
      onReply(JSON.stringify(await call('POST', '/clock/advance', { ms: step.ms })));
    else if (step.kind === 'faucet') {
      const { user, amount } = step;
      onReply(
        JSON.stringify(await call('POST', '/faucet', { user, currency: 'USDT', amount, account: 'trade' })),
      );
    } else if (step.kind === 'place') onReply((await clients.get(step.user)!.place(step.order)).text);
    else {
      const path = `/api/v1/hf/orders/client-order/${step.clientOid}?symbol=BTC-USDT`;
      onReply((await clients.get(step.user)!.send('DELETE', path)).text);
    }
  }
}
