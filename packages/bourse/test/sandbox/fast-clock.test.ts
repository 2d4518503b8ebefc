/** Time waits for the agents: a fast clock has the same market as a standing one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulationState } from '../../../sandbox/src/market/market-control.ts';
import { sandboxFor, type TestSandbox } from './exchange.ts';

const SIMULATED_MS = 40_000;

interface Clock {
  readonly mode: string;
  readonly speed: number;
  readonly time: number;
  readonly reached?: number;
}

/** The agents' steps in each second of exchange time. */
async function stepsPerSecond({ call, running }: TestSandbox, clock: string): Promise<number> {
  const look = async () => ({
    step: await running.engine.read((exchange) => simulationState(exchange)!.step),
    ...(await call<{ clock: Clock }>('GET', '/')),
  });
  const from = await look();
  if (clock === 'manual') await call('POST', '/clock/advance', { ms: SIMULATED_MS });
  else {
    let now: Clock;
    do {
      await new Promise((resolve) => setTimeout(resolve, 20));
      now = await call<Clock>('GET', '/clock');
    } while (now.time < from.clock.time + SIMULATED_MS || now.reached === undefined);
    assert.ok(now.reached > 0 && now.reached <= 1.1 * now.speed, JSON.stringify(now));
    await call('POST', '/clock', { mode: 'manual' });
  }
  const to = await look();
  return (1000 * (to.step - from.step)) / (to.clock.time - from.clock.time);
}

test('a fast clock does not thin the market more than a clock that stands still', async (context) => {
  const rates: number[] = [];
  for (const clock of ['manual', 'x1000', 'x10000']) {
    const sandbox = await sandboxFor(context, { market: 'calm', clock });
    rates.push(await stepsPerSecond(sandbox, clock));
  }
  const [standing] = rates;
  for (const rate of rates) assert.ok(rate > 0.7 * standing! && rate < 1.4 * standing!, rates.join(', '));
});
