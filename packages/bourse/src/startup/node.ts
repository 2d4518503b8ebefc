/**
 * A node of a cluster: the same exchange as on one machine, with its log in a replicated stream. Each line
 * depends only on those above it, and closing runs in reverse.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { RULES_VERSION } from '@bourse/core';
import { type Certificate, FeedTokens, OPERATOR_MOUNT, watchCluster } from '@bourse/api';
import type { GatewayLog } from '@bourse/api/basics';
import {
  askOthers,
  askServerSettings,
  AuthenticatedBus,
  type Bus,
  type ClusterKeys,
  ClusterUnfit,
  explained,
  Forgeries,
  type HeardNode,
  JetStreamLog,
  LogClock,
  NatsBus,
  NodePosition,
  NodeSequencer,
  Presence,
  ReachWatch,
  RecordMac,
  SharedLimits,
  SharedTraffic,
  untilAnswered,
  verifyBackup,
} from '@bourse/cluster';
import {
  type Engine,
  type ExchangePort,
  FollowerThread,
  nodeClock,
  openEngine,
  shortened,
} from '@bourse/engine';
import { SANDBOX_SECRET_KEY } from '@bourse/sandbox/basics';
import type { Settings } from '../config/settings.ts';
import { clusterKeysOf, openStream } from './cluster-stream.ts';
import type { Secrets } from './credentials.ts';
import { type EmbeddedOptions, FOLLOWER_WORKER } from './embedded.ts';
import type { FollowerTask } from './follower-worker.ts';
import { Listeners } from './listeners.ts';
import { joinFromStore, knownThrough, leaveLostEnd, NodeSnapshots } from './node-snapshots.ts';
import { ClusterSetup, makeFingerprints } from './cluster-setup.ts';
import { pageUrl, type RunningExchange } from './running-exchange.ts';
import { NodeControl } from './node-control.ts';
import { type NodeDirectory, openNodeDirectory } from './data-directory.ts';
import type { Reloading } from './reloading.ts';
import { prepareSandbox } from './sandbox.ts';
import { connectionOf, prepareService } from './service.ts';
import { prepareVenue } from './venue.ts';

export interface NodeStart {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly certificate: Certificate | undefined;
  readonly log: GatewayLog;
  readonly onLocked: () => Promise<void>;
  readonly reloading: Reloading;
  readonly listeners: Required<Pick<EmbeddedOptions, 'onProgress' | 'onWarning' | 'onAlarm' | 'onStop'>>;
}

/** How long a start waits for replies of other nodes; a running node replies within milliseconds. */
const ASK_MS = 300;
const ASKS = 3;
const RUN_BYTES = 8;

/** A node that applies records but does not listen yet. */
interface OpenNode extends Awaited<ReturnType<typeof openStream>> {
  readonly keys: ClusterKeys;
  readonly bus: Bus;
  /** Identifies this process; a restart gets a new one. */
  readonly run: string;
  readonly presence: Presence;
  readonly records: JetStreamLog;
  readonly engine: Engine;
  readonly sequencer: NodeSequencer;
  readonly forgeries: Forgeries;
}

export async function startNode(start: NodeStart): Promise<RunningExchange> {
  const { settings, secrets, certificate, log, listeners, reloading } = start;
  const clock = nodeClock;
  const opened = await openNode(start);
  const { stream, snapshots, bus, run, presence, records, engine, sequencer, forgeries, keys } = opened;
  const { address, connection, sharedKeys } = opened;
  const fingerprints = makeFingerprints(reloading, keys.messages);
  const setup = new ClusterSetup({
    fingerprints,
    askServers: () => askServerSettings(connection),
    messageBytesMin: 2 * settings.bodyBytesMax,
    onWarning: listeners.onWarning,
  });
  const reachWatch = new ReachWatch({
    connection,
    isConnected: () => bus.isConnected,
    askOthers: (host) => askOthers(address, host),
    onWarning: listeners.onWarning,
  });
  const seen = { sequencer, presence, stream, reachWatch, forgeries, setup };
  const control = new NodeControl({ ...seen, bus, clock, fingerprints });
  const port = portOf(engine, control);
  const { snapshotRecords: everyRecords, snapshotBytes: everyBytes, logCopy } = settings;
  const { onWarning } = listeners;
  const kept = {
    store: snapshots,
    log: records,
    dir: settings.data,
    everyRecords,
    everyBytes,
    verifyCopy: logCopy === '' ? null : () => verifyBackup(logCopy, settings.clusterStream, stream.salt),
    onWarning,
  };
  const keeper = new NodeSnapshots({ ...kept, engine, sequencer, clock });
  const end = async (): Promise<void> => {
    await keeper.close();
    control.close();
    presence.end();
    // Without the servers nothing can be finished; the next start does it.
    if (bus.isConnected) await engine.close();
    else await engine.discard('the log servers do not answer');
  };
  const onTwin = (twin: HeardNode): void => {
    if (run < twin.run) sequencer.stop(new ClusterUnfit(hasTwin(twin)));
  };
  try {
    // Seeding needs a leader, and this node may be the only one.
    presence.begin('', () => control.state, onTwin);
    const prepare = settings.venue ? prepareVenue : prepareSandbox;
    const credentials = await prepare(settings, secrets, port);
    const httpListeners = new Listeners(settings, clock, log, certificate);
    const shared = createHmac('sha256', secrets.secretKey ?? SANDBOX_SECRET_KEY)
      .update(stream.salt)
      .digest();
    const home = { baseUrl: '' };
    const { gateway, users, identity } = await prepareService(
      {
        settings,
        port,
        history: engine.history,
        clock,
        log,
        credentials,
        reloading,
        extensions: [(_, { metrics }) => watchCluster(metrics, control)],
        cluster: { control, position: new NodePosition(sequencer, clock) },
        identity: { dir: settings.data, sharedKeys, home },
        resumed: { tokens: new FeedTokens(clock, shared) },
      },
      httpListeners,
    );
    const limits = new SharedLimits(gateway.throttle, bus, run, clock);
    const traffic = identity && new SharedTraffic(identity, bus, run, clock);
    const addresses = await httpListeners.open(gateway);
    home.baseUrl = settings.publicUrl || pageUrl(addresses.address);
    const found = connectionOf(settings, addresses, credentials, users, true);
    const ownUrl = found.operatorUrl.slice(0, -OPERATOR_MOUNT.length);
    presence.begin(settings.operatorPublicUrl || ownUrl, () => control.state, onTwin);
    engine.subscribe(() => presence.announceAfterRecord());
    const { sandboxUrl: _, seed: __, market: ___, clock: ____, ...connectionFile } = found;
    return {
      connection: connectionFile,
      isSandbox: credentials.isSandbox,
      isTokenNew: credentials.isTokenNew,
      engine,
      reload: () => reloading.reload(),
      async close() {
        limits.close();
        traffic?.close();
        await httpListeners.close(gateway);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** If the log servers do not respond, its error says what an operator can do. */
async function openNode({ settings, secrets, onLocked, listeners }: NodeStart): Promise<OpenNode> {
  const { node: name, data: dir } = settings;
  const clock = nodeClock;
  const startedAt = clock.elapsed();
  const keys = clusterKeysOf(settings, secrets);
  const opened = await openStream(settings, name, keys);
  const { address, connection, stream, snapshots } = opened;
  const forgeries = new Forgeries(clock, listeners.onAlarm);
  const run = randomBytes(RUN_BYTES).toString('hex');
  const bus = new AuthenticatedBus({
    bus: new NatsBus(connection, address.stream),
    key: keys.messages,
    run,
    clock,
    forgeries,
  });
  const presence = new Presence({ name, run, url: '', rules: RULES_VERSION }, bus, clock);
  let sequencer!: NodeSequencer;
  let directory: NodeDirectory | undefined;
  try {
    await checkName(presence, name);
    directory = await openNodeDirectory(dir, listeners.onAlarm);
    const { isHeld, release } = directory;
    await onLocked();
    const mac = new RecordMac(keys.records);
    const known = await untilAnswered(connection, () => knownThrough(snapshots, dir));
    const records = await JetStreamLog.open({ stream, clock, mac, onForged: (at) => forgeries.record(at) });
    presence.compareWith(new LogClock(records, clock));
    const { firstSeq, lastSeq } = records;
    const { clusterLostThrough: givenUp } = settings;
    const { onAlarm } = listeners;
    await leaveLostEnd({ store: snapshots, dir, known, lastSeq, givenUp, onAlarm });
    const hasJoined = await untilAnswered(connection, () => joinFromStore(snapshots, dir, firstSeq, onAlarm));
    if (hasJoined) listeners.onWarning(`${dir} was initialised from another node's snapshot in the store`);
    // The leader's records say when a snapshot is due.
    const limits = {
      snapshotRecords: Infinity,
      snapshotBytes: Infinity,
      retentionMs: settings.historyRetentionMs,
    };
    const task: FollowerTask = { dir, limits, cluster: { address, recordsKey: keys.records } };
    const engine = await openEngine({
      ...(await directory.open(records.firstSeq === 1)),
      log: records,
      isLogShared: true,
      // Only the leader removes records.
      keepSegments: true,
      clock,
      startedAt,
      startFollower: () => FollowerThread.start(FOLLOWER_WORKER, task),
      isOwned: isHeld,
      release,
      limits: { queueMax: settings.queueCommandsMax, queueBytesMax: settings.queueBytesMax },
      clockJumpMsMax: settings.clockJumpMsMax,
      makeSequencer(parts) {
        sequencer = new NodeSequencer({
          ...parts,
          log: records,
          bus,
          name,
          run,
          heard: (each) => presence.heard(each),
          clockOf: (each) => presence.clockOf(each),
          rank: () => presence.rank(sequencer.leader.run),
          successor: () => presence.successor(),
          aheadMs: () => presence.aheadMs(),
          aloneBehindMs: () => presence.aloneBehindMs(),
          rules: () => presence.nextRules(records.lastRules, records.lastKnown),
        });
        return sequencer;
      },
      onSnapshot: ({ seq, hash }) => sequencer.snapshots.announce(seq, hash),
      ...listeners,
    });
    presence.onHeard((said) => sequencer.compare(said));
    return { ...opened, keys, bus, run, presence, records, engine, sequencer, forgeries };
  } catch (error) {
    presence.end();
    const why = explained(error, connection);
    // Idempotent: the engine may have it already.
    await directory?.release();
    await connection.close();
    throw why;
  }
}

async function checkName(presence: Presence, name: string): Promise<void> {
  // The first request only introduces the nodes to each other.
  for (let asked = 0; asked < ASKS; asked++) {
    presence.requestAnnouncements();
    await new Promise<void>((resolve) => void nodeClock.after(ASK_MS / ASKS, resolve));
  }
  const twin = presence.nodes().find((each) => each.name === name);
  if (twin) throw new ClusterUnfit(hasTwin(twin));
}

function hasTwin({ name, url }: HeardNode): string {
  return (
    `The cluster already has a node '${shortened(name)}'${url && `, at ${url}`}. Node names must be unique: ` +
    'start this one with another --node, or stop the other first.'
  );
}

/** The engine, with the state of the cluster in its health. */
function portOf(engine: Engine, control: NodeControl): ExchangePort {
  return {
    send: (command, waiter, sender) => engine.send(command, waiter, sender),
    read: (query) => engine.read(query),
    subscribe: (listener) => engine.subscribe(listener),
    historyCaughtUp: () => engine.historyCaughtUp(),
    acceptClock: () => engine.acceptClock(),
    get aheadMs() {
      return engine.aheadMs;
    },
    get health() {
      const { degraded } = control;
      return { ...engine.health, ...(degraded !== undefined && { degraded }) };
    },
  };
}
