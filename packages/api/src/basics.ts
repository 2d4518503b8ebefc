/** Schemas, limits, ids, secrets and log lines. The command line imports this small entry point, and loads the service only to start one. */

export { DEFAULT_FEED_LIMITS, FEED_LIMITS } from './feed/limits.ts';
export { type Dialect, DIALECTS } from './gateway/route.ts';
export { orderId, userId } from './gateway/ids.ts';
export {
  fits,
  type JsonSchema,
  line,
  type Static,
  type TObject,
  type TProperties,
  Type,
} from './gateway/schema.ts';
export { DEFAULT_SKEW_MS_MAX, signedTextOf } from './gateway/access/authenticate.ts';
export { type PermissionName, permissionNames } from './gateway/access/keys.ts';
export { SecretBox, unwrapKeys } from './gateway/access/secrets.ts';
export {
  DEFAULT_LOG_BYTES_PER_WEIGHT,
  DEFAULT_QUOTAS,
  type Quotas,
  type Throttle,
  type ThrottleState,
} from './gateway/access/throttle.ts';
export { CauseLimit, type GatewayLog, makeLog, type RequestLog } from './gateway/http/log.ts';
export { DEFAULT_HTTP_LIMITS, HTTP_LIMITS, type HttpLimits } from './gateway/http/limits.ts';
export { DEFAULT_ORDER_ENTRY_LIMITS } from './order-entry/limits.ts';
export { testNodeInternals } from './sockets/node-internals.ts';
