/** The service around an engine: views, feed and gateway, with the credentials of a sandbox or a venue. */

import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import {
  addressReader,
  AddressStock,
  allRoutes,
  type CallOrigin,
  Catalogue,
  type Certificate,
  type ClusterControl,
  deviceName,
  type DocumentedRoute,
  type Faults,
  Feed,
  FeedTokens,
  FigureHistory,
  Gateway,
  type GatewayOptions,
  type Identity,
  IDENTITY_MOUNT,
  identityPlugin,
  LogBudget,
  type LogPosition,
  LongLists,
  Refusals,
  MarketView,
  normaliseEmail,
  OPERATOR_MOUNT,
  OperatorBook,
  operatorPlugin,
  OwnOrigins,
  Pages,
  REMEMBERED_MS,
  type Route,
  serveMetrics,
  serveOrderEntry,
  serveTransparency,
  type Services,
  SessionKeys,
  signedInByCookie,
  StatisticsView,
  type TickerMark,
  type Transparency,
  UnownedAddresses,
  WallSigned,
  WallSignedPort,
  welcomeOperator,
} from '@bourse/api';
import type { GatewayLog, ThrottleState } from '@bourse/api/basics';
import {
  type Clock,
  commandBytes,
  diskRoom,
  type ExchangePort,
  type HistoryReader,
  PAGE_FOLDER,
  shortened,
} from '@bourse/engine';
import { SANDBOX_MOUNT } from '@bourse/sandbox/basics';
import { operatorListenAddress } from '../config/operator-listen.ts';
import type { Settings } from '../config/settings.ts';
import { type IdentitySetup, openIdentity } from './identity-start.ts';
import { type ConnectionFile, type ConnectionUser, pageUrl, sandboxUsers } from './running-exchange.ts';
import type { Credentials } from './credentials.ts';
import { type ListenAddresses, Listeners } from './listeners.ts';
import { quotasOf, type Reloading } from './reloading.ts';
import type { VenueSecret } from './venue.ts';

/** In the data directory; not part of the exchange's state, so backups omit it. */
const FIGURES_FILE = 'figures.json';

export interface ServiceOptions {
  readonly settings: Settings;
  readonly port: ExchangePort;
  readonly history: HistoryReader;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly credentials: Credentials;
  readonly certificate?: Certificate | undefined;
  /** Absent in a cluster. */
  readonly transparency?: Transparency | undefined;
  /** Only for a venue on a single machine. */
  readonly secret?: VenueSecret;
  /** Default: all. */
  readonly routes?: (services: Services) => readonly Route[];
  /** Further routes of the same server. */
  readonly extensions?: GatewayOptions['extensions'];
  /** The faults that a sandbox injects between clients and the exchange; a venue has none. */
  readonly faults?: (services: Services, wallSigned: WallSigned) => Faults;
  /** Rows that the OpenAPI document has besides the routes. */
  readonly documented?: readonly DocumentedRoute[];
  /** The log was empty at the start, and nothing was traded or imported since: reads need not wait for history. */
  readonly isHistoryEmpty?: boolean;
  /** Of a node of a cluster. */
  readonly cluster?: { readonly control: ClusterControl; readonly position: LogPosition };
  /** Absent if people cannot sign in. */
  readonly identity?: IdentitySetup;
  /** For reloads. */
  readonly reloading?: Reloading;
  /** The folder of the built pages; default: the usual one. */
  readonly pageFolder?: string;
  /** State that a service takes over from its predecessor at the same address. */
  readonly resumed?: Resumed;
}

export interface Resumed {
  readonly tokens?: FeedTokens;
  readonly throttle?: ThrottleState;
  readonly tickerTimes?: readonly TickerMark[];
}

export interface Service {
  /** Where it listens, such as http://127.0.0.1:8080. */
  readonly address: string;
  readonly connection: ConnectionFile;
  readonly services: Services;
  readonly feed: Feed;
  /** Accepts no more requests and finishes those in flight. Port and history stay open: the caller owns them. */
  close(): Promise<void>;
}

/** A service that is ready but does not listen yet. */
export interface PreparedService {
  readonly services: Services;
  readonly feed: Feed;
  readonly gateway: Gateway;
  readonly users: readonly ConnectionUser[];
  readonly faults: Faults | undefined;
  readonly identity: Identity | undefined;
}

export type ServiceListeners = Pick<Listeners, 'front' | 'operators'>;

export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, credentials, clock } = options;
  const listeners = new Listeners(settings, clock, options.log, options.certificate);
  const { services, feed, gateway, users } = await prepareService(options, listeners);
  const addresses = await listeners.open(gateway);
  if (options.identity) options.identity.home.baseUrl = settings.publicUrl || pageUrl(addresses.address);
  return {
    address: addresses.address,
    connection: connectionOf(settings, addresses, credentials, users, options.identity !== undefined),
    services,
    feed,
    close: () => listeners.close(gateway),
  };
}

export async function prepareService(
  options: ServiceOptions,
  listeners: ServiceListeners,
): Promise<PreparedService> {
  const { settings, credentials, log } = options;
  const wallSigned = new WallSigned(options.clock, REMEMBERED_MS);
  const services = await makeServices(options, wallSigned);
  const users = credentials.isSandbox ? sandboxUsers(services.catalogue) : [];
  services.addressStock?.changed();
  for (const sentence of unknownCurrencies(settings, services.catalogue)) log.warn(sentence);
  const { tokens } = services.feedTokens;
  const faults = options.faults?.(services, wallSigned);
  const feed = await Feed.follow({ services, tokens, limits: settings, faults: faults?.feed });
  const identity =
    options.identity && (await openIdentity(options.identity, settings, credentials, services, log));
  const book = await OperatorBook.follow(options.port, options.clock);
  const gateway = makeGateway(options, services, users, feed, listeners, wallSigned, faults, identity, book);
  if (options.resumed?.throttle) gateway.throttle.restore(options.resumed.throttle);
  await gateway.ready();
  return { services, feed, gateway, users, faults, identity };
}

export function connectionOf(
  settings: Settings,
  { address, operatorAddress }: ListenAddresses,
  { operatorToken, isSandbox }: Credentials,
  users: readonly ConnectionUser[],
  hasIdentity: boolean,
): ConnectionFile {
  const baseUrl = settings.publicUrl || address;
  // A request through a proxy is not from this machine.
  const isProxied = isSandbox && settings.operatorRemote;
  const own = isProxied ? baseUrl : settings.operatorPublicUrl || operatorAddress;
  const { seed, market, clock } = settings;
  return {
    baseUrl,
    compatUrl: baseUrl + (settings.dialects.find(({ isLiteral }) => !isLiteral)?.mount ?? ''),
    operatorUrl: own + OPERATOR_MOUNT,
    operatorToken,
    ...(hasIdentity && { identityUrl: baseUrl + IDENTITY_MOUNT }),
    users,
    ...(isSandbox && { sandboxUrl: own + SANDBOX_MOUNT, seed, market, clock }),
  };
}

/**
 * Only a warning, because the currency may be added later; a misspelt code would leave its currency with the cap of the
 * others.
 */
function unknownCurrencies({ creditMax }: Settings, catalogue: Catalogue): string[] {
  return Object.keys(creditMax)
    .filter((code) => code !== '*' && !catalogue.currency(code))
    .map(
      (code) =>
        `creditMax: unknown currency '${shortened(code)}'; if it is misspelt, the cap of its deposits is that of '*'`,
    );
}

const logQuotasOf = (settings: Settings) => ({
  ...quotasOf(settings),
  logBytesPerWeight: settings.logBytesPerWeight,
  bytesOf: commandBytes,
});

async function makeServices(options: ServiceOptions, wallSigned: WallSigned): Promise<Services> {
  const { settings, port, history, clock, credentials, resumed = {} } = options;
  const source = { port, history, isHistoryEmpty: options.isHistoryEmpty ?? false };
  const limits = await followLimits(port);
  const catalogue = await Catalogue.follow(port);
  // Without another clock than the machine's, nothing is wall-signed.
  const claiming = clock.machine === clock ? port : new WallSignedPort(port, wallSigned);
  return {
    port: new LogBudget(claiming, catalogue, logQuotasOf(settings), clock),
    history,
    historyCaughtUp: () => port.historyCaughtUp(),
    longLists: new LongLists(clock),
    refusals: new Refusals(),
    catalogue,
    market: await MarketView.follow(source, resumed.tickerTimes),
    statistics: await StatisticsView.follow(source),
    custody: credentials.isSandbox ? new UnownedAddresses() : null,
    ...(!credentials.isSandbox && {
      addressStock: new AddressStock(port, (sentence) => options.log.warn(sentence)),
    }),
    feedTokens: {
      tokens: resumed.tokens ?? new FeedTokens(clock),
      publicUrl: settings.publicUrl,
      isSecure: isOverHttps(settings),
      pings: settings,
    },
    secrets: credentials.secrets,
    sessionKeys: new SessionKeys(catalogue, clock, settings),
    clock,
    ...(options.transparency && { transparency: options.transparency }),
    ...(options.cluster && { position: options.cluster.position }),
    historyRetentionMs: settings.historyRetentionMs,
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
      for (let at = 0; at < marketEvents.length; at++) {
        const event = marketEvents[at];
        if (event.kind === 'limits-set') Object.assign(limits, event);
      }
    });
    return limits;
  });
}

/** Whether clients use TLS: to this service, or to a proxy in front of it. */
const isOverHttps = ({ publicUrl, tlsCert }: Settings): boolean =>
  publicUrl.startsWith('https:') || tlsCert !== '';

/** Origins whose pages may send changes. */
export const originsOf = ({
  host,
  publicUrl,
  hostNames,
}: Pick<Settings, 'host' | 'publicUrl' | 'hostNames'>): OwnOrigins =>
  new OwnOrigins({ host, publicHost: publicUrl && new URL(publicUrl).host, hostNames });

/** Origins whose pages may call the operator API: those of its own listener, if it has one. */
function operatorOriginsOf(settings: Settings): OwnOrigins {
  const listen = operatorListenAddress(settings);
  if (listen === undefined) return originsOf(settings);
  const { operatorPublicUrl: publicUrl, hostNames } = settings;
  return originsOf({ host: 'path' in listen ? '' : listen.host, publicUrl, hostNames });
}

/** The next start repeats any step that fails after the rotation itself. */
function rotationOf(
  secret: VenueSecret,
  { log, transparency, reloading }: ServiceOptions,
  identity?: Identity,
) {
  const tried = (what: Promise<unknown> | undefined): Promise<void> =>
    Promise.resolve(what).then(
      () => undefined,
      (error: Error) => log.warn(`during the rotation of the secret: ${error.message}`),
    );
  return async (file: string): Promise<void> => {
    // The checkpoint after the rotation announces the new key only if one was signed with the old key.
    if (!transparency?.newest) await tried(transparency?.take());
    const warning = await secret.rotate(file);
    if (warning !== null) log.warn(warning);
    if (reloading) reloading.secretKey = secret.secretKey;
    log.warn("the venue's secret was rotated: from now on the venue starts only with the new one");
    await tried(identity?.keyring.rewrap());
    await tried(transparency?.take());
  };
}

function makeGateway(
  options: ServiceOptions,
  services: Services,
  [docsKey]: readonly ConnectionUser[],
  feed: Feed,
  { front, operators }: ServiceListeners,
  wallSigned: WallSigned,
  faults: Faults | undefined,
  identity: Identity | undefined,
  book: OperatorBook,
): Gateway {
  const { settings, credentials, log, routes = allRoutes, extensions = [], documented = [] } = options;
  const { cluster, reloading, pageFolder = PAGE_FOLDER } = options;
  const origins = originsOf(settings);
  const access = {
    get token() {
      return reloading?.operatorToken ?? credentials.operatorToken;
    },
    get readToken() {
      return reloading?.operatorReadToken ?? credentials.operatorReadToken;
    },
    isRemoteAllowed: settings.operatorRemote,
    origins: operatorOriginsOf(settings),
    book,
    ...(identity && {
      async personOf(headers: IncomingHttpHeaders) {
        const found = await signedInByCookie(identity, headers, isOverHttps(settings));
        return found && found.person;
      },
    }),
  };
  const operatorServices = {
    ...services,
    get creditMax() {
      return (reloading?.settings ?? settings).creditMax;
    },
    ...(cluster && { cluster: cluster.control }),
    warn: (sentence: string) => log.warn(sentence),
    ...(identity && {
      invite: (terms: Parameters<Identity['invite']>[0]) => identity.invite(terms),
      loginOf: (email: string) => identity.keys.loginOf(normaliseEmail(email)),
      welcome(email: string, { ip, agent }: CallOrigin) {
        const origin = { ip, device: deviceName(agent) };
        welcomeOperator(identity, normaliseEmail(email), origin).catch((error: unknown) =>
          log.warn(`a new operator got no mail: ${(error as Error).message}`),
        );
      },
    }),
    ...(reloading && { reload: () => reloading.reload() }),
    get figures() {
      return figures;
    },
    ...(options.secret && { rotateSecret: rotationOf(options.secret, options, identity) }),
  };
  let figures: FigureHistory | undefined;
  const gateway: Gateway = new Gateway({
    services,
    routes: routes(services),
    dialects: settings.dialects,
    limits: settings,
    quotas: quotasOf(settings),
    skewMsMax: settings.skewMsMax,
    secrets: credentials.secrets,
    isSandbox: credentials.isSandbox,
    log,
    trustedProxies: settings.trustedProxies,
    documented,
    wallSigned,
    faults: faults?.requests,
    connections: front.connections,
    operatorConnections: operators?.connections,
    origins,
    ...(settings.pages && { pages: new Pages({ folder: pageFolder, publicUrl: settings.publicUrl }) }),
    ...(docsKey && { docsKey }),
    extensions: [
      (_, { operatorApp, operatorTraffic: traffic, metrics, context: { admission, log: requestLog } }) => {
        reloading?.begin(credentials.operatorToken, {
          setQuotas: (quotas) => gateway.throttle.setQuotas(quotas),
          setLogLevel: (level) => {
            requestLog.setLevel(level);
            traffic.setLevel(level);
          },
        });
        const { bodyBytesMax } = settings;
        const parts = {
          services: operatorServices,
          access,
          admission,
          bodyBytesMax,
          log: requestLog,
          traffic,
        };
        void operatorApp.register(operatorPlugin(parts), { prefix: OPERATOR_MOUNT });
        const { isSandbox } = credentials;
        serveMetrics(operatorApp, { metrics, access, admission, traffic, isSandbox });
      },
      (app, { metrics }) => {
        const room = () => diskRoom(settings.data);
        metrics.gauge('bourse_disk_free_bytes', 'Room on the disk of the data.', () => room().freeBytes);
        metrics.gauge('bourse_disk_bytes', 'Size of the disk of the data.', () => room().allBytes);
        if (services.addressStock) metrics.watchAddresses(services.addressStock);
        const kept = new FigureHistory({
          metrics,
          clock: services.clock.machine,
          path: join(settings.data, FIGURES_FILE),
          warn: (sentence) => log.warn(sentence),
        });
        figures = kept;
        app.addHook('onClose', () => kept.close());
      },
      (app, { operatorApp, context: { log: requestLog } }) => {
        if (!identity) return;
        app.addHook('onClose', () => identity.close());
        const { bodyBytesMax, trustedProxies } = settings;
        const addressOf = addressReader(trustedProxies);
        const isSecure = isOverHttps(settings);
        const parts = { identity, origins, addressOf, bodyBytesMax, isSecure, log: requestLog };
        void app.register(identityPlugin(parts), { prefix: IDENTITY_MOUNT });
        // Operators sign in where their console is.
        if (operatorApp !== app) {
          const own = { ...parts, origins: access.origins };
          void operatorApp.register(identityPlugin(own), { prefix: IDENTITY_MOUNT });
        }
      },
      (app) => {
        serveTransparency(app, options.transparency);
      },
      (app, parts) => serveOrderEntry(app, parts, settings),
      feed.attach,
      ...extensions,
    ],
  });
  return gateway;
}
