/** Control of time: the clock's mode and speed, and advances. */

import { type Refusal, Type } from '@bourse/api';
import { type SandboxErrorName, sandboxRefusal } from '../sandbox-errors.ts';
import { type ClockMode, SPEED_MAX } from '../clock/sandbox-clock.ts';
import { type ControlRoute, controlRoute } from './route.ts';

const DAY_MS = 86_400_000;
const ADVANCE_MS_MAX = 366 * DAY_MS;
const SPEED_MIN = 2;
const QUIET_MS_MAX = 60_000;

/** Responds when everything that happened is durable. */
export const ADVANCE_PATHS = ['/clock/advance', '/clock/advance-until-idle'] as const;
const [ADVANCE, ADVANCE_UNTIL_IDLE] = ADVANCE_PATHS;

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
