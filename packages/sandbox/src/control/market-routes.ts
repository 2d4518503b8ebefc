/** The market: its preset and symbols, shocks to its prices, and replays. */

import { Type } from '@bourse/api';
import { sandboxRefusal } from '../sandbox-errors.ts';
import { MarketRefusal } from '../market/market-checks.ts';
import { type ControlRoute, controlRoute } from './route.ts';

const Text = Type.String();

export const MARKET_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'get-sandbox-market',
    method: 'GET',
    path: '/market',
    summary: 'The preset, the seed, and each simulated symbol with its latent price and its agents.',
    handle: ({ sandbox }) => sandbox.world.living.view(),
  }),
  controlRoute({
    id: 'set-sandbox-market',
    method: 'POST',
    path: '/market',
    summary: 'Changes preset, seed or symbols; agents that leave cancel their orders first.',
    body: {
      preset: Type.Optional(Text),
      seed: Type.Optional(Type.Integer({ minimum: 0 })),
      symbols: Type.Optional(Type.Array(Text)),
    },
    handle: ({ sandbox, body }) => refusing(() => sandbox.world.living.set(body)),
  }),
  controlRoute({
    id: 'shock-sandbox-market',
    method: 'POST',
    path: '/market/shock',
    summary:
      'The latent value of a currency, or of a symbol’s base currency, jumps by a factor (0.5 halves it).',
    body: {
      symbol: Type.Optional(Text),
      currency: Type.Optional(Text),
      factor: Type.Number(),
    },
    handle: ({ sandbox, body }) => refusing(() => sandbox.world.living.shock(body)),
  }),
  controlRoute({
    id: 'start-replay',
    method: 'POST',
    path: '/market/replay',
    summary:
      'Replays a recorded market on a symbol, independently of replays on others; the file is below the directory of `--recordings`.',
    body: { symbol: Text, file: Text, speed: Type.Optional(Type.Number()) },
    handle: ({ sandbox, body }) => refusing(() => sandbox.world.living.startReplay(body)),
  }),
  controlRoute({
    id: 'get-replay',
    method: 'GET',
    path: '/market/replay',
    summary: 'Lists the replays, with the position of each and the lines that could not be played.',
    handle: ({ sandbox }) => sandbox.world.living.replay(),
  }),
  controlRoute({
    id: 'stop-replay',
    method: 'DELETE',
    path: '/market/replay',
    summary: 'Stops the replay of a symbol, or all replays. Without one it does nothing.',
    query: { symbol: Type.Optional(Text) },
    handle: ({ sandbox, query }) => sandbox.world.living.stopReplay(query.symbol),
  }),
];

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MarketRefusal) throw sandboxRefusal('value-invalid', error.message);
    throw error;
  }
}
