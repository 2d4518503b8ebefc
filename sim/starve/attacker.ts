/** One attack in its own process, so that it does not block the measurement of the bystander. */

import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks.ts';

export type Order =
  | { readonly name: string; readonly step: 'seed'; readonly dir: string }
  | { readonly name: string; readonly step: 'prepare' | 'run' | 'stop'; readonly url: string };

let running = new AbortController();

process.on('message', (order: Order) => {
  const attack = ATTACKS.find(({ name }) => name === order.name);
  if (attack === undefined) throw new Error(`there is no attack ${order.name}`);
  if (order.step === 'stop') running.abort();
  else void begin(attack, order).then(() => process.send?.('done'));
});

async function begin(attack: Attack, order: Exclude<Order, { step: 'stop' }>): Promise<void> {
  if (order.step === 'seed') {
    await attack.seed?.(order.dir);
    return;
  }
  const target = { url: order.url, port: Number(new URL(order.url).port) };
  running = new AbortController();
  await (order.step === 'prepare' ? attack.prepare?.(target) : attack.run(target, running.signal));
}
process.send?.('ready');
