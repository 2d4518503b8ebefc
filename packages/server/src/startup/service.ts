/** What stands between the engine and the world: views, feed and gateway, with the credentials of a sandbox or a venue. */

import type { Settings } from '../config/settings.ts';
import type { Engine } from '../engine/engine.ts';
import { Feed } from '../feed/feed.ts';
import { serveOrderEntry } from '../order-entry/order-entry.ts';
import { UnownedAddresses } from '../gateway/money/custody.ts';
import { type FeedTokenOptions, FeedTokens } from '../gateway/access/feed-tokens.ts';
import type { GatewayLog } from '../gateway/http/log.ts';
import { OPERATOR_MOUNT, operatorPlugin } from '../gateway/operator/plugin.ts';
import { allRoutes } from '../gateway/routes/all.ts';
import { Gateway } from '../gateway/http/server.ts';
import type { SecretBox } from '../gateway/access/secrets.ts';
import type { Services } from '../gateway/services.ts';
import type { Clock } from '../io/clock.ts';
import { Catalogue } from '../views/catalogue.ts';
import { MarketView } from '../views/market.ts';
import { StatisticsView } from '../views/statistics.ts';
import { type ConnectionFile, type ConnectionUser, sandboxUsers } from './connection-file.ts';
import type { Credentials } from './credentials.ts';

export interface Service {
  readonly connection: ConnectionFile;
  /** Takes no more, answers what is on its way. */
  close(): Promise<void>;
}

export async function openService(
  settings: Settings,
  engine: Engine,
  credentials: Credentials,
  clock: Clock,
  log: GatewayLog,
): Promise<Service> {
  const tokens = new FeedTokens(clock);
  const feedTokens = { tokens, publicUrl: settings.publicUrl, pings: settings };
  const services = await makeServices(engine, clock, credentials.secrets, feedTokens);
  const users = credentials.isSandbox ? sandboxUsers(services.catalogue) : [];
  for (const sentence of unknownCurrencies(settings, services.catalogue)) log.warn(sentence);
  const feed = await Feed.follow({ services, tokens, limits: settings });
  const gateway = makeGateway(settings, services, credentials, users, log, feed);
  const address = await gateway.listen(settings.host, settings.port);
  const baseUrl = settings.publicUrl || address;
  return {
    connection: {
      baseUrl,
      compatUrl: baseUrl + (settings.dialects.find(({ isLiteral }) => !isLiteral)?.mount ?? ''),
      // What comes through a proxy is not from this machine.
      operatorUrl: (settings.operatorRemote ? baseUrl : address) + OPERATOR_MOUNT,
      operatorToken: credentials.operatorToken,
      users,
    },
    close: () => gateway.close(),
  };
}

/** They may be added yet; until then a slip in the code would leave a currency with the cap of the others. */
function unknownCurrencies({ creditMax }: Settings, catalogue: Catalogue): string[] {
  return Object.keys(creditMax)
    .filter((code) => code !== '*' && !catalogue.currency(code))
    .map(
      (code) => `creditMax: there is no currency '${code}'; if that is a slip, its deposits have another cap`,
    );
}

async function makeServices(
  engine: Engine,
  clock: Clock,
  secrets: SecretBox,
  feedTokens: FeedTokenOptions,
): Promise<Services> {
  // The last trades from before the start come from history.
  await engine.historyCaughtUp();
  const limits = await followLimits(engine);
  return {
    port: engine,
    history: engine.history,
    historyCaughtUp: () => engine.historyCaughtUp(),
    catalogue: await Catalogue.follow(engine),
    market: await MarketView.follow(engine, engine.history),
    statistics: await StatisticsView.follow(engine, engine.history),
    custody: new UnownedAddresses(),
    feedTokens,
    secrets,
    clock,
    get lookupWindowMs() {
      return limits.lookupWindowMs;
    },
  };
}

/** An operator may change them while the exchange runs. */
function followLimits(engine: Engine): Promise<{ lookupWindowMs: number }> {
  return engine.read(({ reference }) => {
    const limits = { ...reference.limits };
    engine.subscribe(({ marketEvents }) => {
      for (const event of marketEvents) if (event.kind === 'limits-set') Object.assign(limits, event);
    });
    return limits;
  });
}

function makeGateway(
  settings: Settings,
  services: Services,
  credentials: Credentials,
  [docsKey]: readonly ConnectionUser[],
  log: GatewayLog,
  feed: Feed,
): Gateway {
  const operator = operatorPlugin({
    services: { ...services, creditMax: settings.creditMax },
    access: {
      token: credentials.operatorToken,
      readToken: settings.operatorReadToken,
      isRemoteAllowed: settings.operatorRemote,
    },
    log,
  });
  return new Gateway({
    services,
    routes: allRoutes(services),
    dialects: settings.dialects,
    limits: settings,
    quotas: {
      windowMs: settings.poolWindowMs,
      spot: settings.spotPoolWeight,
      manage: settings.managePoolWeight,
      public: settings.publicPoolWeight,
      questionnairesPerSecondMax: settings.questionnairesPerSecondMax,
      tiers: settings.tiers,
    },
    skewMsMax: settings.skewMsMax,
    secrets: credentials.secrets,
    isSandbox: credentials.isSandbox,
    log,
    trustedProxies: settings.trustedProxies,
    ...(docsKey && { docsKey }),
    extensions: [
      (app) => void app.register(operator, { prefix: OPERATOR_MOUNT }),
      (app, parts) => serveOrderEntry(app, parts, settings),
      feed.attach,
    ],
  });
}
