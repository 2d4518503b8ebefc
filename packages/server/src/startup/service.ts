/** What stands between the engine and the world: views, feed and gateway, with the credentials of a sandbox or a venue. */

import type { Settings } from '../config/settings.ts';
import type { ExchangePort } from '../engine/exchange-port.ts';
import { Feed } from '../feed/feed.ts';
import { serveOrderEntry } from '../order-entry/order-entry.ts';
import { UnownedAddresses } from '../gateway/money/custody.ts';
import { FeedTokens } from '../gateway/access/feed-tokens.ts';
import type { GatewayLog } from '../gateway/http/log.ts';
import { OPERATOR_MOUNT, operatorPlugin } from '../gateway/operator/plugin.ts';
import { allRoutes } from '../gateway/routes/all.ts';
import { OwnOrigins } from '../gateway/http/origin.ts';
import { Gateway, type GatewayOptions } from '../gateway/http/server.ts';
import type { Route } from '../gateway/route.ts';
import type { Services } from '../gateway/services.ts';
import type { HistoryReader } from '../history/history.ts';
import type { Clock } from '../io/clock.ts';
import { Catalogue } from '../views/catalogue.ts';
import { MarketView } from '../views/market.ts';
import { StatisticsView } from '../views/statistics.ts';
import { type ConnectionFile, type ConnectionUser, sandboxUsers } from './connection-file.ts';
import type { Credentials } from './credentials.ts';

export interface ServiceOptions {
  readonly settings: Settings;
  readonly port: ExchangePort;
  readonly history: HistoryReader;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly credentials: Credentials;
  /** All there are, unless others are given. */
  readonly routes?: (services: Services) => readonly Route[];
  /** Further things on the same server. */
  readonly extensions?: GatewayOptions['extensions'];
}

export interface Service {
  /** Where it listens, such as http://127.0.0.1:8080. */
  readonly address: string;
  readonly connection: ConnectionFile;
  readonly services: Services;
  readonly feed: Feed;
  /** Takes no more, answers what is on its way. Port and history stay open: they are not the service's. */
  close(): Promise<void>;
}

export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, credentials, log } = options;
  const services = await makeServices(options);
  const users = credentials.isSandbox ? sandboxUsers(services.catalogue) : [];
  for (const sentence of unknownCurrencies(settings, services.catalogue)) log.warn(sentence);
  const feed = await Feed.follow({ services, tokens: services.feedTokens.tokens, limits: settings });
  const gateway = makeGateway(options, services, users, feed);
  const address = await gateway.listen(settings.host, settings.port);
  const baseUrl = settings.publicUrl || address;
  return {
    address,
    connection: {
      baseUrl,
      compatUrl: baseUrl + (settings.dialects.find(({ isLiteral }) => !isLiteral)?.mount ?? ''),
      // What comes through a proxy is not from this machine.
      operatorUrl: (settings.operatorRemote ? baseUrl : address) + OPERATOR_MOUNT,
      operatorToken: credentials.operatorToken,
      users,
    },
    services,
    feed,
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

async function makeServices(options: ServiceOptions): Promise<Services> {
  const { settings, port, history, clock, credentials } = options;
  // The last trades from before the start come from history.
  await port.historyCaughtUp();
  const limits = await followLimits(port);
  return {
    port,
    history,
    historyCaughtUp: () => port.historyCaughtUp(),
    catalogue: await Catalogue.follow(port),
    market: await MarketView.follow(port, history),
    statistics: await StatisticsView.follow(port, history),
    custody: new UnownedAddresses(),
    feedTokens: { tokens: new FeedTokens(clock), publicUrl: settings.publicUrl, pings: settings },
    secrets: credentials.secrets,
    clock,
    get lookupWindowMs() {
      return limits.lookupWindowMs;
    },
  };
}

/** An operator may change them while the exchange runs. */
function followLimits(port: ExchangePort): Promise<{ lookupWindowMs: number }> {
  return port.read(({ reference }) => {
    const limits = { ...reference.limits };
    port.subscribe(({ marketEvents }) => {
      for (const event of marketEvents) if (event.kind === 'limits-set') Object.assign(limits, event);
    });
    return limits;
  });
}

function makeGateway(
  { settings, credentials, log, routes = allRoutes, extensions = [] }: ServiceOptions,
  services: Services,
  [docsKey]: readonly ConnectionUser[],
  feed: Feed,
): Gateway {
  const ownHosts = [settings.host, settings.publicUrl && new URL(settings.publicUrl).host];
  const access = {
    token: credentials.operatorToken,
    readToken: settings.operatorReadToken,
    isRemoteAllowed: settings.operatorRemote,
    origins: new OwnOrigins(ownHosts),
  };
  const operatorServices = { ...services, creditMax: settings.creditMax };
  return new Gateway({
    services,
    routes: routes(services),
    dialects: settings.dialects,
    limits: settings,
    quotas: {
      windowMs: settings.poolWindowMs,
      spot: settings.spotPoolWeight,
      manage: settings.managePoolWeight,
      public: settings.publicPoolWeight,
      service: settings.servicePoolWeight,
      operator: settings.operatorPoolWeight,
      questionnairesPerSecondMax: settings.questionnairesPerSecondMax,
      tiers: settings.tiers,
    },
    skewMsMax: settings.skewMsMax,
    secrets: credentials.secrets,
    isSandbox: credentials.isSandbox,
    log,
    trustedProxies: settings.trustedProxies,
    ownHosts,
    ...(docsKey && { docsKey }),
    extensions: [
      (app, { context: { admission } }) => {
        const { bodyBytesMax } = settings;
        const operator = operatorPlugin({ services: operatorServices, access, admission, bodyBytesMax, log });
        void app.register(operator, { prefix: OPERATOR_MOUNT });
      },
      (app, parts) => serveOrderEntry(app, parts, settings),
      feed.attach,
      ...extensions,
    ],
  });
}
