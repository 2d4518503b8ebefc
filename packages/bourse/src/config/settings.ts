/**
 * All settings: type and bounds, unit, default and description. The same table parses the file, the
 * environment and the flags, explains errors, and generates `bourse start --help` and, with `bourse config --markdown`,
 * docs/operating/configuration.md.
 */

import { DIALECTS, FEED_LIMITS, type Static, Type } from '@bourse/api/basics';
import type { Limits } from './limits.ts';
import { LISTEN_PATTERN } from './operator-listen.ts';

/** The documentation of a setting, beside its JSON schema. */
interface About {
  readonly description: string;
  /** '' if there is none: names, paths, switches. */
  readonly unit: string;
  readonly group: string;
  /** Never shown, and without a flag, because every user of the machine can read a process's arguments. */
  readonly secret?: true;
  /** What the setting accepts, if its bounds do not say it. */
  readonly expects?: string;
}

/** Makes the descriptions of one group of settings. */
export function about(group: string) {
  return (description: string, unit = ''): About => ({ description, unit, group });
}

const operator = about('Operator API');

/** Settings of the operator API. */
const OPERATOR_ROWS = {
  operatorListen: Type.String({
    default: '',
    pattern: LISTEN_PATTERN,
    ...operator(
      'Where a venue listens for operators: the operator API, the console and the metrics, which its public port does not serve. A port, `host:port`, or the path of a unix socket. Empty: 127.0.0.1:8081, or a free port where `port` is 0.',
    ),
    expects: 'a port, host:port, or a path with a slash such as /run/bourse/operator.sock',
  }),
  operatorPublicUrl: Type.String({
    default: '',
    pattern: '^(https?://[^/]+(/[^?#]*[^/?#])?)?$',
    ...operator(
      'URL by which operators of a venue reach that listener if it is not operatorListen, such as that of a proxy. Needs operatorRemote. For passkeys, its host must be that of publicUrl or below it, such as ops.exchange.example below exchange.example.',
    ),
    expects: 'a URL with http or https and no slash at the end',
  }),
  operatorRemote: Type.Boolean({
    default: false,
    ...operator('Serves operators on other machines too. Off by default, because a token is the only check.'),
  }),
  creditMax: Type.Record(Type.String(), Type.String({ pattern: '^[0-9]{1,20}([.][0-9]{1,18})?$' }), {
    default: { '*': '1000000000' },
    ...operator(
      'Largest single deposit that an operator may report, by currency code, `*` for all others: a guard against typing errors. The start warns about unknown codes.',
      'of the currency',
    ),
    expects: 'an object of decimals as strings, such as {"*":"100000","BTC":"10"}',
  }),
};

const people = about('People');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Settings of people who sign in, and of the mails they get. */
const IDENTITY_ROWS = {
  signUp: Type.Union(
    [Type.Literal('default'), Type.Literal('open'), Type.Literal('invite'), Type.Literal('closed')],
    {
      default: 'default',
      ...people(
        'Who may sign up: anybody (open), invited people (invite), nobody (closed). `default` is open in a sandbox, invite at a venue.',
      ),
    },
  ),
  smtpUrl: Type.String({
    default: '',
    pattern: '^(smtps?://[^\\s]+)?$',
    ...people(
      'The mail server, such as smtps://user:password@mail.example.com. Empty: a sandbox keeps mails in its mailbox, and a venue cannot send any.',
    ),
    expects: 'a URL with smtp or smtps',
    secret: true,
  }),
  mailFrom: Type.String({
    default: 'Bourse <no-reply@localhost>',
    pattern: '^[^\\r\\n]{3,200}$',
    ...people('The sender of mails.'),
    expects: '3 to 200 characters on one line',
  }),
  sessionIdleMs: Type.Integer({
    default: 30 * MINUTE_MS,
    minimum: 1000,
    maximum: DAY_MS,
    ...people('A session ends when it has been idle this long.', 'ms'),
  }),
  sessionMaxMs: Type.Integer({
    default: 12 * 60 * MINUTE_MS,
    minimum: 1000,
    maximum: 30 * DAY_MS,
    ...people('A session ends after this long in any case.', 'ms'),
  }),
  addressDelayMs: Type.Integer({
    default: -1,
    minimum: -1,
    maximum: 30 * DAY_MS,
    ...people(
      'Delay before a new entry of the address book can be used. -1: 24 hours at a venue, none in a sandbox.',
      'ms',
    ),
  }),
};

const sandbox = about('Sandbox');

/** The settings of a sandbox. A venue rejects them: it has no simulated traders and no settable clock. */
const SANDBOX_ROWS = {
  market: Type.Union(
    [
      Type.Literal('calm'),
      Type.Literal('busy'),
      Type.Literal('thin'),
      Type.Literal('wild'),
      Type.Literal('one-sided'),
      Type.Literal('crash'),
      Type.Literal('quiet'),
    ],
    {
      default: 'calm',
      ...sandbox(
        'Preset of the simulated market in a sandbox; `quiet` has no simulated traders and empty books. A directory that was last started with the same preset continues where it stopped.',
      ),
    },
  ),
  seed: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 4_294_967_295,
    ...sandbox('Seed of all randomness: the same seed and the same requests give the same market.', 'number'),
  }),
  recordings: Type.String({
    default: '',
    ...sandbox('Directory with recorded markets (CSV) that can be replayed. Empty: none.'),
  }),
  clock: Type.String({
    default: 'real',
    pattern: '^(real|manual|x([2-9]|[1-9][0-9]{1,3}|10000))$',
    ...sandbox(
      'Exchange time: runs with the clock of the machine (real), at a multiple of its speed (x10), or only when advanced (manual).',
    ),
    expects: 'real, manual, or x and a speed from 2 to 10000, such as x10',
  }),
  time: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 4_102_444_800_000,
    ...sandbox(
      'Initial exchange time, never before that of the log. 0: now, or with a manual clock the beginning of 2026.',
      'ms',
    ),
  }),
};

export const SANDBOX_SETTINGS = Object.keys(SANDBOX_ROWS) as readonly (keyof typeof SANDBOX_ROWS)[];

const cluster = about('Cluster');

/** The settings of a node of a cluster. */
const CLUSTER_ROWS = {
  cluster: Type.Array(
    Type.String({ pattern: '^((nats|tls)://)?([^@/,]+@)?[A-Za-z0-9._-]+(:[0-9]{1,5})?$' }),
    {
      default: [],
      maxItems: 16,
      ...cluster(
        'Log servers of the cluster that this exchange is a node of. Empty: it runs alone, with its log in its data directory.',
      ),
      expects: 'a list such as nats://10.0.0.1:4222,nats://10.0.0.2:4222,nats://10.0.0.3:4222',
    },
  ),
  clusterCaFile: Type.String({
    default: '',
    ...cluster(
      'File with the CA certificates (PEM) that verify the certificates of the servers, for tls://. Empty: the CAs of this machine.',
    ),
    expects: 'a path',
  }),
  node: Type.String({
    default: '',
    pattern: '^([A-Za-z0-9][A-Za-z0-9_-]{0,31})?$',
    ...cluster('Name of this node, unique in the cluster.'),
    expects: 'up to 32 letters, digits, - and _',
  }),
  clusterStream: Type.String({
    default: 'bourse',
    pattern: '^[A-Za-z0-9_-]{1,32}$',
    ...cluster('Name of the stream that stores the log; two clusters on the same servers need two.'),
    expects: 'up to 32 letters, digits, - and _',
  }),
  clusterCopies: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 5,
    ...cluster(
      'Number of replicas of the log when it is created: 1, 3 or 5. 0: three, or the number of servers in `cluster` if that is smaller.',
      'copies',
    ),
  }),
  clusterLostThrough: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...cluster(
      'Accepts that the log has permanently lost its end, up to this record. A node whose snapshots are beyond the end of the log refuses to start, and prints the number to use. 0: nothing is lost.',
      'record',
    ),
  }),
  clusterLogBytes: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1e15,
    ...cluster(
      'Maximum size of the log on each server when it is created. 0: only limited by the servers.',
      'bytes',
    ),
  }),
};

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
      ...secrets('Bearer token of the operator API, 24 to 200 characters. Empty: generated at the start.'),
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
