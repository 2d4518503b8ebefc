/** Snapshots, restore, forks. */

import { line, Type } from '@bourse/api';
import { shortened } from '@bourse/engine';
import { parseClock } from '../clock/sandbox-clock.ts';
import { sandboxRefusal } from '../sandbox-errors.ts';
import { SEED_MAX } from '../market/market-checks.ts';
import { isPreset, PRESET_NAMES } from '../market/presets.ts';
import { type ControlRoute, controlRoute } from './route.ts';

const NAME_LENGTH_MAX = 128;
const Text = Type.String();

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
        const msg = `market: '${shortened(body.market)}' is not known: it must be one of ${PRESET_NAMES.join(', ')}.`;
        throw sandboxRefusal('value-invalid', msg);
      }
      return sandbox.fork(body);
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
