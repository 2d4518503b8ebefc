/** One attack in a process of its own, so that whoever measures the bystander does not wait for the attacker. */

import { ATTACKS } from './attacks.ts';

export interface Order {
  readonly name: string;
  readonly url: string;
  readonly step: 'prepare' | 'run' | 'stop';
}

let running = new AbortController();

process.on('message', ({ name, url, step }: Order) => {
  const attack = ATTACKS.find((each) => each.name === name);
  if (attack === undefined) throw new Error(`there is no attack ${name}`);
  const target = { url, port: Number(new URL(url).port) };
  if (step === 'stop') running.abort();
  else {
    running = new AbortController();
    const work = step === 'prepare' ? attack.prepare?.(target) : attack.run(target, running.signal);
    void Promise.resolve(work).then(() => process.send?.('done'));
  }
});
process.send?.('ready');
