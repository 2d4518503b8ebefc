/**
 * Where the log is when nobody answers for it over this node's own connection: each of the other log servers is asked over
 * a connection of its own. A log server without a majority looks the same to its clients whether the log is lost or goes on
 * elsewhere.
 */

import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type ClusterAddress, linkOptions } from './nats-link.ts';
import { askInfo } from './nats-stream.ts';

export interface OtherServer {
  readonly host: string;
  /** `leads`: a majority follows, as it says. `up`: it answers, and not for the log. `refuses`: no server runs there. */
  readonly state: 'leads' | 'up' | 'refuses' | 'silent';
}

export interface LogReach {
  /** This node has a connection to a log server. */
  readonly isConnected: boolean;
  /** That server. */
  readonly host: string;
  /** The others that the settings name, when they were last asked. */
  readonly others: readonly OtherServer[];
}

/**
 * `cut-off`: this node has no connection. `minority`: its log server is cut off from the others, which have the log.
 * `majority-lost`: nobody has the log. `unknown`: too few servers answer here to tell, so the log may go on elsewhere.
 */
export type LogLoss = 'cut-off' | 'minority' | 'majority-lost' | 'unknown';

/** Why nobody answers for a log that `serverCount` servers keep. */
export function lossOf({ isConnected, others }: LogReach, serverCount: number): LogLoss {
  if (!isConnected) return 'cut-off';
  if (others.some(({ state }) => state === 'leads')) return 'minority';
  // Servers that answer or do not run are in no majority elsewhere.
  const known = 1 + others.filter(({ state }) => state !== 'silent').length;
  return known > Math.max(serverCount, 1 + others.length) / 2 ? 'majority-lost' : 'unknown';
}

export interface ReachWatchParts {
  readonly connection: Pick<NatsConnection, 'getServer' | 'reconnect'>;
  readonly isConnected: () => boolean;
  readonly askOthers: (host: string) => Promise<readonly OtherServer[]>;
  readonly onWarning: (sentence: string) => void;
}

/** Servers that elect a leader answer nothing for a moment, too. */
const LOOKS_ASKED = 2;

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

  /** After each look at the log. Leaves a log server that is cut off from the others for one that is not. */
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

/** Of the servers that the settings name, all but `host`. */
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
    // As the library names it when a machine answers that nobody listens.
    return (error as Error).message === 'connection refused' ? 'refuses' : 'silent';
  }
  try {
    return (await askInfo(connection, address.stream)) ? 'leads' : 'up';
  } finally {
    await connection.close();
  }
}
