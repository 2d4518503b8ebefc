/** Changes scheduled for a point in exchange time. */

import type { Administration, Outcome, ScheduledChange, ScheduleEntry } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { SchemaCheck, type TObject, Type } from '../schema.ts';
import { markedId } from '../ids.ts';
import { detailsOf } from './audit-entry.ts';
import { operatorRefusal } from './operator-errors.ts';
import { failureOf } from './proposal-routes.ts';
import { findMarked } from './resolve.ts';
import { checkNotEmpty, type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

/** Calls that can be scheduled, by the core's commands. */
const SCHEDULED: readonly string[] = [
  'set-market-state',
  'begin-auction',
  'cancel-auction',
  'pause-exchange',
  'resume-exchange',
  'change-symbol',
  'set-fees',
  'remove-fees',
];

/** `others`: all routes, including those that can be scheduled. */
export function scheduleRoutes(others: readonly OperatorRoute[]): readonly OperatorRoute[] {
  const callable = new Map(
    others.filter(({ id }) => SCHEDULED.includes(id)).map((route) => [route.id, checked(route)]),
  );
  return [
    operatorRoute({
      id: 'list-schedule',
      method: 'GET',
      path: '/v1/schedule',
      summary: 'Scheduled changes, pending and completed, earliest first.',
      handle: ({ services }) => readSchedule(services),
    }),
    operatorRoute({
      id: 'schedule-call',
      method: 'POST',
      path: '/v1/schedule',
      roles: ['listing', 'admin'],
      summary:
        'Schedules a call: its change takes effect at `at`, and is announced publicly. Path parameters are in `params`.',
      body: {
        at: Type.Integer({ minimum: 0, description: 'Milliseconds since 1970.' }),
        call: Type.String(),
        params: Type.Optional(Type.Record(Type.String(), Type.String())),
        body: Type.Optional(Type.Object({}, { additionalProperties: true })),
      },
      async handle({ services, body, caller, act }) {
        const { at, call, params = {}, body: sent = {} } = body;
        const found = callable.get(call);
        if (!found) {
          const msg = `call: '${shortened(call)}' cannot be scheduled. Expected one of: ${SCHEDULED.join(', ')}.`;
          throw operatorRefusal('call-not-possible', msg);
        }
        if (!caller.calls.includes(call)) {
          const msg = `None of your roles has ${call}. It needs one of: ${found.route.roles.join(', ')}.`;
          throw operatorRefusal('role', msg);
        }
        const command = await found.commandOf(services, params, sent);
        const outcome = await act({ kind: 'schedule-call', at, scheduled: call, command });
        if (outcome.kind !== 'added')
          throw new Error(`unexpected outcome '${outcome.kind}' of a scheduled call`);
        const entries = await services.port.read(({ reference }) => reference.schedule());
        return showEntry(services, entries.find(({ entry }) => entry === outcome.id) as ScheduleEntry);
      },
    }),
    operatorRoute({
      id: 'unschedule-call',
      method: 'DELETE',
      path: '/v1/schedule/:scheduleId',
      roles: ['listing', 'admin'],
      summary: 'Withdraws a pending change.',
      params: { scheduleId: Type.String() },
      async handle({ params, act }) {
        await act({ kind: 'unschedule-call', entry: findMarked('schedule', params.scheduleId) });
        return { id: params.scheduleId, removed: true };
      },
    }),
  ];
}

/** Thrown with the command that a handler would submit, to end the handler there. */
class Captured extends Error {
  readonly command: Administration;

  constructor(command: Administration) {
    super('captured');
    this.command = command;
  }
}

/** Runs a call's handler up to its command, without submitting it. */
function checked(route: OperatorRoute) {
  const params = new SchemaCheck(route.params ?? EMPTY, 'path');
  const isRemoval = route.method === 'DELETE';
  const fields = new SchemaCheck((isRemoval ? route.query : route.body) ?? EMPTY, 'body');
  return {
    route,
    async commandOf(
      services: OperatorServices,
      given: Readonly<Record<string, string>>,
      sent: { readonly reason?: unknown },
    ): Promise<ScheduledChange> {
      // Uses the reason of the scheduling call.
      const { reason = 'scheduled', ...body } = sent;
      params.check(given);
      fields.check({ ...body, reason });
      checkNotEmpty(route, body);
      const act = (command: Administration): Promise<Outcome> => {
        throw new Captured(command);
      };
      const call = { services, params: given, query: isRemoval ? body : {}, body, act };
      try {
        await route.handle(call as never);
      } catch (error) {
        if (error instanceof Captured) return error.command as ScheduledChange;
        throw error;
      }
      throw new Error(`${route.id} submitted nothing`);
    },
  };
}

const EMPTY: TObject = Type.Object({}, { additionalProperties: false });

async function readSchedule(services: OperatorServices) {
  const entries = await services.port.read(({ reference }) => reference.schedule());
  return entries
    .toSorted((a, b) => a.at - b.at || a.entry - b.entry)
    .map((each) => showEntry(services, each));
}

function showEntry(services: OperatorServices, entry: ScheduleEntry) {
  const { at, scheduled, command, by, why, createdAt, state, failure } = entry;
  return {
    id: markedId('schedule', entry.entry),
    at,
    call: scheduled,
    status: state,
    scheduledBy: by,
    reason: why,
    created: createdAt,
    command: { kind: command.kind, ...detailsOf(command, services.catalogue) },
    ...(failure && { failure: failureOf(services, command as Administration, failure) }),
  };
}
