/**
 * All settings: type and bounds, unit, default and description. The same table parses the file, the environment and the
 * flags, explains errors, and generates `bourse start --help` and docs/operating/configuration.md.
 */

import { DIALECTS, FEED_LIMITS, type Static, Type } from '@bourse/api/basics';
import {
  type About,
  about,
  CLUSTER_ROWS,
  IDENTITY_ROWS,
  OPERATOR_ROWS,
  SANDBOX_ROWS,
} from './setting-groups.ts';
import type { Limits } from './limits.ts';

/** Settings of the engine, its log and its history. */
const engine = about('Engine and history');

const ENGINE_ROWS = {
  logCopy: Type.String({
    default: '',
    ...engine(
      'Directory of a copy of the log, made by `bourse log copy`, or by `bourse cluster backup` in a cluster. A log segment is removed once no start needs it: a snapshot that was read back from the disk covers it, and the copy has all of its records. Empty: the complete log is kept.',
    ),
    expects: 'a path',
  }),
};

const place = about('Where it runs');
const secrets = about('Secrets');
const logging = about('Logging');

const WEIGHT = Type.Integer({ minimum: 1, maximum: 1e9 });

export const SETTINGS = Type.Object(
  {
    venue: Type.Boolean({
      default: false,
      ...place('Runs a real venue: no demo users, no reference data, its own keys. Off: a sandbox.'),
    }),
    host: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      ...place(
        'Address to listen on. If a host name resolves to several, the first is used. The default is loopback, because a sandbox has published keys; it is right behind a proxy, too.',
      ),
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65_535,
      ...place('Port to listen on; 0 selects a free one, which the start banner shows.'),
    }),
    data: Type.String({
      default: './data',
      minLength: 1,
      ...place('Directory of the log, the snapshots and the history; created if it does not exist.'),
    }),
    configOut: Type.String({
      default: '',
      ...place(
        'File to write when ready: URLs, operator token and, in a sandbox, users with keys. Empty: none.',
      ),
    }),
    publicUrl: Type.String({
      default: '',
      pattern: '^(https?://[^/]+(/[^?#]*[^/?#])?)?$',
      ...place(
        'URL by which clients reach this service, if not http://host:port (https with tlsCert): that of a name or a proxy.',
      ),
      expects: 'a URL with http or https and no slash at the end',
    }),
    tlsCert: Type.String({
      default: '',
      ...place(
        'File with the TLS certificate and its chain (PEM): the exchange serves https. Reloaded when it changes.',
      ),
    }),
    tlsKey: Type.String({
      default: '',
      ...place('File with the private key of that certificate (PEM).'),
    }),
    hostNames: Type.Array(Type.String({ pattern: '^[^\\s:/]+$' }), {
      default: [],
      ...place(
        'Further host names by which clients reach a sandbox on loopback. It rejects all others, which protects it against DNS rebinding.',
      ),
      expects: 'a list of names without a port, such as exchange.test,host.docker.internal',
    }),
    trustedProxies: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      ...place(
        'Addresses or networks of proxies whose X-Forwarded-For is trusted; other clients could forge it.',
      ),
      expects: 'a list such as 10.0.0.7,10.1.0.0/16',
    }),
    dialects: Type.Array(
      Type.Object(
        {
          name: Type.Union([Type.Literal('literal'), Type.Literal('family')]),
          mount: Type.String({ pattern: '^(/[A-Za-z0-9_-]+)*$' }),
          prefix: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,15}$' }),
          isLiteral: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
      {
        default: DIALECTS,
        minItems: 1,
        ...place('The dialects served: the mount path of each, and the prefix of its headers.'),
        expects:
          'a list of {name, mount, prefix, isLiteral}; name is literal or family, mount begins with a slash',
      },
    ),

    ...SANDBOX_ROWS,

    ...CLUSTER_ROWS,

    secretKey: Type.String({
      default: '',
      pattern: '^([0-9a-fA-F]{64})?$',
      ...secrets('Key that encrypts API secrets: 32 bytes as 64 hex digits. Required at a venue.'),
      expects: '64 hex digits, as `openssl rand -hex 32` prints them',
      secret: true,
    }),
    operatorToken: Type.String({
      default: '',
      pattern: '^([\\x21-\\x7e]{24,200})?$',
      ...secrets(
        'Bearer token of the operator interface, 24 to 200 characters. Empty: generated at the start.',
      ),
      expects: '24 to 200 printable ASCII characters without blanks',
      secret: true,
    }),
    operatorReadToken: Type.String({
      default: '',
      pattern: '^([\\x21-\\x7e]{24,200})?$',
      ...secrets('A second, read-only token, for dashboards and audits. Empty: none.'),
      expects: '24 to 200 printable ASCII characters without blanks',
      secret: true,
    }),

    ...OPERATOR_ROWS,

    ...IDENTITY_ROWS,

    quotas: Type.Object(
      {
        spot: Type.Optional(WEIGHT),
        manage: Type.Optional(WEIGHT),
        public: Type.Optional(WEIGHT),
        tiers: Type.Optional(
          Type.Record(
            Type.String(),
            Type.Object(
              { spot: Type.Optional(WEIGHT), manage: Type.Optional(WEIGHT) },
              { additionalProperties: false },
            ),
          ),
        ),
      },
      {
        additionalProperties: false,
        default: {},
        ...about('Rate limits')(
          'Rate limits per 30 seconds, in request weights: of a user, and for `public` of a client address without a signature. `tiers`, 1 to 12, apply to users whose tier an operator has raised. A pool that is not named keeps its default: 4000, 2000, 2000. `tiers` replaces all tiers.',
          'weight',
        ),
        expects:
          'an object such as {"spot":4000,"manage":2000,"public":2000,"tiers":{"5":{"spot":16000,"manage":7000}}}',
      },
    ),

    feedPingIntervalMs: Type.Integer({
      default: FEED_LIMITS.feedPingIntervalMs.value,
      minimum: 1000,
      maximum: 600_000,
      ...about('Feed')(FEED_LIMITS.feedPingIntervalMs.reason, FEED_LIMITS.feedPingIntervalMs.unit),
    }),

    ...ENGINE_ROWS,

    logLevel: Type.Union(
      [
        Type.Literal('silent'),
        Type.Literal('error'),
        Type.Literal('warn'),
        Type.Literal('info'),
        Type.Literal('debug'),
      ],
      {
        default: 'warn',
        ...logging(
          'Lowest level of log lines, which are JSON on standard error. `info` has one line per request.',
        ),
      },
    ),
  },
  { additionalProperties: false },
);

type Given = Static<typeof SETTINGS>;
export type SettingName = keyof Given;
export type SecretName = 'secretKey' | 'operatorToken' | 'operatorReadToken' | 'smtpUrl';
/** Instead of a secret, the path of a file with it can be given. */
export type SecretFileName = `${SecretName}File`;
/** The settings of a start, and its fixed limits. */
export type Settings = Given & { readonly [Name in SecretFileName]: string } & Limits;

export const SETTING_NAMES = Object.keys(SETTINGS.properties) as readonly SettingName[];
export const isSecret = (name: SettingName): name is SecretName => schemaOf(name).secret === true;
export const SECRET_NAMES = SETTING_NAMES.filter(isSecret);

export const fileNameOf = (secret: SecretName): SecretFileName => `${secret}File`;
export const SECRET_FILE_NAMES: readonly SecretFileName[] = SECRET_NAMES.map(fileNameOf);

/** A setting's schema, as far as reading text needs it. */
export type SettingSchema = About & {
  readonly type?: string;
  readonly default: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly anyOf?: readonly { readonly const: unknown }[];
};

export function schemaOf(name: SettingName): SettingSchema {
  return SETTINGS.properties[name] as unknown as SettingSchema;
}
