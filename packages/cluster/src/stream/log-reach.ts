/**
 * Finds out where the log is if nobody speaks for it over this node's own connection: asks each of the other log servers
 * over a separate connection. A log server without a majority looks the same to its clients whether the log is lost or
 * continues elsewhere.
 */

import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type ClusterAddress, linkOptions } from './nats-link.ts';
import { askInfo } from './nats-stream.ts';

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
export type LogLoss = 'cut-off' | 'minority' | 'majority-lost' | 'unknown';

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
