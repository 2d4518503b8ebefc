/** The market of a sandbox: its agents come, or go on where they were, before anybody is told that it is ready. */

import type { Settings } from '../config/settings.ts';
import type { ExchangePort } from '../engine/exchange-port.ts';
import type { GatewayLog } from '../gateway/http/log.ts';
import type { Clock } from '../io/clock.ts';
import { LivingMarket } from '../sandbox/market/living-market.ts';

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
