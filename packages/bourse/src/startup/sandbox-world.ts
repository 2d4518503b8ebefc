/** Assembles a world of a sandbox: a data directory with its engine, market, views, feed and gateway. */

import { allRoutes, FeedTokens, type HttpListener } from '@bourse/api';
import type { GatewayLog } from '@bourse/api/basics';
import {
  type Clock,
  copyLog,
  type ExchangePort,
  type FollowerLink,
  type FollowerThreads,
  logDirectory,
  makeLockFile,
} from '@bourse/engine';
import {
  closeAll,
  CONTROL_ROUTES,
  controlPlugin,
  LivingMarket,
  namesSymbol,
  type Sandbox,
  type SandboxClock,
  SandboxFaults,
  Witnesses,
  type World,
  type WorldState,
  worldStateOf,
} from '@bourse/sandbox';
import { SANDBOX_MOUNT } from '@bourse/sandbox/basics';
import type { Settings } from '../config/settings.ts';
import type { Credentials } from './credentials.ts';
import type { OpenDirectory } from './data-directory.ts';
import { type EmbeddedOptions, openEmbedded } from './embedded.ts';
import type { FollowerTask } from './follower-worker.ts';
import { copyKeyring } from './identity-start.ts';
import { beginAgain } from './checkpoints.ts';
import { originsOf, type PreparedService, prepareService, type Resumed } from './service.ts';
import { OpenTransparency } from './liabilities.ts';

/** Shared by all worlds of a sandbox. */
export interface WorldParts {
  readonly settings: Settings;
  readonly listener: HttpListener;
  readonly followers: FollowerThreads;
  readonly sandbox: Sandbox;
  readonly log: GatewayLog;
  /** The base of links in mails. */
  readonly home: { baseUrl: string };
  /** Signs feed tokens, so that a client may use its token again after a restore. */
  readonly feedSecret: Uint8Array;
  readonly listeners: Pick<EmbeddedOptions, 'onProgress' | 'onWarning' | 'onAlarm' | 'onStop'>;
}

export interface WorldOptions {
  readonly dir: string;
  readonly directory: OpenDirectory;
  readonly clock: SandboxClock;
  /** Waits for the follower's thread before the world is ready. */
  readonly isFollowerAwaited: boolean;
  /** Called once the engine runs: seeds an empty directory. */
  readonly prepare: (engine: World['engine']) => Promise<Credentials>;
  readonly state?: WorldState | undefined;
  /** Used without a state: the values that the last run left. */
  readonly tickerTimes?: WorldState['tickerTimes'];
  readonly startedAt?: number;
}

export interface OpenWorld extends World {
  readonly credentials: Credentials;
  readonly prepared: PreparedService;
  /** Releases requests that faults delay. */
  release(): void;
  /** Finishes requests in flight and syncs everything to disk. */
  close(): Promise<void>;
}

/** The websocket close code for a service restart. */
const RESTART = 1012;

export async function openWorld(parts: WorldParts, options: WorldOptions): Promise<OpenWorld> {
  const { settings: given, followers, sandbox, log, listener, home, feedSecret } = parts;
  const { dir, directory, clock, isFollowerAwaited, prepare, state, startedAt } = options;
  const settings = { ...given, data: dir };
  const startFollower = async (task: FollowerTask): Promise<FollowerLink> =>
    isFollowerAwaited ? followers.open(task) : followers.start(task);
  const witnesses = new Witnesses(() => engine.secure());
  clock.reach(directory.log.lastTime);
  const engine = await openEmbedded({
    settings,
    directory,
    clock,
    startFollower,
    isWatched: () => witnesses.count > 0,
    ...parts.listeners,
    ...(startedAt !== undefined && { startedAt }),
  });
  let transparency: OpenTransparency | undefined;
  let sandboxFaults: SandboxFaults | undefined;
  try {
    const credentials = await prepare(engine);
    transparency = await OpenTransparency.open({
      dir,
      hadRecords: engine.start.seq > 0,
      secrets: credentials.secrets,
      port: engine,
      clock,
      secure: () => engine.secure(),
      warn: (sentence) => parts.listeners.onWarning?.(sentence),
    });
    const access = {
      token: credentials.operatorToken,
      readToken: credentials.operatorReadToken,
      isRemoteAllowed: settings.operatorRemote,
      origins: originsOf(settings),
    };
    const resumed: Resumed = {
      // Of this world's clock: that of a replaced world stands still.
      tokens: new FeedTokens(clock, feedSecret),
      tickerTimes: options.tickerTimes ?? [],
      ...(state && { throttle: state.throttle, tickerTimes: state.tickerTimes }),
    };
    const prepared = await prepareService(
      {
        settings,
        port: engine,
        history: engine.history,
        isHistoryEmpty: engine.start.seq === 0,
        clock,
        log,
        credentials,
        faults(made, wallSigned) {
          const { faults: rules, requests } = sandbox;
          const needed = { rules, requests, services: made, wallSigned, makeRoutes: allRoutes, dir };
          return (sandboxFaults = new SandboxFaults(needed, state?.late));
        },
        resumed,
        transparency,
        identity: { dir, mailbox: sandbox.mailbox, home, isCopy: transparency.isCopy },
        documented: CONTROL_ROUTES.map((row) => ({ ...row, path: SANDBOX_MOUNT + row.path, tag: 'Sandbox' })),
        extensions: [
          (app, { context: { admission, log: requestLog }, operatorTraffic: traffic }) => {
            const { bodyBytesMax } = settings;
            const needed = { sandbox, access, admission, bodyBytesMax, log: requestLog, traffic };
            const control = controlPlugin(needed);
            void app.register(control, { prefix: SANDBOX_MOUNT });
          },
        ],
      },
      { front: listener, operators: undefined },
    );
    const market = await openMarket(settings, engine.lazyPort, clock, log);
    clock.waitFor({
      get isSettled() {
        return engine.isSettled && market.isIdle;
      },
      async settled() {
        await engine.settled();
        await market.idle();
      },
      agentsIdle: () => market.idle(),
    });
    const { gateway, services, faults } = prepared;
    const routes = settings.dialects.flatMap(({ mount, name: dialect }) =>
      allRoutes(services).map((route) => {
        const { id, path, method, pool } = route;
        return { id, path: mount + path, method, pool, dialect, namesSymbol: namesSymbol(route) };
      }),
    );
    const world: OpenWorld = {
      dir,
      clock,
      engine,
      services,
      throttle: gateway.throttle,
      routes,
      get inFlight() {
        return gateway.inFlight;
      },
      living: market,
      get late() {
        return sandboxFaults!.lateState;
      },
      credentials,
      prepared,
      async copyTo(target) {
        const { seq, cut } = await engine.copyTo(target, () => ({
          log: directory.log.cut,
          state: worldStateOf(world),
        }));
        await copyLog(logDirectory(dir), logDirectory(target), cut.log);
        await world.completeCopy(target, seq);
        return { seq, state: cut.state };
      },
      async completeCopy(target, seq) {
        // After the log: a key is durable before the first record that needs it.
        await copyKeyring(dir, target);
        await beginAgain(target, dir, seq);
        makeLockFile(target);
      },
      serve: () => listener.serve(witnesses.before(gateway)),
      release: () => faults?.release(),
      async discard(why) {
        clock.stop();
        // Before any await: no order may be accepted once the next world is served.
        const ended = engine.discard(why);
        const retired = gateway.retire(RESTART, why);
        const unfollowed = transparency?.discard();
        world.release();
        await market.close();
        await retired;
        await faults?.close();
        await unfollowed;
        await ended;
      },
      async close() {
        clock.stop();
        await closeAll(
          () => market.close(),
          () => faults?.close(),
          () => transparency?.close(),
          () => engine.close(),
        );
      },
    };
    return world;
  } catch (error) {
    await transparency?.discard();
    await engine.close();
    throw error;
  }
}

/** Opens the sandbox's market: its agents begin, or resume, before the sandbox reports that it is ready. */
async function openMarket(
  { market: preset, seed, recordings }: Settings,
  port: ExchangePort,
  clock: Clock,
  log: GatewayLog,
): Promise<LivingMarket> {
  const market = await LivingMarket.open({
    port,
    clock,
    recordings,
    onProblem: (sentence) => log.warn(sentence),
  });
  await market.begin({ preset, seed });
  return market;
}
