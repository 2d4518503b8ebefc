/** The faults of one world that meet requests, and the list that all requests come to. */

import type { WallSigned } from '../../gateway/access/wall-signed.ts';
import { type ErrorName, type ErrorRow, ERRORS } from '../../gateway/errors/errors.ts';
import { statusOf } from '../../gateway/errors/render.ts';
import type {
  AnsweredRequest,
  AskedRequest,
  Instead,
  Reply,
  RequestEdge,
  RequestFault,
} from '../../gateway/request-edge.ts';
import type { Call, Route } from '../../gateway/route.ts';
import type { Services } from '../../gateway/services.ts';
import type { RequestList } from '../watch/request-list.ts';
import type { Effect, RequestEffect } from './effects.ts';
import type { FaultRule } from './fault-rule.ts';
import type { FaultRules } from './fault-rules.ts';
import { latePort } from './late-port.ts';
import type { OrderAliases } from './order-aliases.ts';
import { StaleExchange } from './stale-exchange.ts';

export interface RequestFaultsOptions {
  readonly rules: FaultRules;
  readonly requests: RequestList;
  readonly services: Services;
  readonly aliases: OrderAliases;
  readonly wallSigned: WallSigned;
  /** The routes with other services behind them. */
  readonly makeRoutes: (services: Services) => readonly Route[];
  /** The world's data directory. */
  readonly dir: string;
}

const PLACING: ReadonlySet<string> = new Set(
  'place-order sync-place-order place-orders sync-place-orders old-place-order old-place-orders'.split(' '),
);
const CANCELLING: ReadonlySet<string> = new Set(
  'cancel-order cancel-order-by-client-oid sync-cancel-order sync-cancel-order-by-client-oid cancel-orders-of-symbol cancel-all-orders old-cancel-order old-cancel-orders old-cancel-order-by-client-oid'.split(
    ' ',
  ),
);

const GATEWAY_PAGE = (status: number): string =>
  `<html>\r\n<head><title>${status} Bad Gateway</title></head>\r\n<body>\r\n` +
  `<center><h1>${status} Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n`;

export class RequestFaults implements RequestEdge {
  readonly #options: RequestFaultsOptions;
  /** By rule: the routes as they are with its effect. */
  readonly #routes = new Map<FaultRule, ReadonlyMap<string, Route>>();
  readonly #stale: StaleExchange[] = [];
  /** Faults whose request has not come as far as its route. */
  readonly #unreached = new Map<RequestFault, FaultRule>();

  constructor(options: RequestFaultsOptions) {
    this.#options = options;
  }

  meet(asked: AskedRequest): RequestFault | undefined {
    const { rules, services } = this.#options;
    const rule = rules.meetRequest(asked, services.catalogue, (effect) => hasEffect(effect, asked.route));
    if (rule === undefined) return undefined;
    const fault = this.#faultOf(rule, rule.effect as RequestEffect, asked);
    if (fault.handle) this.#unreached.set(fault, rule);
    return fault;
  }

  handle(call: Call<never, never, never>, route: Route, fault: RequestFault | undefined): unknown {
    const { aliases } = this.#options;
    const { params, query, body, rawBody } = call;
    const translated = {
      ...call,
      params: aliases.inward(params),
      query: aliases.inward(query),
      body: aliases.inward(body),
      rawBody: aliases.inward(rawBody),
    };
    if (fault?.handle === undefined) return route.handle(translated);
    this.#unreached.delete(fault);
    return fault.handle(translated, route);
  }

  outward(text: string): string {
    return this.#options.aliases.outward(text);
  }

  note(answered: AnsweredRequest): void {
    const { requests, services } = this.#options;
    const { catalogue, port } = services;
    const { apiKey, dialect, transport, method, path, query, body, status, answer } = answered;
    const { time, wallTime, fault, signedText } = answered;
    const user = catalogue.key(apiKey)?.user ?? -1;
    if (fault) this.#takeBackUnreached(fault);
    requests.add({
      seq: port.health.seq,
      time,
      wallTime,
      user: catalogue.user(user)?.name ?? null,
      apiKey: apiKey === '' ? null : apiKey,
      dialect: dialect.name,
      transport,
      route: answered.route.id,
      method,
      path,
      query,
      body: body?.toString('utf8') ?? '',
      status,
      answer,
      durationUs: Math.round(answered.durationMs * 1000),
      ...(fault && { fault: fault.id }),
      ...(signedText !== undefined && { signed: { expected: signedText } }),
    });
  }

  /** It was refused before: then the fault meets the next one. */
  #takeBackUnreached(fault: RequestFault): void {
    this.#unreached.get(fault)?.takeBack();
    this.#unreached.delete(fault);
  }

  async close(): Promise<void> {
    for (const stale of this.#stale) await stale.close();
  }

  #faultOf(rule: FaultRule, effect: RequestEffect, asked: AskedRequest): RequestFault {
    const none = { id: rule.id, waitMs: 0, instead: undefined, handle: undefined, deliver: undefined };
    const { clock } = this.#options.services;
    const hit = (): void => void rule.hits++;
    switch (effect.kind) {
      case 'delay': {
        hit();
        const ms = delayOf(effect, rule.chance);
        if (effect.before) return { ...none, waitMs: ms };
        return { ...none, deliver: (reply) => void clock.machine.after(ms, () => reply.send()) };
      }
      case 'error':
        hit();
        return { ...none, instead: errorAnswer(effect, asked) };
      case 'html': {
        hit();
        const { status = 502 } = effect;
        return { ...none, instead: { status, type: 'html', text: GATEWAY_PAGE(status) } };
      }
      case 'drop-request':
        hit();
        return { ...none, instead: 'cut' };
      case 'drop-reply':
        return { ...none, deliver: delivering(hit, (reply) => reply.cut()) };
      case 'truncate':
        return { ...none, deliver: delivering(hit, (reply) => reply.sendPart(effect.bytes)) };
      case 'slow-body':
        return { ...none, deliver: delivering(hit, (reply) => reply.sendSlowly(effect.bytesPerSecond)) };
      default:
        return { ...none, handle: this.#handling(rule, effect, hit) };
    }
  }

  #handling(
    rule: FaultRule,
    effect: Extract<RequestEffect, { kind: 'late-order' | 'late-cancel' | 'stale-read' }>,
    hit: () => void,
  ): RequestFault['handle'] {
    const routes = this.#routes.get(rule) ?? this.#makeRoutes(effect);
    this.#routes.set(rule, routes);
    return (call, route) => {
      hit();
      return routes.get(route.id)!.handle(call);
    };
  }

  #makeRoutes({
    kind,
    ms,
  }: Extract<RequestEffect, { kind: 'late-order' | 'late-cancel' | 'stale-read' }>): ReadonlyMap<
    string,
    Route
  > {
    const { services, aliases, wallSigned, makeRoutes, dir } = this.#options;
    const { port, clock, history } = services;
    let others: Partial<Services>;
    if (kind === 'stale-read') {
      const stale = new StaleExchange({ dir, port, history, clock, ms });
      this.#stale.push(stale);
      others = { port: stale.port, history: stale.history };
    } else {
      const what = kind === 'late-order' ? 'orders' : 'cancellations';
      others = { port: latePort({ port, clock, aliases, wallSigned, ms, what }) };
    }
    const routes = makeRoutes(withServices(services, others));
    return new Map(routes.map((route) => [route.id, route]));
  }
}

/** Its own members may change while it runs: they are looked up, not copied. */
const withServices = (services: Services, others: Partial<Services>): Services =>
  new Proxy(services, {
    get: (target, name) => Reflect.get(Object.hasOwn(others, name) ? others : target, name) as unknown,
  });

/** Only some routes can be late or stale. */
function hasEffect({ kind }: Effect, { id, method, pool, path }: Route): boolean {
  if (kind === 'late-order') return PLACING.has(id);
  if (kind === 'late-cancel') return CANCELLING.has(id);
  if (kind === 'stale-read') return method === 'GET' && (pool !== 'public' || path.includes('/orderbook/'));
  return true;
}

const delivering =
  (hit: () => void, deliver: (reply: Reply) => void) =>
  (reply: Reply): void => {
    hit();
    deliver(reply);
  };

function delayOf(effect: Extract<RequestEffect, { kind: 'delay' }>, chance: () => number): number {
  const { ms, minMs = 0, maxMs = minMs } = effect;
  return ms ?? minMs + Math.floor(chance() * (maxMs - minMs + 1));
}

/** The row of the table with this code; undefined for a code of somebody's own. */
export function errorOfCode(code: string): ErrorName | undefined {
  const rows = Object.entries(ERRORS) as [ErrorName, ErrorRow][];
  return rows.find(([, row]) => row.code === code)?.[0];
}

function errorAnswer(
  effect: Extract<RequestEffect, { kind: 'error' }>,
  { dialect, route }: AskedRequest,
): Instead {
  const error = errorOfCode(effect.code);
  const row: ErrorRow | undefined = error && ERRORS[error];
  const status = effect.status ?? (error ? statusOf(dialect, error) : 400);
  const code = JSON.stringify(effect.code);
  const msg = JSON.stringify(effect.msg ?? row?.text.replaceAll('{PREFIX}', dialect.prefix) ?? 'Refused.');
  const isShapeB = dialect.isLiteral && route.shape === 'B';
  const text = isShapeB
    ? `{"success":false,"code":${code},"msg":${msg},"retry":${row?.retry ?? false},"data":null}`
    : `{"code":${code},"msg":${msg}}`;
  return { status, type: 'json', text };
}
