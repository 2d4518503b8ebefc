/** Control of the world: its clock, its snapshots and forks, and its market. */

import { line, type Refusal, Type } from '@bourse/api';
import { DAY_MS } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { type ClockMode, parseClock, SPEED_MAX } from '../clock/sandbox-clock.ts';
import { MarketRefusal, SEED_MAX } from '../market/market-control.ts';
import { isPreset, PRESET_NAMES } from '../market/presets.ts';
import { type SandboxErrorName, sandboxRefusal } from '../sandbox-errors.ts';
import { type ControlRoute, controlRoute } from './route.ts';

const ADVANCE_MS_MAX = 366 * DAY_MS;
const SPEED_MIN = 2;
const QUIET_MS_MAX = 60_000;

/** Responds when everything that happened is durable. */
export const ADVANCE_PATHS = ['/clock/advance', '/clock/advance-until-idle'] as const;
const [ADVANCE, ADVANCE_UNTIL_IDLE] = ADVANCE_PATHS;

/** Control of time: the clock's mode and speed, and advances. */
export const CLOCK_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'get-sandbox-clock',
    method: 'GET',
    path: '/clock',
    summary: 'Exchange time, the mode, and for a scaled clock the speed recently `reached`.',
    handle: ({ sandbox }) => sandbox.world.clock.view,
  }),
  controlRoute({
    id: 'set-sandbox-clock',
    method: 'POST',
    path: '/clock',
    summary: 'Changes the mode of the clock; time continues from its current value.',
    body: {
      mode: Type.Union([Type.Literal('real'), Type.Literal('scaled'), Type.Literal('manual')]),
      speed: Type.Optional(Type.Number({ minimum: 0, maximum: SPEED_MAX })),
    },
    async handle({ sandbox, body: { mode, speed } }) {
      if (mode === 'scaled' && !(speed !== undefined && speed >= SPEED_MIN)) {
        throw sandboxRefusal(
          'value-invalid',
          `speed: a scaled clock needs one from ${SPEED_MIN} to ${SPEED_MAX}.`,
        );
      }
      const only = mode === 'real' ? 1 : 0;
      if (mode !== 'scaled' && speed !== undefined && speed !== only) {
        throw sandboxRefusal('value-invalid', `speed: with mode ${mode} it is ${only}; leave it out.`);
      }
      return sandbox.changeClock(mode, speed ?? only);
    },
  }),
  controlRoute({
    id: 'advance-sandbox-clock',
    method: 'POST',
    path: ADVANCE,
    summary: 'Advances a stopped clock, and executes everything due on the way (409 if the clock runs).',
    body: { ms: Type.Integer({ minimum: 0, maximum: ADVANCE_MS_MAX }) },
    async handle({ sandbox, body: { ms } }) {
      const reached = await sandbox.advance(ms);
      if (typeof reached === 'string') throw clockRuns(reached);
      return reached;
    },
  }),
  controlRoute({
    id: 'advance-until-idle',
    method: 'POST',
    path: ADVANCE_UNTIL_IDLE,
    summary:
      'Advances a stopped clock in steps of `stepMs` while requests arrive or are in flight, until there was none for `quietMs` of wall time or `maxMs` have passed.',
    body: {
      stepMs: Type.Optional(Type.Integer({ minimum: 1, maximum: ADVANCE_MS_MAX })),
      quietMs: Type.Optional(Type.Integer({ minimum: 1, maximum: QUIET_MS_MAX })),
      maxMs: Type.Optional(Type.Integer({ minimum: 0, maximum: ADVANCE_MS_MAX })),
    },
    async handle({ sandbox, body: { stepMs = 100, quietMs = 50, maxMs = 600_000 } }) {
      const reached = await sandbox.advanceUntilIdle({ stepMs, quietMs, maxMs });
      if (typeof reached === 'string') throw clockRuns(reached);
      return reached;
    },
  }),
];

const clockRuns = (mode: ClockMode): Refusal<SandboxErrorName> =>
  sandboxRefusal(
    'clock-runs',
    `The clock is ${mode}: it runs by itself. POST /clock {"mode":"manual"} stops it.`,
  );

const NAME_LENGTH_MAX = 128;
const Text = Type.String();

/** Snapshots, restore, forks. */
export const WORLD_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'take-snapshot',
    method: 'POST',
    path: '/snapshots',
    summary: 'Takes a snapshot of the current state, to restore or to fork from.',
    body: { name: Type.Optional(line(NAME_LENGTH_MAX, 1)) },
    handle: ({ sandbox, body: { name } }) => sandbox.snapshot(name),
  }),
  controlRoute({
    id: 'list-snapshots',
    method: 'GET',
    path: '/snapshots',
    summary: 'Lists the snapshots, oldest first.',
    handle: ({ sandbox }) => sandbox.snapshots.list(),
  }),
  controlRoute({
    id: 'remove-snapshot',
    method: 'DELETE',
    path: '/snapshots/:id',
    summary: 'Removes a snapshot, by its id or name. Restored states and forks of it stay.',
    params: { id: Text },
    async handle({ sandbox, params: { id } }) {
      return { id: await sandbox.removeSnapshot(id) };
    },
  }),
  controlRoute({
    id: 'restore-snapshot',
    method: 'POST',
    path: '/snapshots/:id/restore',
    summary:
      'Restores a snapshot, by its id or name. Websockets are closed with 1012; requests in flight get 503 or are disconnected.',
    params: { id: Text },
    handle: ({ sandbox, params: { id } }) => sandbox.restore(id),
  }),
  controlRoute({
    id: 'add-fork',
    method: 'POST',
    path: '/forks',
    summary:
      'Starts a second exchange at another address, from the current state, a snapshot (its id or name) or a sequence of the log.',
    body: {
      from: Type.Optional(Type.Union([Text, Type.Integer({ minimum: 0 })])),
      market: Type.Optional(Text),
      clock: Type.Optional(Text),
      seed: Type.Optional(Type.Integer({ minimum: 0, maximum: SEED_MAX })),
      port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    },
    handle({ sandbox, body }) {
      if (body.clock !== undefined && parseClock(body.clock) === undefined) {
        const msg = `clock: '${shortened(body.clock)}' is not real, manual, or x and a speed from 2 to 10000, such as x10.`;
        throw sandboxRefusal('value-invalid', msg);
      }
      if (body.market !== undefined && !isPreset(body.market)) {
        const msg = `market: unknown preset '${shortened(body.market)}'. Expected one of: ${PRESET_NAMES.join(', ')}.`;
        throw sandboxRefusal('value-invalid', msg);
      }
      return refusing(() => sandbox.fork(body));
    },
  }),
  controlRoute({
    id: 'list-forks',
    method: 'GET',
    path: '/forks',
    summary: 'Lists the forks of this sandbox, each as a connection file with its id.',
    handle: ({ sandbox }) => sandbox.forks.list(),
  }),
  controlRoute({
    id: 'remove-fork',
    method: 'DELETE',
    path: '/forks/:id',
    summary: 'Ends a fork and removes its data.',
    params: { id: Text },
    async handle({ sandbox, params: { id } }) {
      await sandbox.forks.remove(id);
      return { id };
    },
  }),
];

/** The market: its preset and symbols, shocks to its prices, and replays. */
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
