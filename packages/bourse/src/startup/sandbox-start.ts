/** Starts a sandbox: its first world, and the functions that open worlds for restores and forks. */

import { randomBytes } from 'node:crypto';
import { type Certificate, HttpListener, KEYRING_FILE, OUTBOX_FILE } from '@bourse/api';
import { FollowerThreads, nodeClock } from '@bourse/engine';
import {
  type ClockFile,
  clockWord,
  closeAll,
  type ForkOptions,
  MANUAL_START_MS,
  parseClock,
  readClockFile,
  type RunningFork,
  Sandbox,
  SandboxClock,
  type WorldOpener,
  type WorldState,
} from '@bourse/sandbox';
import type { Settings } from '../config/settings.ts';
import { CHECKPOINTS_FILE } from './checkpoints.ts';
import { LIABILITIES_FOLDER } from './liabilities.ts';
import { followCertificate } from './listeners.ts';
import { openDirectory, settleHistory } from './data-directory.ts';
import { FOLLOWER_WORKER } from './embedded.ts';
import type { Secrets } from './credentials.ts';
import { pageUrl, type RunningExchange, type StartListeners } from './running-exchange.ts';
import { prepareSandbox } from './sandbox.ts';
import { openWorld, type OpenWorld, type WorldParts } from './sandbox-world.ts';
import { connectionOf } from './service.ts';

export interface SandboxStart {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly certificate?: Certificate | undefined;
  readonly listeners: Required<Pick<StartListeners, 'onLocked' | 'log'>> & WorldParts['listeners'];
  /** A fork begins with this. */
  readonly state?: WorldState | undefined;
}

const FEED_SECRET_BYTES = 32;

/** What an exchange writes to its data directory besides log, snapshots and history. */
const EXCHANGE_FILES = [KEYRING_FILE, OUTBOX_FILE, CHECKPOINTS_FILE, LIABILITIES_FOLDER];

export async function startSandbox(start: SandboxStart): Promise<RunningExchange> {
  const { settings, secrets, certificate, listeners, state } = start;
  const { log, onLocked, ...engineListeners } = listeners;
  const warn = engineListeners.onWarning ?? (() => undefined);
  const startedAt = nodeClock.elapsed();
  const { trustedProxies } = settings;
  const listener = new HttpListener(settings, nodeClock, { certificate, trustedProxies });
  const followers = new FollowerThreads(FOLLOWER_WORKER);
  const opener = new SandboxWorlds(start);
  const sandbox = new Sandbox({
    dir: settings.data,
    seed: settings.seed,
    opener,
    exchangeFiles: EXCHANGE_FILES,
  });
  const home = { baseUrl: settings.publicUrl };
  const parts: WorldParts = {
    settings,
    listener,
    followers,
    sandbox,
    log,
    home,
    feedSecret: randomBytes(FEED_SECRET_BYTES),
    listeners: engineListeners,
  };
  opener.begin(parts);
  const directory = await openDirectory(settings.data, {
    segmentBytes: settings.logSegmentBytes,
    isOwnCopy: state !== undefined,
    ...(engineListeners.onWarning && { onWarning: engineListeners.onWarning }),
    ...(engineListeners.onAlarm && { onAlarm: engineListeners.onAlarm }),
    async onLocked() {
      await onLocked();
      await sandbox.clean(settleHistory);
    },
  });
  let world: OpenWorld;
  try {
    const left = await readClockFile(settings.data, warn);
    world = await openWorld(parts, {
      dir: settings.data,
      // The sandbox holds the lock, not the world: a restore replaces the world.
      directory: { ...directory, release: async () => undefined },
      clock: new SandboxClock(nodeClock, state?.clock ?? beginningOf(settings, left)),
      tickerTimes: left.tickers,
      // A fork's directory is complete, and an empty log needs no catching up: the follower may start later.
      isFollowerAwaited: state === undefined && directory.log.lastSeq > 0,
      prepare: (engine) => prepareSandbox(settings, secrets, engine),
      state,
      startedAt,
    });
  } catch (error) {
    await followers.close();
    await directory.release();
    throw error;
  }
  try {
    await sandbox.begin(world);
    world.serve();
    const address = await listener.listen({ host: settings.host, port: settings.port });
    const leaveCertificate = followCertificate(settings, [listener], nodeClock, log, certificate);
    const addresses = { address, operatorAddress: address };
    if (home.baseUrl === '') home.baseUrl = pageUrl(address);
    const { credentials, prepared } = world;
    // The current market: it may have been changed since the first start, or since the fork's origin.
    const { preset: market, seed } = await world.living.view();
    const closeWorld = async (): Promise<void> => {
      const present = sandbox.world as OpenWorld;
      present.release();
      await closeAll(
        () => listener.close(nodeClock, () => present.prepared.gateway.close()),
        () => present.close(),
      );
      // A full disk must not prevent the stop.
      await sandbox.remember().catch(() => undefined);
      await sandbox.directories.settle(settleHistory);
    };
    return {
      connection: { ...connectionOf(settings, addresses, credentials, prepared.users, true), market, seed },
      isSandbox: true,
      isTokenNew: credentials.isTokenNew,
      sandbox,
      get engine() {
        return sandbox.world.engine;
      },
      async close() {
        leaveCertificate();
        await closeAll(
          () => sandbox.close(),
          () => closeWorld(),
          () => followers.close(),
          () => directory.release(),
        );
      },
    };
  } catch (error) {
    await closeAll(
      () => world.close(),
      () => followers.close(),
      () => directory.release(),
    ).catch(() => undefined);
    // The first error is the reason.
    throw error;
  }
}

/** The initial exchange time: never before the last one. */
function beginningOf({ clock, time }: Settings, left: ClockFile) {
  const word = parseClock(clock)!;
  const wanted = time || (word.mode === 'manual' ? MANUAL_START_MS : nodeClock.now());
  return { ...word, time: Math.max(wanted, left.time) };
}

class SandboxWorlds implements WorldOpener {
  readonly #start: SandboxStart;
  #parts: WorldParts | undefined;

  constructor(start: SandboxStart) {
    this.#start = start;
  }

  begin(parts: WorldParts): void {
    this.#parts = parts;
  }

  async open(dir: string, state: WorldState): Promise<OpenWorld> {
    const { settings, secrets } = this.#start;
    const clock = new SandboxClock(nodeClock, state.clock);
    return openWorld(this.#parts!, {
      dir,
      directory: await openDirectory(dir, { isOwnCopy: true, segmentBytes: settings.logSegmentBytes }),
      clock,
      isFollowerAwaited: false,
      prepare: (engine) => prepareSandbox(settings, secrets, engine),
      state,
    });
  }

  async fork({ dir, state, port = 0, market, seed, clock: word }: ForkOptions): Promise<RunningFork> {
    const { settings, secrets, certificate, listeners } = this.#start;
    const clock = { ...state.clock, ...(word === undefined ? {} : parseClock(word)!) };
    const running = await startSandbox({
      secrets,
      certificate,
      listeners: { ...listeners, onLocked: async () => undefined },
      state: { ...state, clock },
      settings: {
        ...settings,
        data: dir,
        port,
        publicUrl: '',
        configOut: '',
        clock: clockWord(clock),
      },
    });
    const close = () => running.close();
    if (market === undefined && seed === undefined) return { connection: running.connection, close };
    try {
      // After the start: with the origin's settings, the fork first continues its market, which keeps what is omitted.
      const { living } = running.sandbox!.world;
      const change = { ...(market !== undefined && { preset: market }), ...(seed !== undefined && { seed }) };
      const now = await living.set(change);
      return { connection: { ...running.connection, market: now.preset, seed: now.seed }, close };
    } catch (error) {
      await close().catch(() => undefined);
      throw error;
    }
  }
}
