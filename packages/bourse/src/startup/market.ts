/** The market of a sandbox: its agents come, or go on where they were, before anybody is told that it is ready. */

import type { GatewayLog } from '@bourse/api/basics';
import type { Clock, ExchangePort } from '@bourse/engine';
import { LivingMarket } from '@bourse/sandbox';
import type { Settings } from '../config/settings.ts';

export async function openMarket(
  { market: preset, seed, recordings }: Settings,
  port: ExchangePort,
  clock: Clock,
  log: GatewayLog,
): Promise<LivingMarket> {
  const market = await LivingMarket.open({
    port,
    clock,
    recordings,
    onProblem: (sentence) => log.warn(sentence),
  });
  await market.begin({ preset, seed });
  return market;
}
