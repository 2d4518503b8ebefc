/** A NATS JetStream stream. Plain requests, because every reply, and every missing one, must be interpreted. */

import { randomBytes } from 'node:crypto';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { nodeClock } from '@bourse/engine';
import {
  type ClusterAddress,
  ClusterUnfit,
  NO_PEERS,
  NO_STREAM,
  noMajority,
  OPEN_MS_MAX,
  UNAVAILABLE,
} from './nats-link.ts';
import type {
  AppendResult,
  MessageKind,
  RecordStream,
  StreamBounds,
  StreamMessage,
} from './record-stream.ts';
import { delay } from './stream-reader.ts';

/** The result of an append that takes longer is looked up. */
const APPEND_MS_MAX = 2000;
const ASK_MS_MAX = 2000;
/** A read that takes longer is sent again, to any server: the first may hang. */
const HEDGE_MS = 150;
const HEDGES_MAX = 8;
/** Between two requests if the first was rejected at once. */
const AGAIN_MS = 200;
const HEARD_NS_MAX = 3e9;
const READ_BATCH = 256;
const READ_BYTES = 4 << 20;
/** Less would not hold a record of the usual size. */
const MESSAGE_BYTES_MIN = 1 << 20;
const VERSION_MIN = [2, 12, 3] as const;

const FORMAT_KEY = 'bourse-format';
const SALT_KEY = 'bourse-salt';
const FORMAT = '1';

/** JetStream's error codes. */
const WRONG_LAST_SEQUENCE = 10_071;
const NO_ROOM: readonly number[] = [10_023, 10_028, 10_047, 10_054, 10_077];
const NAME_IN_USE = 10_058;

interface ApiError {
  readonly code: number;
  readonly err_code?: number;
  readonly description?: string;
}

export interface StreamConfig {
  readonly subjects?: readonly string[];
  readonly num_replicas?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface StreamInfo {
  readonly error?: ApiError;
  readonly config?: StreamConfig;
  readonly state?: { readonly first_seq: number; readonly last_seq: number };
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly {
      readonly name: string;
      readonly current: boolean;
      readonly offline?: boolean;
      /** Nanoseconds since the stream's leader last heard it; 0: never. */
      readonly active?: number;
    }[];
  };
}

/** One of the servers with a replica of the stream. */
export interface LogServerState {
  readonly name: string;
  readonly isLeader: boolean;
  /** Up to date and responding. */
  readonly isCurrent: boolean;
}

export interface NatsStreamOptions {
  readonly connection: NatsConnection;
  readonly address: ClusterAddress;
  /** Number of replicas, if it is created; 0: it must exist. */
  readonly replicas: number;
  /** Maximum size of the log; 0: the servers' own limit. */
  readonly bytesMax?: number;
}

export class NatsStream implements RecordStream {
  /** Random bytes shared by all nodes and secret otherwise: tokens of one node are valid at all. */
  readonly salt: string;
  readonly #connection: NatsConnection;
  readonly #name: string;

  private constructor(connection: NatsConnection, name: string, salt: string) {
    this.#connection = connection;
    this.#name = name;
    this.salt = salt;
  }

  /** Throws ClusterUnfit. */
  static async open(options: NatsStreamOptions): Promise<NatsStream> {
    const { connection, address } = options;
    checkServer(connection);
    const { stream } = address;
    const askNow = (what: string, body?: object): Promise<StreamInfo> =>
      ask(connection, `${what}.${stream}`, body, OPEN_MS_MAX);
    for (const until = nodeClock.elapsed() + OPEN_MS_MAX; ; ) {
      const info = await askNow('STREAM.INFO');
      if (info.error?.err_code === NO_STREAM) {
        if (options.replicas === 0) throw noStream(stream);
        const { error } = await askNow('STREAM.CREATE', configOf(options));
        // Servers that have just started find each other one by one.
        const isPassing = error?.err_code === NO_PEERS && nodeClock.elapsed() < until;
        if (isPassing) await delay(nodeClock, AGAIN_MS);
        else if (error && error.err_code !== NAME_IN_USE) throw cannotMake(options, error);
        continue;
      }
      if (info.error) throw new ClusterUnfit(`The log servers refuse (${info.error.description}).`);
      return new NatsStream(connection, stream, checkStream(stream, info));
    }
  }

  get messageBytesMax(): number {
    return this.#connection.info?.max_payload ?? MESSAGE_BYTES_MIN;
  }

  /** Throws ClusterUnfit if nobody has replied for this long. */
  async bounds(msMax = Infinity): Promise<StreamBounds> {
    const { state, error } = await ask(this.#connection, `STREAM.INFO.${this.#name}`, {}, msMax);
    if (!state) throw new ClusterUnfit(`The log servers refuse (${error?.description}).`);
    return { first: Math.max(1, state.first_seq), last: state.last_seq };
  }

  async end(): Promise<number | null> {
    const info = await askInfo(this.#connection, this.#name);
    return info?.state?.last_seq ?? null;
  }

  /** The servers with a replica, as their leader sees them; null if nobody speaks for the log. */
  async servers(): Promise<LogServerState[] | null> {
    const info = await askInfo(this.#connection, this.#name);
    if (info === null) return null;
    const { leader = this.#connection.info?.server_name ?? '', replicas = [] } = info.cluster ?? {};
    return [
      ...(leader ? [{ name: leader, isLeader: true, isCurrent: true }] : []),
      ...replicas.map(({ name, current, offline }) => ({
        name,
        isLeader: false,
        isCurrent: current && !offline,
      })),
    ];
  }

  async append(kind: MessageKind, bytes: Uint8Array, after: number): Promise<AppendResult> {
    const fence = headers();
    fence.set('Nats-Expected-Last-Sequence', String(after));
    try {
      const answer = await this.#connection.request(subjectOf(this.#name, kind), bytes, {
        headers: fence,
        timeout: APPEND_MS_MAX,
      });
      const { error, seq } = answer.json<{ error?: ApiError; seq?: number }>();
      if (error?.err_code === WRONG_LAST_SEQUENCE) return 'refused';
      if (error) return NO_ROOM.includes(error.err_code ?? 0) ? 'full' : 'unknown';
      return seq === after + 1 ? 'appended' : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  async read(from: number): Promise<readonly StreamMessage[]> {
    const messages = await this.#get({ seq: from, batch: READ_BATCH, max_bytes: READ_BYTES });
    // Leave what follows a gap to the next read.
    const end = messages.findIndex(({ at }, i) => at !== messages[0].at + i);
    return end < 0 ? messages : messages.slice(0, end);
  }

  async find(kind: MessageKind, from: number): Promise<StreamMessage | null> {
    const [found = null] = await this.#get({ seq: from, next_by_subj: subjectOf(this.#name, kind) });
    return found;
  }

  async removeBelow(at: number): Promise<void> {
    const { error } = await ask(this.#connection, `STREAM.PURGE.${this.#name}`, { seq: at });
    if (error) throw new ClusterUnfit(`The log servers give up no records (${error.description}).`);
  }

  leaveServer(): void {
    void this.#connection.reconnect();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /**
   * Reads from any server with a replica. The servers choose which one, and choose a hung one as often as any other until
   * they notice, so the request is sent again soon, and the first complete reply counts. Rejects once the connection is
   * closed, which ends requests silently.
   */
  #get(query: Readonly<Record<string, unknown>>): Promise<StreamMessage[]> {
    return new Promise((resolve, reject) => {
      const attempts: (() => void)[] = [];
      let unanswered = 0;
      let cancelNext = (): void => undefined;
      const end = (): void => {
        cancelNext();
        for (const stop of attempts) stop();
      };
      const watch = (): void => {
        cancelNext = nodeClock.after(HEDGE_MS, () => {
          if (this.#connection.isClosed()) {
            end();
            reject(closedConnection());
            return;
          }
          watch();
          if (attempts.length < HEDGES_MAX) attempt();
        });
      };
      const attempt = (): void => {
        const stop = this.#getOnce(query, (error, messages) => {
          // While another attempt may still get a reply, a timeout means nothing.
          if (error?.name === 'TimeoutError' && ++unanswered < HEDGES_MAX) return;
          end();
          if (error) reject(error);
          else resolve(messages);
        });
        attempts.push(stop);
      };
      attempt();
      watch();
    });
  }

  /** The last reply to a batch has no message. The returned function cancels the request. */
  #getOnce(
    query: Readonly<Record<string, unknown>>,
    onDone: (error: Error | null, messages: StreamMessage[]) => void,
  ): () => void {
    const isBatch = 'batch' in query;
    const messages: StreamMessage[] = [];
    const inbox = `_INBOX.${randomBytes(12).toString('hex')}`;
    const answers = this.#connection.subscribe(inbox, {
      timeout: ASK_MS_MAX,
      callback: (error, answer) => {
        if (error) return onDone(error, []);
        const code = answer.headers?.code ?? 0;
        if (code === 0 && answer.headers?.has('Nats-Sequence')) {
          messages.push(messageOf(answer));
          if (!isBatch) onDone(null, messages);
        } else if (code === 404 || code === 204) onDone(null, messages);
        else onDone(new Error(`the servers answer ${code}`), []);
      },
    });
    this.#connection.publish(`$JS.API.DIRECT.GET.${this.#name}`, JSON.stringify(query), { reply: inbox });
    return () => answers.unsubscribe();
  }
}

/** null if nobody speaks for the log. */
export async function askInfo(connection: NatsConnection, stream: string): Promise<StreamInfo | null> {
  const answer = await connection
    .request(`$JS.API.STREAM.INFO.${stream}`, '{}', { timeout: ASK_MS_MAX })
    .catch(() => null);
  const info = answer?.json<StreamInfo>();
  return info && !info.error && isFollowed(info) ? info : null;
}

/**
 * Whether the reply is from a stream leader that a majority of the servers has heard so recently that it cannot have
 * elected another: a server that hears its leader waits 4 s before it votes. A server without a leader replies too: it
 * names no leader, and itself among the replicas.
 */
function isFollowed({ cluster }: StreamInfo): boolean {
  if (!cluster) return true;
  const { leader, replicas = [] } = cluster;
  // 0: never heard.
  const heard = replicas.filter(
    ({ active = 0, offline }) => !offline && active > 0 && active <= HEARD_NS_MAX,
  );
  return Boolean(leader) && 1 + heard.length > (1 + replicas.length) / 2;
}

const subjectOf = (stream: string, kind: MessageKind): string => `${stream}.log.${kind}`;

function messageOf({ headers: head, data }: Msg): StreamMessage {
  const kind = head!.get('Nats-Subject').endsWith('.aside') ? 'aside' : 'record';
  return { at: Number(head!.get('Nats-Sequence')), kind, bytes: data };
}

function configOf({ address: { stream }, replicas, bytesMax = 0 }: NatsStreamOptions): object {
  return {
    name: stream,
    subjects: [`${stream}.log.*`],
    num_replicas: replicas,
    storage: 'file',
    retention: 'limits',
    // A full stream rejects; otherwise it would discard old records.
    discard: 'new',
    max_bytes: bytesMax > 0 ? bytesMax : -1,
    allow_direct: true,
    // Nobody removes single records, and there is no deduplication.
    deny_delete: true,
    duplicate_window: 0,
    metadata: { [FORMAT_KEY]: FORMAT, [SALT_KEY]: randomBytes(32).toString('hex') },
  };
}

/** Retries while the servers have no leader with a majority, but not longer than `msMax`. */
async function ask(
  connection: NatsConnection,
  what: string,
  body: object = {},
  msMax = Infinity,
): Promise<StreamInfo> {
  for (const until = nodeClock.elapsed() + msMax; ; ) {
    const answer = await connection
      .request(`$JS.API.${what}`, JSON.stringify(body), { timeout: ASK_MS_MAX })
      .catch((error: Error) => error);
    const info = answer instanceof Error ? null : answer.json<StreamInfo>();
    if (info && info.error?.code !== UNAVAILABLE && isFollowed(info)) return info;
    if (connection.isClosed()) throw closedConnection();
    if (answer instanceof Error && answer.name === 'PermissionViolationError')
      throw new ClusterUnfit(forbidden(what));
    if (nodeClock.elapsed() >= until) throw noMajority(connection);
    await delay(nodeClock, AGAIN_MS);
  }
}

const closedConnection = (): ClusterUnfit =>
  new ClusterUnfit('The connection to the log servers was closed.');

function noStream(stream: string): ClusterUnfit {
  return new ClusterUnfit(
    `These log servers have no stream '${stream}': no node was ever started with it. Name another with --cluster-stream, ` +
      'or other servers with --cluster.',
  );
}

function checkServer({ info }: NatsConnection): void {
  const { version = '0.0.0', max_payload: bytes = 0, jetstream = false } = info ?? {};
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const at = VERSION_MIN.findIndex((wanted, i) => parts[i] !== wanted);
  const wanted = VERSION_MIN.join('.');
  if (at >= 0 && !(parts[at] > VERSION_MIN[at])) {
    throw new ClusterUnfit(
      `The log server is nats-server ${version}; at least ${wanted} is needed, because older ones lose what they acknowledged.`,
    );
  }
  if (!jetstream) {
    throw new ClusterUnfit(
      'The log server runs without JetStream: put a `jetstream` block into its configuration.',
    );
  }
  if (bytes < MESSAGE_BYTES_MIN) {
    throw new ClusterUnfit(
      `The log server takes messages of at most ${bytes} bytes: set max_payload to ${MESSAGE_BYTES_MIN} or more, better 8MB.`,
    );
  }
}

/** Returns its salt. */
function checkStream(stream: string, { config }: StreamInfo): string {
  const { metadata = {}, subjects = [] } = config ?? {};
  const format = metadata[FORMAT_KEY];
  if (format === undefined || !subjects.includes(`${stream}.log.*`)) {
    throw new ClusterUnfit(
      `The stream '${stream}' is not one of Bourse: another program uses it. Name another with --cluster-stream; ` +
        'nothing was changed.',
    );
  }
  if (Number(format) > Number(FORMAT)) {
    throw new ClusterUnfit(
      `The stream '${stream}' has format ${format}, and this Bourse knows up to ${FORMAT}: a newer version made it. ` +
        'Start that one; nothing was changed.',
    );
  }
  return saltOf(config ?? {});
}

/** Random, and created with the stream: no two streams have the same. */
export const saltOf = ({ metadata = {} }: StreamConfig): string => metadata[SALT_KEY] ?? '';

function cannotMake(
  { address: { stream }, replicas }: NatsStreamOptions,
  { description }: ApiError,
): ClusterUnfit {
  return new ClusterUnfit(
    `The stream '${stream}' with ${replicas} replicas cannot be created (${description}). Start at least that many log ` +
      'servers, or set a smaller number with --cluster-copies.',
  );
}

function forbidden(what: string): string {
  return `The log servers do not let this user ask for ${what}: give it the rights that docs/operating/cluster.md lists.`;
}
