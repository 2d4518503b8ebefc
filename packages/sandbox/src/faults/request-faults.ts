/** The faults of one world: their effects on requests, and the list of all requests. */

import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import {
  type AnswerSender,
  type Call,
  type ErrorName,
  type ErrorRow,
  ERRORS,
  type Faults,
  type ObservedRequest,
  Refusal,
  type RenderedAnswer,
  type RequestFaults,
  type Route,
  type Services,
  settled,
  signedTextOf,
  statusOf,
  type WallSigned,
} from '@bourse/api';
import type { Clock } from '@bourse/engine';
import type { RequestList } from '../watch/requests.ts';
import type { Effect, FaultRule, FaultRules, RequestEffect } from './fault-rules.ts';
import { FeedRuleFaults } from './feed-faults.ts';
import { LateCommands, latePort, type LateState, StaleExchange } from './faulty-ports.ts';

/** A response that the exchange did not make. */
interface Instead {
  readonly status: number;
  readonly type: 'json' | 'html';
  readonly text: string;
}

/** Thrown if the fault responds instead of the exchange. */
class FaultAnswers extends Error {
  readonly instead: Instead | 'cut';

  constructor(instead: Instead | 'cut') {
    super('a fault answers');
    this.instead = instead;
  }
}

interface RequestFault {
  /** Names the rule. */
  readonly id: string;
  /** The delay before the request is handled, in machine time. */
  readonly waitMs: number;
  /** The request is not executed: this response is sent, or the connection is closed. */
  readonly instead: Instead | 'cut' | undefined;
  /** Replaces the route's own handler. */
  readonly handle: ((call: Call, route: Pick<Route, 'id'>) => unknown) | undefined;
  readonly deliver: ((reply: FaultyReply) => void) | undefined;
}

/** Interval between chunks of a slow body. */
const STEP_MS = 50;
const TYPES: Readonly<Record<Instead['type'], string>> = { json: 'application/json', html: 'text/html' };

/** A finished response, and the ways it can be sent. */
class FaultyReply {
  readonly #answer: RenderedAnswer;
  readonly #type: Instead['type'];
  readonly #sender: AnswerSender;
  readonly #clock: Clock;

  /** `clock`: the machine's. */
  constructor(answer: RenderedAnswer, type: Instead['type'], sender: AnswerSender, clock: Clock) {
    this.#answer = answer;
    this.#type = type;
    this.#sender = sender;
    this.#clock = clock;
  }

  /** Sends it unchanged; over a websocket an HTML page ends the connection instead. */
  send(): void {
    if (this.#type === 'json') this.#sender.send(this.#answer);
    else this.#sendRaw([this.#head, Buffer.from(this.#answer.text)]);
  }

  cut(): void {
    this.#sender.cut();
  }

  /** Sends this many bytes of the body, then closes the connection. */
  sendPart(bytes: number): void {
    this.#sendRaw([this.#head, Buffer.from(this.#answer.text).subarray(0, bytes)]);
  }

  /** A websocket delivers complete messages, so the message is sent when its last byte would have been. */
  sendSlowly(bytesPerSecond: number): void {
    const body = Buffer.from(this.#answer.text);
    if (this.#sender.sendRaw(this.#trickle(body, bytesPerSecond))) return;
    this.#clock.after((body.length * 1000) / bytesPerSecond, () => this.#sender.send(this.#answer));
  }

  #sendRaw(chunks: readonly Buffer[]): void {
    if (!this.#sender.sendRaw(Readable.from(chunks))) this.#sender.cut();
  }

  async *#trickle(body: Buffer, bytesPerSecond: number): AsyncGenerator<Buffer> {
    yield this.#head;
    const startedAt = this.#clock.elapsed();
    for (let sent = 0; sent < body.length; ) {
      await new Promise<void>((resolve) => void this.#clock.after(STEP_MS, resolve));
      const due = Math.floor(((this.#clock.elapsed() - startedAt) * bytesPerSecond) / 1000);
      if (due <= sent) continue;
      yield body.subarray(sent, due);
      sent = Math.min(due, body.length);
    }
  }

  get #head(): Buffer {
    const { status, text } = this.#answer;
    const length = Buffer.byteLength(text);
    return Buffer.from(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: ${TYPES[this.#type]}\r\n` +
        `Content-Length: ${length}\r\nConnection: close\r\n\r\n`,
    );
  }
}

interface RequestFaultsOptions {
  readonly rules: FaultRules;
  readonly requests: RequestList;
  readonly services: Services;
  readonly late: LateCommands;
  readonly wallSigned: WallSigned;
  /** The routes with faulty services. */
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

type RouteEffect = Extract<RequestEffect, { kind: 'late-order' | 'late-cancel' | 'stale-read' }>;

/** The routes with the effect of a rule. */
interface FaultyRoutes {
  readonly routes: ReadonlyMap<string, Route>;
  /** The exchange that they read, with a core and an open file of its own. */
  readonly stale: StaleExchange | undefined;
  /** Requests in their handlers. */
  inFlight: number;
}

/** A pending request. */
interface Arrived {
  readonly fault: RequestFault | undefined;
  /** In machine time. */
  readonly startedAt: number;
  readonly wallTime: number;
}

class RequestRuleFaults implements RequestFaults {
  readonly #options: RequestFaultsOptions;
  /** Only of rules that may still fire, or whose last requests are in flight. */
  readonly #routes = new Map<FaultRule, FaultyRoutes>();
  readonly #unsubscribe: () => void;
  /** Resolves when everything is closed that is not needed any more. */
  #closed: Promise<unknown> = Promise.resolve();
  readonly #arrived = new WeakMap<ObservedRequest, Arrived>();
  /** Faults that act in a route's handler, until the handler has been called. */
  readonly #unmet = new Map<RequestFault, FaultRule>();
  readonly #held = new Set<{ readonly cancel: () => void; readonly goOn: () => void }>();
  #isReleased = false;

  constructor(options: RequestFaultsOptions) {
    this.#options = options;
    this.#unsubscribe = options.rules.subscribe({ removed: (rule) => this.#closeUnneeded(rule) });
  }

  arrive(request: ObservedRequest): Promise<void> | undefined {
    const { machine } = this.#options.services.clock;
    const fault = this.#match(request);
    this.#arrived.set(request, { fault, startedAt: machine.elapsed(), wallTime: machine.now() });
    return fault === undefined ? undefined : this.#holdBack(fault);
  }

  async #holdBack({ waitMs, instead }: RequestFault): Promise<void> {
    if (waitMs > 0) await new Promise<void>((resolve) => this.#hold(waitMs, resolve));
    if (instead !== undefined) throw new FaultAnswers(instead);
  }

  #hold(ms: number, goOn: () => void): void {
    if (this.#isReleased) return goOn();
    const cancel = this.#options.services.clock.machine.after(ms, () => {
      this.#held.delete(held);
      goOn();
    });
    const held = { cancel, goOn };
    this.#held.add(held);
  }

  /** Releases everything that a delay holds back, and delays nothing from then on, even requests in flight. */
  release(): void {
    this.#isReleased = true;
    for (const { cancel, goOn } of this.#held) {
      cancel();
      goOn();
    }
    this.#held.clear();
  }

  handle(request: ObservedRequest, call: Call, handle: (call: Call) => unknown): unknown {
    const { aliases } = this.#options.late;
    const { params, query, body, rawBody } = call;
    const translated: Call = {
      ...call,
      params: aliases.inward(params),
      query: aliases.inward(query),
      body: aliases.inward(body),
      rawBody: rawBody && aliases.inward(rawBody),
    };
    const fault = this.#arrived.get(request)?.fault;
    if (fault?.handle === undefined) return handle(translated);
    return fault.handle(translated, routeOf(request, call));
  }

  answer(request: ObservedRequest, given: RenderedAnswer, sender: AnswerSender): void {
    const { services, late } = this.#options;
    const { machine } = services.clock;
    const arrived = this.#arrived.get(request);
    const instead = given.error instanceof FaultAnswers ? given.error.instead : undefined;
    const answer: RenderedAnswer =
      instead === undefined
        ? { ...given, text: late.aliases.outward(given.text) }
        : instead === 'cut'
          ? { status: 0, text: '', error: undefined }
          : { status: instead.status, text: instead.text, error: undefined };
    this.#record(request, answer, arrived);
    const type = instead === undefined || instead === 'cut' ? 'json' : instead.type;
    const reply = new FaultyReply(answer, type, sender, machine);
    if (instead === 'cut') reply.cut();
    else if (arrived?.fault?.deliver && instead === undefined) arrived.fault.deliver(reply);
    else reply.send();
  }

  #match(request: ObservedRequest): RequestFault | undefined {
    const { rules, services } = this.#options;
    const rule = rules.meetRequest(request, services.catalogue, (effect) => hasEffect(effect, request.route));
    if (rule === undefined) return undefined;
    const fault = this.#faultOf(rule, rule.effect as RequestEffect, request);
    if (fault.handle) this.#unmet.set(fault, rule);
    return fault;
  }

  #record(request: ObservedRequest, { status, text, error }: RenderedAnswer, arrived?: Arrived): void {
    const { requests, services } = this.#options;
    const { catalogue, port, clock } = services;
    const { presentedKey, dialect, transport, route, method, target, sent, time } = request;
    const { fault, startedAt = clock.machine.elapsed(), wallTime = clock.machine.now() } = arrived ?? {};
    const expected = error instanceof Refusal ? signedTextOf(error) : undefined;
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const isMet = fault !== undefined && !this.#undoUnused(fault);
    requests.add({
      seq: port.health.seq,
      time,
      wallTime,
      user: catalogue.user(catalogue.key(presentedKey)?.user ?? -1)?.name ?? null,
      apiKey: presentedKey === '' ? null : presentedKey,
      dialect: dialect.name,
      transport,
      route: route.id,
      method: method || route.method,
      path: transport === 'http' ? dialect.mount + path : path,
      query: mark < 0 ? '' : target.slice(mark + 1),
      body: sent?.toString('utf8') ?? '',
      status,
      answer: text,
      durationUs: Math.round((clock.machine.elapsed() - startedAt) * 1000),
      ...(isMet && { fault: fault.id }),
      ...(expected !== undefined && { signed: { expected } }),
    });
  }

  /** True if the request was rejected and the fault had no effect: it then applies to the next request. */
  #undoUnused(fault: RequestFault): boolean {
    this.#unmet.get(fault)?.undoFire();
    return this.#unmet.delete(fault);
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    for (const rule of this.#routes.keys()) this.#close(rule);
    await this.#closed;
  }

  /** Called when a rule was removed, and after each of its requests. */
  #closeUnneeded(rule: FaultRule): void {
    const { inFlight = 0 } = this.#routes.get(rule) ?? {};
    if (inFlight === 0 && !this.#options.rules.mayFire(rule)) this.#close(rule);
  }

  #close(rule: FaultRule): void {
    const stale = this.#routes.get(rule)?.stale;
    this.#routes.delete(rule);
    if (stale !== undefined) this.#closed = Promise.allSettled([this.#closed, stale.close()]);
  }

  #faultOf(rule: FaultRule, effect: RequestEffect, asked: ObservedRequest): RequestFault {
    const none = { id: rule.id, waitMs: 0, instead: undefined, handle: undefined, deliver: undefined };
    const hit = (): void => void rule.hits++;
    switch (effect.kind) {
      case 'delay': {
        hit();
        const ms = delayOf(effect, rule.chance);
        if (effect.before) return { ...none, waitMs: ms };
        return { ...none, deliver: (reply) => this.#hold(ms, () => reply.send()) };
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
      default: {
        const fault: RequestFault = {
          ...none,
          handle: async (call, route) => {
            const answer = await this.#handleWith(rule, effect, call, route);
            this.#unmet.delete(fault);
            hit();
            return answer;
          },
        };
        return fault;
      }
    }
  }

  /** Makes the rule's routes only now: the rule may have been removed while the request waited. */
  async #handleWith(
    rule: FaultRule,
    effect: RouteEffect,
    call: Call,
    { id }: Pick<Route, 'id'>,
  ): Promise<unknown> {
    const made = this.#routes.get(rule) ?? this.#makeRoutes(effect);
    this.#routes.set(rule, made);
    made.inFlight++;
    try {
      return await settled(made.routes.get(id)!.handle(call as Call<never, never, never>));
    } finally {
      made.inFlight--;
      this.#closeUnneeded(rule);
    }
  }

  #makeRoutes({ kind, ms }: RouteEffect): FaultyRoutes {
    const { services, late, wallSigned, makeRoutes, dir } = this.#options;
    const { port, clock, history } = services;
    let others: Partial<Services>;
    let stale: StaleExchange | undefined;
    if (kind === 'stale-read') {
      stale = new StaleExchange({ dir, port, history, clock, ms });
      others = { port: stale.port, history: stale.history };
    } else {
      const what = kind === 'late-order' ? 'orders' : 'cancellations';
      others = { port: latePort({ port, clock, late, wallSigned, ms, what }) };
    }
    const routes = makeRoutes(withServices(services, others));
    return { routes: new Map(routes.map((route) => [route.id, route])), stale, inFlight: 0 };
  }
}

/** Order entry has one operation for cancelling by either id. */
function routeOf({ route, transport }: ObservedRequest, { params }: Call): Pick<Route, 'id'> {
  return transport === 'order-entry' && 'clientOid' in params ? { id: `${route.id}-by-client-oid` } : route;
}

/** The original's members may change at run time, so they are looked up, not copied. */
const withServices = (services: Services, others: Partial<Services>): Services =>
  new Proxy(services, {
    get: (target, name) => Reflect.get(Object.hasOwn(others, name) ? others : target, name) as unknown,
  });

export type RouteKind = Pick<Route, 'id' | 'method' | 'pool' | 'path'>;

/** Only some routes can be late or stale. */
export function hasEffect({ kind }: Effect, { id, method, pool, path }: RouteKind): boolean {
  if (kind === 'late-order') return PLACING.has(id);
  if (kind === 'late-cancel') return CANCELLING.has(id);
  if (kind === 'stale-read')
    return method === 'GET' && (pool !== 'public' || path.includes('/orderbook/level2'));
  return true;
}

const delivering =
  (hit: () => void, deliver: (reply: FaultyReply) => void) =>
  (reply: FaultyReply): void => {
    hit();
    deliver(reply);
  };

function delayOf(effect: Extract<RequestEffect, { kind: 'delay' }>, chance: () => number): number {
  const { ms, minMs = 0, maxMs = minMs } = effect;
  return ms ?? minMs + Math.floor(chance() * (maxMs - minMs + 1));
}

/** The table's row with this code; undefined for a custom code. */
export function errorOfCode(code: string): ErrorName | undefined {
  const rows = Object.entries(ERRORS) as [ErrorName, ErrorRow][];
  return rows.find(([, row]) => row.code === code)?.[0];
}

function errorAnswer(
  effect: Extract<RequestEffect, { kind: 'error' }>,
  { dialect, route }: ObservedRequest,
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

/** The faults of one world, as the gateway and the feed use them. */
export class SandboxFaults implements Faults {
  readonly requests: RequestRuleFaults;
  readonly feed: FeedRuleFaults;
  readonly #late: LateCommands;

  /** `state`: of the world that this one continues. */
  constructor(options: Omit<RequestFaultsOptions, 'late'>, state?: LateState) {
    const { port, clock, catalogue } = options.services;
    this.#late = new LateCommands(port, clock, state);
    this.requests = new RequestRuleFaults({ ...options, late: this.#late });
    this.feed = new FeedRuleFaults(options.rules, this.#late.aliases, clock, catalogue);
  }

  get lateState(): LateState {
    return this.#late.state;
  }

  release(): void {
    this.requests.release();
  }

  async close(): Promise<void> {
    this.feed.close();
    await this.requests.close();
  }
}
