/** The interface of this package. */

export * from './basics.ts';
export { resolveTopic } from './feed/resolve.ts';
export { Feed } from './feed/feed.ts';
export { FrameError } from './feed/frame-errors.ts';
export { type OrderProgress, RecordOrders } from './feed/topics/record-orders.ts';
export { isTopicName, TOPIC_NAMES } from './feed/topics/topics.ts';
export { formatMoney, formatSmall, INEXPRESSIBLE, MALFORMED, moneyOf } from './gateway/decimals.ts';
export { Gateway, type GatewayOptions } from './gateway/gateway.ts';
export type {
  AnswerSender,
  Faults,
  FeedFaults,
  FeedSocket,
  FeedTopic,
  ObservedRequest,
  RenderedAnswer,
  RequestFaults,
} from './gateway/faults.ts';
export { EventStream } from './gateway/json-interface.ts';
export { LogTags } from './gateway/ids.ts';
export { Refusals } from './gateway/http/log.ts';
export { LongLists } from './gateway/paging.ts';
export { type Call, type Route, type RouteOf, rowsOf } from './gateway/route.ts';
export { settled, statusOf } from './gateway/result.ts';
export type { LogPosition, Services } from './gateway/services.ts';
export {
  addressReader,
  type Certificate,
  HttpListener,
  type HttpServing,
} from './gateway/http/http-listener.ts';
export { FeedTokens, type TokenOwner } from './gateway/access/feed-tokens.ts';
export { LogBudget } from './gateway/access/throttle.ts';
export { SessionKeys } from './gateway/access/keys.ts';
export { type Admission, REMEMBERED_MS, WallSigned, WallSignedPort } from './gateway/admission.ts';
export type { DocumentedRoute } from './gateway/docs/openapi.ts';
export { type ErrorName, type ErrorRow, ERRORS } from './gateway/errors/errors.ts';
export { explain } from './gateway/errors/explain.ts';
export { Refusal, statusTable } from './gateway/errors/refusal.ts';
export {
  LiabilitiesFull,
  type LiabilityProof,
  type PublishedLiabilities,
  serveTransparency,
  type Transparency,
} from './gateway/transparency.ts';
export { OwnOrigins } from './gateway/http/origin.ts';
export { pathOf } from './gateway/http/routing.ts';
export { NumberText } from './gateway/members.ts';
export { SchemaCheck } from './gateway/schema.ts';
export { AddressStock, UnownedAddresses } from './gateway/money/address-sources.ts';
export { type OperatorAccess, OperatorBook } from './gateway/operator/access.ts';
export { bearerPlugin, serveMetrics } from './gateway/operator/bearer-routes.ts';
export type {
  CallOrigin,
  ClusterControl,
  ClusterFigures,
  ClusterLogServer,
  ClusterStatus,
  LeadResult,
  Reloaded,
} from './gateway/operator/route.ts';
export { watchCluster } from './gateway/operator/cluster-routes.ts';
export { FigureHistory } from './gateway/operator/figure-history.ts';
export { OPERATOR_ERRORS, type OperatorErrorName } from './gateway/operator/operator-errors.ts';
export { OPERATOR_MOUNT, operatorPlugin } from './gateway/operator/plugin.ts';
export { findCurrency, findSymbol, findUser, parseAmount } from './gateway/operator/resolve.ts';
export type { OperatorTraffic } from './gateway/operator/traffic.ts';
export { Pages } from './gateway/pages/pages.ts';
export { allRoutes } from './gateway/routes/all.ts';
export { Identity } from './identity/identity.ts';
export { KeyFile, Keyring, KEYRING_FILE, type KeyStore } from './identity/keyring.ts';
export {
  deviceName,
  IDENTITY_MOUNT,
  IDENTITY_ROUTES,
  identityPlugin,
  signedInByCookie,
} from './identity/plugin.ts';
export { welcomeOperator } from './identity/sign-in.ts';
export { VenueKeys } from './identity/venue-keys.ts';
export { Mailbox, type MailSender } from './identity/mail/mail.ts';
export { Outbox, OUTBOX_FILE } from './identity/mail/outbox.ts';
export { normaliseEmail } from './identity/routes/route.ts';
export { serveOrderEntry } from './order-entry/order-entry.ts';
export { Catalogue } from './views/catalogue.ts';
export { MarketView, StatisticsView, type TickerMark } from './views/market.ts';
