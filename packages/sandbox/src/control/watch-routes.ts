/** Observation: requests, expectations, standing assertions. */

import { Readable } from 'node:stream';
import { type Catalogue, EventStream, findUser, line, Type } from '@bourse/api';
import { sandboxRefusal } from '../sandbox-errors.ts';
import { makeCheck, withUserName } from '../watch/assertions.ts';
import { Condition } from '../watch/condition.ts';
import { EVENT_FIELDS } from '../watch/events.ts';
import type { RequestEntry } from '../watch/requests.ts';
import { pathPattern } from '../faults/fault-rules.ts';
import { type ControlRoute, controlRoute } from './route.ts';
import type { Report, SandboxReport } from '../report/report.ts';
import { ReportsBusy } from '../report/report-threads.ts';
import { NoReport } from '../report/user-report.ts';
import type { Sandbox } from '../sandbox.ts';

const Text = Type.String();
const Digits = Type.String({ pattern: '^[0-9]{1,15}$', expects: 'an integer' });
const NAME_LENGTH_MAX = 128;
const LIMIT_MAX = 1000;
const LIMIT_DEFAULT = 100;
/** The backlog of a slow reader of the tail; above this it is disconnected. */
const TAIL_BYTES_MAX = 4 << 20;
const WITHIN_MS_MAX = 366 * 86_400_000;
const Fields = Type.Record(Text, Type.Any());

const FILTERS = {
  user: Type.Optional(Text),
  apiKey: Type.Optional(Text),
  route: Type.Optional(Text),
  status: Type.Optional(Digits),
};

const CHECK = Type.Object(
  {
    user: Type.Optional(Text),
    openOrdersMax: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e9 })),
    currency: Type.Optional(Text),
    balanceMin: Type.Optional(Text),
    balanceMax: Type.Optional(Text),
    request: Type.Optional(Fields),
  },
  { additionalProperties: false },
);

export const WATCH_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'list-requests',
    method: 'GET',
    path: '/requests',
    summary:
      'The last requests with their responses, newest last. At least 10,000 are kept. A page ends before `limit` if its bodies and responses exceed 1 MiB; continue with `after` the last id.',
    query: { ...FILTERS, after: Type.Optional(Digits), limit: Type.Optional(Digits) },
    handle({ sandbox, query }) {
      const limit = query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit);
      if (limit < 1 || limit > LIMIT_MAX) {
        throw sandboxRefusal('value-invalid', `limit: from 1 to ${LIMIT_MAX}.`);
      }
      const after = query.after === undefined ? undefined : Number(query.after);
      return sandbox.requests.list(filterOf(query, sandbox.world.services.catalogue), after, limit);
    },
  }),
  controlRoute({
    id: 'tail-requests',
    method: 'GET',
    path: '/requests/tail',
    summary: 'New requests as server-sent events.',
    query: FILTERS,
    handle({ sandbox, query }) {
      const fits = filterOf(query, sandbox.world.services.catalogue);
      const stream = new Readable({ read: () => undefined });
      const unsubscribe = sandbox.requests.subscribe((entry) => {
        if (!fits(entry)) return;
        stream.push(`id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`);
        if (stream.readableLength > TAIL_BYTES_MAX) stream.destroy();
      });
      const forget = sandbox.atEnd(() => stream.push(null));
      stream.once('close', () => {
        unsubscribe();
        forget();
      });
      stream.push(': the next requests follow\n\n');
      return new EventStream(stream);
    },
  }),
  controlRoute({
    id: 'expect-event',
    method: 'POST',
    path: '/expect',
    summary: 'Waits for a matching event, or reports the closest one.',
    body: {
      event: Type.Object(
        {
          kind: Type.Union([
            Type.Literal('order'),
            Type.Literal('fill'),
            Type.Literal('balance'),
            Type.Literal('trade'),
            Type.Literal('request'),
          ]),
          where: Type.Optional(Fields),
        },
        { additionalProperties: false },
      ),
      withinMs: Type.Integer({ minimum: 0, maximum: WITHIN_MS_MAX }),
      clock: Type.Optional(Type.Union([Type.Literal('exchange'), Type.Literal('wall')])),
      from: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    handle({ sandbox, body: { event, withinMs, clock = 'exchange', from } }) {
      const { world, events } = sandbox;
      const { kind, where = {} } = event;
      const named = withUserName(where, world.services.catalogue);
      const condition = new Condition(named, EVENT_FIELDS[kind], 'event.where');
      // 0 is the oldest kept event.
      if (from !== undefined && from > 0 && from < events.goneThrough) {
        const msg = `from: events up to record ${events.goneThrough} are gone. Give a later record.`;
        throw sandboxRefusal('events-gone', msg);
      }
      const by = clock === 'wall' ? world.clock.machine : world.clock;
      return sandbox.expectations.wait({ kind, condition, withinMs, clock: by, from });
    },
  }),
  controlRoute({
    id: 'add-assertion',
    method: 'POST',
    path: '/assertions',
    summary: 'Adds an assertion that must always hold, or never, from now on.',
    body: {
      name: line(NAME_LENGTH_MAX, 1),
      always: Type.Optional(CHECK),
      never: Type.Optional(CHECK),
    },
    handle({ sandbox, body: { name, always, never } }) {
      const { catalogue, port } = sandbox.world.services;
      if (always === undefined && never === undefined) {
        throw sandboxRefusal('field-missing', 'always, never: give at least one of the two.');
      }
      const checks = [
        ...(always ? [{ check: makeCheck(always, catalogue, 'always'), isWanted: true }] : []),
        ...(never ? [{ check: makeCheck(never, catalogue, 'never'), isWanted: false }] : []),
      ];
      const given = { ...(always && { always }), ...(never && { never }) };
      return port.read((exchange) => sandbox.assertions.add(name, given, checks, exchange));
    },
  }),
  controlRoute({
    id: 'list-assertions',
    method: 'GET',
    path: '/assertions',
    summary: 'Lists the assertions, with whether each holds and the first event that broke it.',
    handle: ({ sandbox }) => sandbox.assertions.list(),
  }),
  controlRoute({
    id: 'remove-assertion',
    method: 'DELETE',
    path: '/assertions/:name',
    summary: 'Removes an assertion.',
    params: { name: Text },
    handle({ sandbox, params: { name } }) {
      sandbox.assertions.remove(name);
      return { name };
    },
  }),
];

interface Filters {
  readonly user?: string;
  readonly apiKey?: string;
  readonly route?: string;
  readonly status?: string;
}

function filterOf(filters: Filters, catalogue: Catalogue): (entry: RequestEntry) => boolean {
  const { apiKey, route, status } = filters;
  const user = filters.user === undefined ? undefined : findUser({ catalogue }, filters.user).name;
  const isPath = route === undefined ? undefined : pathPattern(route);
  return (entry) =>
    (user === undefined || entry.user === user) &&
    (apiKey === undefined || entry.apiKey === apiKey) &&
    (route === undefined || entry.route === route || isPath!(entry.path)) &&
    (status === undefined || entry.status === Number(status));
}

const Time = Type.String({ pattern: '^[0-9]{1,15}$', expects: 'a time in milliseconds' });

/** The report of a user, as in `bourse report`. */
export const REPORT_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'get-report',
    method: 'GET',
    path: '/report',
    summary:
      'Reports on a user over a period: orders, fills, fees, PnL in a currency (USDT by default), inventory, slippage, rejections, rate limits, and a curve. Computed from the log.',
    query: {
      user: Type.String({ minLength: 1, maxLength: 128 }),
      from: Type.Optional(Time),
      until: Type.Optional(Time),
      currency: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    },
    async handle({ sandbox, query }): Promise<SandboxReport> {
      const { world } = sandbox;
      const user = findUser({ catalogue: world.services.catalogue }, query.user).name;
      const report = await reportOf(sandbox, {
        user,
        ...(query.from !== undefined && { from: Number(query.from) }),
        ...(query.until !== undefined && { until: Number(query.until) }),
        ...(query.currency !== undefined && { currency: query.currency }),
      });
      const until = query.until === undefined ? world.clock.now() : Number(query.until);
      return { ...report, requests: sandbox.requestUses.of(user, Number(query.from ?? 0), until) };
    },
  }),
];

async function reportOf(
  { reports, world }: Sandbox,
  options: Parameters<Sandbox['reports']['run']>[0]['options'],
): Promise<Report> {
  try {
    return await reports.run({ dir: world.dir, options });
  } catch (error) {
    if (error instanceof NoReport) throw sandboxRefusal('value-invalid', error.message);
    if (error instanceof ReportsBusy) throw sandboxRefusal('reports-busy', error.message);
    throw error;
  }
}
