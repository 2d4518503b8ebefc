/** The sandbox at a glance: the market with its seed, clock, and how many snapshots, forks and faults there are. */

import { type ControlRoute, controlRoute } from './route.ts';

export const OVERVIEW_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'get-sandbox',
    method: 'GET',
    path: '/',
    summary: 'Seed, market, clock, sequence, and the numbers of snapshots, forks and faults.',
    async handle({ sandbox }) {
      const { world } = sandbox;
      const { preset, seed, symbols } = await world.living.view();
      return {
        seed,
        market: { preset, symbols: symbols.map(({ symbol }) => symbol) },
        clock: world.clock.view,
        seq: world.services.port.health.seq,
        snapshots: (await sandbox.snapshots.list()).length,
        forks: sandbox.forks.list().length,
        faults: sandbox.faults.list().length,
      };
    },
  }),
];
