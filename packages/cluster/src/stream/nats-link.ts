/** The connection of a process to the log servers: their addresses, and keep-alive. */

import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { checkServerIdentity as checkIdentity, type PeerCertificate } from 'node:tls';
import {
  connect,
  type ConnectionOptions,
  type NatsConnection,
  type TlsOptions,
} from '@nats-io/transport-node';
import { nodeClock } from '@bourse/engine';
import { delay } from './stream-reader.ts';

export interface ClusterAddress {
  /** Such as tls://10.0.0.1:4222, optionally with user and password. */
  readonly servers: readonly string[];
  /** CA certificates for those of the servers; default: the machine's. */
  readonly caFile?: string;
  /** Name of the stream, and of all subjects that belong to it. */
  readonly stream: string;
}

/** The servers cannot be used; the message says why, and what to do. */
export class ClusterUnfit extends Error {
  override readonly name = 'ClusterUnfit';
}

/** Ping interval; after two pings without a reply another server is used. */
const PING_MS = 700;
const PINGS_UNANSWERED_MAX = 2;
const RECONNECT_MS = 100;
/** A server that takes longer hangs or is unreachable: try the next one. */
const CONNECT_MS = 1000;
/** Attempts per server at a start. */
const CONNECT_ATTEMPTS = 5;

/** How long a start waits for servers that elect a leader. */
export const OPEN_MS_MAX = 15_000;

const AGAIN_MS = 200;

/** NATS's error names for requests without a reply. */
const UNANSWERED: readonly string[] = ['TimeoutError', 'NoRespondersError', 'RequestError'];
/** A server's reply while the cluster has no leader. */
export const UNAVAILABLE = 503;
/** Not enough servers for the replicas: after a start they find each other one by one. */
export const NO_PEERS = 10_005;
export const NO_STREAM = 10_059;

/** The error in an operator's terms, if the servers did not respond. */
export function explained(error: unknown, connection: NatsConnection): unknown {
  return isUnanswered(error) ? noMajority(connection) : error;
}

/** Retries while the servers elect a leader. Throws ClusterUnfit if that takes too long. */
export async function untilAnswered<T>(
  connection: NatsConnection,
  action: () => Promise<T>,
  msMax = OPEN_MS_MAX,
): Promise<T> {
  for (const until = nodeClock.elapsed() + msMax; ; ) {
    try {
      return await action();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      if (connection.isClosed() || nodeClock.elapsed() >= until) throw noMajority(connection);
    }
    await delay(nodeClock, AGAIN_MS);
  }
}

function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
  return UNANSWERED.includes(error.name) || status === UNAVAILABLE || code === NO_PEERS;
}

/** A server is connected, but nobody speaks for the cluster. */
export function noMajority(connection: NatsConnection): ClusterUnfit {
  return new ClusterUnfit(
    `The log server ${connection.getServer()} answers, but not for the log: more than half of the log's servers must run, ` +
      'and reach each other. Start those that are missing; nothing was changed.',
  );
}

export function linkOptions({ servers, caFile }: ClusterAddress, name: string): ConnectionOptions {
  const urls = servers.map((url) => new URL(url));
  const [{ username, password }] = urls;
  const hasTls = urls.some(({ protocol }) => protocol === 'tls:');
  return {
    servers: urls.map(({ host }) => host),
    // All servers are configured by the names in their certificates; ignore gossiped addresses.
    ignoreClusterUpdates: true,
    name,
    ...(hasTls && { tls: tlsOf(urls, caFile) }),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    pingInterval: PING_MS,
    maxPingOut: PINGS_UNANSWERED_MAX,
    reconnectTimeWait: RECONNECT_MS,
    maxReconnectAttempts: -1,
    timeout: CONNECT_MS,
  };
}

/** Throws ClusterUnfit. */
export async function connectTo(address: ClusterAddress, name: string): Promise<NatsConnection> {
  for (let attempt = 1; ; attempt++) {
    try {
      const connection = await connectToAll(linkOptions(address, name));
      void destroyStale(connection);
      return connection;
    } catch (error) {
      const isSlow = (error as Error).name === 'TimeoutError';
      if (!isSlow || attempt >= CONNECT_ATTEMPTS) throw new ClusterUnfit(explain(address.servers, error));
    }
  }
}

/**
 * The library drops every server that its first connection did not reach, so a node would never return to one that was
 * down at its start. A connection that starts with a responding server keeps them all.
 */
async function connectToAll(options: ConnectionOptions): Promise<NatsConnection> {
  const hosts = options.servers as string[];
  const at = randomInt(hosts.length);
  const servers = [...hosts.slice(at), ...hosts.slice(0, at)];
  const connection = await connect({ ...options, servers, noRandomize: true });
  const reached = connection.getServer();
  if (reached === servers[0] || !servers.includes(reached)) return connection;
  await connection.close();
  const others = servers.filter((host) => host !== reached);
  return connect({ ...options, servers: [reached, ...others], noRandomize: true });
}

/**
 * The library flushes a connection before it leaves it. With a full send buffer on a cut link that write ends when TCP
 * gives up, minutes after the link is back, and the library does not reconnect until then. Destroying the socket ends it.
 */
async function destroyStale(connection: NatsConnection): Promise<void> {
  const { protocol } = connection as NatsConnection & {
    // Internals of the library: the public interface has no way to abandon a connection without a flush.
    readonly protocol?: { readonly transport?: { readonly socket?: Socket } };
  };
  for await (const { type } of connection.status()) {
    if (type === 'staleConnection' || type === 'forceReconnect') protocol?.transport?.socket?.destroy();
  }
}

/** Accepts a certificate of any of the hosts: the library does not say which server it has just dialled. */
function tlsOf(urls: readonly URL[], caFile: string | undefined): TlsOptions {
  const checkServerIdentity = (_host: string, certificate: PeerCertificate): Error | undefined => {
    const faults = urls.map(({ hostname }) => checkIdentity(hostname, certificate));
    return faults.includes(undefined) ? undefined : faults[0];
  };
  return { ...(caFile && { caFile }), checkServerIdentity } as TlsOptions;
}

function explain(servers: readonly string[], error: unknown): string {
  const where = servers.map((url) => new URL(url).host).join(', ');
  const { name, message } = error as Error;
  if (name === 'AuthorizationError' || /authorization/i.test(message)) {
    return (
      `The log servers ${where} refuse the user and password of --cluster. Give those that their configuration names: ` +
      'nats://user:password@host:4222.'
    );
  }
  if (/certificate|altname|self.signed|'tls'|ENOENT|PEM/i.test(message)) {
    return (
      `The log servers ${where} cannot be trusted (${message}). Name the CA of their certificates with --cluster-ca-file, ` +
      'and with --cluster the hosts that stand in them.'
    );
  }
  return (
    `None of the log servers ${where} responds (${message}). Start them, or give their addresses with --cluster; ` +
    'nothing was changed.'
  );
}
