/**
 * The exchange as one process. This function is the architecture: each line depends only on those above it, and closing
 * runs in reverse.
 */

import type { Certificate } from '@bourse/api';
import { CauseLimit, type GatewayLog, makeLog, testNodeInternals } from '@bourse/api/basics';
import { FollowerThread, nodeClock } from '@bourse/engine';
import type { Settings } from '../config/settings.ts';
import type { RunningExchange, StartListeners } from './running-exchange.ts';
import { readCertificate } from './listeners.ts';
import { openDirectory } from './data-directory.ts';
import { type EmbeddedOptions, FOLLOWER_WORKER, openEmbedded } from './embedded.ts';
import { readSecrets, type Secrets, sharedSecrets } from './credentials.ts';
import { Reloading } from './reloading.ts';
import { OpenTransparency } from './liabilities.ts';
import { prepareVenue, VenueSecret } from './venue.ts';

export async function startExchange(
  given: Settings,
  {
    onLocked = async () => undefined,
    onProgress = () => undefined,
    log: ownLog,
    reread,
  }: StartListeners = {},
): Promise<RunningExchange> {
  const log = ownLog ?? makeLog(given.logLevel);
  // Credentials come first: if they are invalid, no data directory has been created yet.
  const secrets = await readSecrets(given);
  const settings = { ...given, smtpUrl: secrets.smtpUrl };
  const certificate = await readCertificate(settings);
  for (const sentence of await sharedSecrets(settings)) log.warn(sentence);
  // The listeners wait for it; the data directory need not.
  void testNodeInternals().then((changed) => {
    if (changed === null) return;
    log.warn(
      `Internals of Node ${process.version} have changed (${changed}). Using its public API; HTTP is slower.`,
    );
  });
  const limit = new CauseLimit(nodeClock);
  const listeners = {
    onProgress,
    // A retry every few seconds may fail for days.
    onWarning(sentence: string) {
      const leftOut = limit.take(sentence);
      if (leftOut !== undefined) log.warn({ ...(leftOut > 0 && { leftOut }) }, sentence);
    },
    onAlarm: (sentence: string) => log.error(sentence),
    onStop: (why: Error) =>
      log.fatal(
        { err: why },
        'the engine has stopped permanently and sends no more responses: restart the exchange',
      ),
  };
  const reloading = new Reloading(settings, secrets, reread);
  if (settings.cluster.length > 0) {
    // Loaded lazily: a single machine needs no servers.
    const { startNode } = await import('./node.ts');
    return startNode({ settings, secrets, certificate, log, onLocked, listeners, reloading });
  }
  if (settings.venue) return startVenue(settings, secrets, certificate, log, onLocked, listeners, reloading);
  const { startSandbox } = await import('./sandbox-start.ts');
  return startSandbox({ settings, secrets, certificate, listeners: { ...listeners, onLocked, log } });
}

async function startVenue(
  settings: Settings,
  secrets: Secrets,
  certificate: Certificate | undefined,
  log: GatewayLog,
  onLocked: () => Promise<void>,
  listeners: Pick<EmbeddedOptions, 'onProgress' | 'onWarning' | 'onAlarm' | 'onStop'>,
  reloading: Reloading,
): Promise<RunningExchange> {
  const clock = nodeClock;
  const startedAt = clock.elapsed();
  const { onWarning, onAlarm } = listeners;
  const directory = await openDirectory(settings.data, {
    segmentBytes: settings.logSegmentBytes,
    onLocked,
    ...(onWarning && { onWarning }),
    ...(onAlarm && { onAlarm }),
  });
  const { promise: followerStarts, resolve: onFollowerStart } = Promise.withResolvers<void>();
  const opening = openEmbedded({
    settings,
    directory,
    clock,
    startedAt,
    startFollower(task) {
      const starting = FollowerThread.start(FOLLOWER_WORKER, task);
      onFollowerStart();
      return starting;
    },
    ...listeners,
  });
  // The follower's thread takes some hundred milliseconds to load its code; this one loads the gateway meanwhile.
  await Promise.race([followerStarts, opening]);
  const loading = import('./service.ts');
  // Awaited below, when there is an engine to close if it fails.
  loading.catch(() => undefined);
  const engine = await opening;
  let transparency: OpenTransparency | undefined;
  try {
    const { openService } = await loading;
    const credentials = await prepareVenue(settings, secrets, engine);
    transparency = await OpenTransparency.open({
      dir: settings.data,
      logCopy: settings.logCopy,
      hadRecords: engine.start.seq > 0,
      secrets: credentials.secrets,
      port: engine,
      clock,
      warn: (sentence) => onWarning?.(sentence),
    });
    const { history } = engine;
    const isHistoryEmpty = engine.start.seq === 0;
    const service = await openService({
      settings,
      port: engine,
      history,
      isHistoryEmpty,
      clock,
      log,
      credentials,
      certificate,
      transparency,
      secret: new VenueSecret(settings, secrets.secretKey ?? '', credentials.secrets),
      reloading,
      identity: { dir: settings.data, home: { baseUrl: '' } },
    });
    return {
      connection: service.connection,
      isSandbox: false,
      isTokenNew: credentials.isTokenNew,
      engine,
      reload: () => reloading.reload(),
      async close() {
        await service.close();
        await transparency?.close();
        await engine.close();
      },
    };
  } catch (error) {
    await transparency?.discard();
    await engine.close();
    throw error;
  }
}
