/** Checks every hour that the agents' money adds up and lasts. */

import type { PresetName } from '../../packages/sandbox/src/market/presets.ts';
import { AGENTS } from '../../packages/sandbox/src/market/agents.ts';
import { currenciesIn } from '../../packages/sandbox/src/market/market-state.ts';
import { SimulatedMarket, START_MS } from '@bourse/test-kit/simulated-market.ts';

const HOUR_MS = 3_600_000;

export interface Solvency {
  /** Currencies whose accounts did not sum to zero after some hour. */
  readonly unbalanced: readonly string[];
  /** Orders rejected for lack of funds. */
  readonly unpaid: number;
  /** Other rejections, except cancels that came too late. */
  readonly refused: readonly string[];
  /** The share of its initial wealth that each agent still has, at latent values. */
  readonly left: ReadonlyMap<string, number>;
}

/** The share of its money that an agent must keep: trades are fair, and one agent's loss is another's gain. */
const LEFT_MIN = 0.5;

export const isSolvent = ({ unbalanced, unpaid, refused, left }: Solvency): boolean =>
  unbalanced.length === 0 &&
  unpaid === 0 &&
  refused.length === 0 &&
  [...left.values()].every((share) => share > LEFT_MIN);

export function runSolvency(preset: PresetName, seed: number, hours: number): Solvency {
  const market = new SimulatedMarket(preset, seed);
  const before = worths(market);
  const unbalanced = new Set<string>();
  const refused = new Set<string>();
  let unpaid = 0;
  for (let hour = 1; hour <= hours; hour++) {
    while (market.nextAt < START_MS + hour * HOUR_MS) {
      for (const outcome of market.step().applied.outcomes.decode()) {
        if (outcome.kind !== 'rejected' || outcome.rejection.code === 'order-unknown') continue;
        if (outcome.rejection.code === 'funds-insufficient') unpaid += 1;
        else refused.add(outcome.rejection.code);
      }
    }
    for (const code of findUnbalanced(market)) unbalanced.add(code);
  }
  const after = worths(market);
  const left = new Map(Array.from(before, ([name, worth]) => [name, (after.get(name) ?? 0) / worth]));
  return { unbalanced: [...unbalanced], unpaid, refused: [...refused], left };
}

function findUnbalanced({ exchange }: SimulatedMarket): string[] {
  return exchange.reference.currencies.flatMap(({ number, code }) => {
    let sum = 0n;
    for (const account of ['fees', 'outside', 'waiting', 'suspense'] as const)
      sum += exchange.systemBalance(account, number);
    for (let user = 0; user < exchange.counts.users; user++) {
      for (const { currency, available, hold } of exchange.accounts(user)) {
        if (currency === number) sum += available + hold;
      }
    }
    return sum === 0n ? [] : [code];
  });
}

/** In USDT, at current values. */
function worths({ exchange, state }: SimulatedMarket): Map<string, number> {
  const value = (code: string) =>
    Math.exp(currenciesIn(state).find((each) => each.code === code)?.value ?? 0);
  const { reference } = exchange;
  return new Map(
    AGENTS.map(({ name }) => {
      const user = reference.users.findIndex((each) => each.name === name);
      const worth = exchange.accounts(user).reduce((sum, { currency, available, hold }) => {
        const { code, scale } = reference.currencies[currency] as { code: string; scale: number };
        return sum + (Number(available + hold) / 10 ** scale) * value(code);
      }, 0);
      return [name, worth];
    }),
  );
}
