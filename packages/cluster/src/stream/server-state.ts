/**
 * The log servers as a node sees them: what the cluster lacks, whether the log can be reached over another
 * server, and the servers' own settings.
 */

import { connect, type NatsConnection } from '@nats-io/transport-node';
import { CLOCK_MS_MAX, GONE_MS, type HeardNode } from '../leadership/presence.ts';
import { type ClusterAddress, linkOptions } from './nats-link.ts';
import { askInfo } from './nats-stream.ts';

export interface SeenServer {
  readonly name: string;
  /** `silent`: it does not respond. */
  readonly state: 'current' | 'behind' | 'silent';
}

export interface ClusterSeen {
  readonly servers: readonly SeenServer[];
  readonly nodes: readonly Pick<HeardNode, 'name' | 'heardMs' | 'aheadMs' | 'isMember'>[];
  readonly reach: LogReach;
  /** A message for each difference between nodes or wrong configuration. */
  readonly setup: readonly string[];
}

const LOSSES: Readonly<Record<LogLoss, (reach: LogReach) => string>> = {
  'cut-off': () =>
    'this node has no connection to any log server: it accepts no commands, and other nodes may; check its network',
  minority: ({ host }) =>
    `this node is connected to log server ${host}, which is cut off from the others: it accepts no commands, and other nodes ` +
    'may; it connects to another log server, check the network of this one',
  'majority-lost': () =>
    'the log has lost its majority: more than half of its servers are gone or do not reach each other, and no node takes a command',
  unknown: ({ host, others }) =>
    `this node reaches log server ${host} and not ${silentIn(others)}: they are gone, and no node takes a command, or this ` +
    'node and its log server are cut off, and other nodes do; check the network',
};

const silentIn = (others: readonly OtherServer[]): string =>
  others
    .filter(({ state }) => state === 'silent')
    .map(({ host }) => host)
    .join(', ') || 'the others';

/** undefined: nothing is missing. */
/** Describes what the cluster lacks, for operators, so that lost redundancy does not go unnoticed. */
export function degradation({ servers, nodes, reach, setup }: ClusterSeen): string | undefined {
  const isSilent = servers.length > 0 && servers.every(({ state }) => state === 'silent');
  const loss = isSilent ? lossOf(reach, servers.length) : null;
  const away = servers.filter(({ state }) => state !== 'current').map(({ name }) => name);
  const gone = nodes
    .filter(({ heardMs, isMember }) => isMember && heardMs >= GONE_MS)
    .map(({ name }) => name);
  const off = nodes.filter(({ aheadMs, heardMs }) => heardMs < GONE_MS && Math.abs(aheadMs) > CLOCK_MS_MAX);
  const parts = [
    ...(loss ? [LOSSES[loss](reach)] : []),
    ...(!isSilent && away.length > 0 ? [`log servers that are missing or behind: ${away.join(', ')}`] : []),
    // A node that may be partitioned hears nobody: that says nothing about the others.
    ...(gone.length > 0 && (loss === null || loss === 'majority-lost')
      ? [`nodes that are missing: ${gone.join(', ')}`]
      : []),
    ...off.map(({ name, aheadMs }) => clockOff(name, aheadMs)),
    ...setup,
  ];
  return parts.length > 0 ? `degraded: ${parts.join('; ')}` : undefined;
}

function clockOff(name: string, aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return `the clock of ${name} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this node's`;
}

export interface OtherServer {
  readonly host: string;
  /** `leads`: it reports a majority. `up`: it responds, but not for the log. `refuses`: no server runs there. */
  readonly state: 'leads' | 'up' | 'refuses' | 'silent';
}

export interface LogReach {
  /** This node has a connection to a log server. */
  readonly isConnected: boolean;
  /** That server. */
  readonly host: string;
  /** The other configured servers, when they were last asked. */
  readonly others: readonly OtherServer[];
}

/**
 * `cut-off`: this node has no connection. `minority`: its log server is partitioned from the others, which have the log.
 * `majority-lost`: nobody has the log. `unknown`: too few servers respond to tell, so the log may continue elsewhere.
 */
type LogLoss = 'cut-off' | 'minority' | 'majority-lost' | 'unknown';

/** Why nobody speaks for a log with `serverCount` servers. */
export function lossOf({ isConnected, others }: LogReach, serverCount: number): LogLoss {
  if (!isConnected) return 'cut-off';
  if (others.some(({ state }) => state === 'leads')) return 'minority';
  // Servers that respond or do not run are in no majority elsewhere.
  const known = 1 + others.filter(({ state }) => state !== 'silent').length;
  return known > Math.max(serverCount, 1 + others.length) / 2 ? 'majority-lost' : 'unknown';
}

export interface ReachWatchParts {
  readonly connection: Pick<NatsConnection, 'getServer' | 'reconnect'>;
  readonly isConnected: () => boolean;
  readonly askOthers: (host: string) => Promise<readonly OtherServer[]>;
  readonly onWarning: (sentence: string) => void;
}

/** Servers that elect a leader are silent for a moment, too. */
const LOOKS_ASKED = 2;

/**
 * Finds out where the log is if nobody speaks for it over this node's own connection: asks each of the other log servers
 * over a separate connection. A log server without a majority looks the same to its clients whether the log is lost or
 * continues elsewhere.
 */
export class ReachWatch {
  readonly #parts: ReachWatchParts;
  #others: readonly OtherServer[] = [];
  #unanswered = 0;

  constructor(parts: ReachWatchParts) {
    this.#parts = parts;
  }

  get reach(): LogReach {
    const { connection, isConnected } = this.#parts;
    return { isConnected: isConnected(), host: connection.getServer(), others: this.#others };
  }

  /** Call after each check of the log. Moves from a partitioned log server to one that is not. */
  async look(isAnswered: boolean): Promise<void> {
    const { connection, isConnected, onWarning } = this.#parts;
    this.#unanswered = isAnswered ? 0 : this.#unanswered + 1;
    if (isAnswered) this.#others = [];
    if (this.#unanswered < LOOKS_ASKED || !isConnected()) return;
    const host = connection.getServer();
    this.#others = await this.#parts.askOthers(host);
    const leading = this.#others.find(({ state }) => state === 'leads');
    if (!leading || !isConnected() || connection.getServer() !== host) return;
    onWarning(
      `log server ${host} does not reach the majority of the log servers, and ${leading.host} does: this node leaves it`,
    );
    await connection.reconnect();
  }
}

/** All configured servers but `host`. */
export async function askOthers(address: ClusterAddress, host: string): Promise<OtherServer[]> {
  const others = address.servers.filter((url) => new URL(url).host !== host);
  return Promise.all(
    others.map(async (url) => ({ host: new URL(url).host, state: await askServer(address, url) })),
  );
}

async function askServer(address: ClusterAddress, url: string): Promise<OtherServer['state']> {
  let connection: NatsConnection;
  try {
    connection = await connect({ ...linkOptions({ ...address, servers: [url] }, 'asks'), reconnect: false });
  } catch (error) {
    // The library's message if nothing listens on the port.
    return (error as Error).message === 'connection refused' ? 'refuses' : 'silent';
  }
  try {
    return (await askInfo(connection, address.stream)) ? 'leads' : 'up';
  } finally {
    await connection.close();
  }
}

/**
 * The configuration of the log servers, as far as they reveal it: `deploy/make-credentials.sh` lets only nodes query it
 * from the system account. A server that acknowledges before it syncs looks like any other until the power fails.
 */
export interface LogServerSettings {
  readonly name: string;
  /** It syncs before it acknowledges. */
  readonly isSynced: boolean;
  /** Its max_payload. */
  readonly messageBytesMax: number;
}

interface Varz {
  readonly server?: { readonly name?: string };
  readonly data?: {
    readonly max_payload?: number;
    readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
  };
}

const SUBJECT = '$SYS.REQ.SERVER.PING.VARZ';
/** Every server replies for itself; nobody says how many there are. */
const ANSWERS_MS = 1000;

/** Of the servers that reply; none if they do not reveal it. */
export async function askServerSettings(connection: NatsConnection): Promise<LogServerSettings[]> {
  const found: LogServerSettings[] = [];
  try {
    const answers = await connection.requestMany(SUBJECT, '{}', { maxWait: ANSWERS_MS, strategy: 'timer' });
    for await (const answer of answers) {
      const { server, data } = answer.json<Varz>();
      if (!data?.jetstream?.config) continue;
      found.push({
        name: server?.name ?? '',
        isSynced: data.jetstream.config.sync_always === true,
        messageBytesMax: data.max_payload ?? 0,
      });
    }
  } catch {
    // Not allowed, or nobody there: return the replies so far.
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
