/** Settings from flags, environment and file, in this order of precedence, before the defaults. */

import proxyAddress from '@fastify/proxy-addr';
import { fits, type JsonSchema, Type } from '@bourse/api/basics';
import { shortened } from '@bourse/engine';
import {
  about,
  fileNameOf,
  SANDBOX_SETTINGS,
  schemaOf,
  SECRET_FILE_NAMES,
  SECRET_NAMES,
  type SecretFileName,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  type SettingSchema,
} from './settings.ts';
import { jsonFault } from './json-fault.ts';
import { LIMITS } from './limits.ts';
import { findOperatorConflicts } from './operator-listen.ts';
import { describeExpected, ENV_PREFIX, envOf, flagOf, nearestName } from './words.ts';

export interface Sources {
  /** By setting name; a switch without a value is `true`. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file?: { readonly name: string; readonly text: string };
}

export interface Loaded {
  readonly settings: Settings;
  /** Where each setting came from: `--port`, `BOURSE_PORT`, the file's name or `default`. */
  readonly origins: Readonly<Record<SettingName | SecretFileName, string>>;
}

/** All errors of the configuration, one message each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Variables that are not settings: those of the command line, the examples and the repository's tests. */
const ENV_OTHERS: readonly string[] = [
  'BOURSE_CONFIG',
  'BOURSE_URL',
  'BOURSE_CHROMIUM',
  'BOURSE_PICTURES',
  'BOURSE_CI_REQUIRES_ALL',
];

const KNOWN_NAMES: readonly string[] = [...SETTING_NAMES, ...SECRET_FILE_NAMES];

const SECRET_FILE: SettingSchema = {
  ...Type.String({ default: '' }),
  ...about('Secrets')('File with a secret.'),
  default: '',
  expects: 'a path',
};

export function loadSettings({ flags, env, file }: Sources): Loaded {
  const problems: string[] = [];
  const fromFile = file ? parseFile(file, problems) : {};
  const settings: Record<string, unknown> = {};
  const origins: Record<string, string> = {};

  const take = (name: SettingName | SecretFileName, schema: SettingSchema): void => {
    const flag = flags[name];
    const variable = env[envOf(name)];
    let value: unknown = schema.default;
    let origin = 'default';
    if (flag !== undefined) [value, origin] = [fromText(flag, schema), flagOf(name)];
    else if (variable !== undefined) [value, origin] = [fromText(variable, schema), envOf(name)];
    else if (Object.hasOwn(fromFile, name)) [value, origin] = [fromFile[name], file!.name];
    settings[name] = value;
    origins[name] = origin;
    if (!fits(schema as JsonSchema, value)) {
      const given = schema.secret ? 'the value' : show(flag ?? variable ?? value);
      problems.push(`${name}: ${given} (from ${origin}) is not ${describeExpected(schema)}.`);
    }
  };
  for (const name of SETTING_NAMES) take(name, schemaOf(name));
  for (const name of SECRET_FILE_NAMES) take(name, SECRET_FILE);
  if (problems.length > 0) throw new ConfigError(problems);
  const typed = { ...LIMITS, ...settings } as unknown as Settings;
  const conflicts = [
    ...findForSandbox(typed, origins),
    ...findConflicts(typed, origins),
    ...findClusterConflicts(typed),
    ...findOperatorConflicts(typed),
    ...findTlsConflicts(typed),
  ];
  if (conflicts.length > 0) throw new ConfigError(conflicts);
  return { settings: typed, origins: origins as Loaded['origins'] };
}

function parseFile(
  { name, text }: { name: string; text: string },
  problems: string[],
): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    problems.push(`${name}: not JSON from ${jsonFault(text)} on.`);
    return {};
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    problems.push(`${name}: an object of settings is expected, such as {"port":8080}.`);
    return {};
  }
  for (const key of Object.keys(parsed)) {
    if (KNOWN_NAMES.includes(key)) continue;
    problems.push(`${shortened(key)}: no such setting (in ${name})${suggest(nearestName(key, KNOWN_NAMES))}`);
  }
  return parsed as Record<string, unknown>;
}

/**
 * The value of a flag or variable. A text that is not of the expected type is returned unchanged, and the schema
 * rejects it.
 */
function fromText(text: string | boolean, schema: SettingSchema): unknown {
  if (typeof text === 'boolean') return text;
  if (schema.type === 'integer' && /^[0-9]{1,15}$/.test(text)) return Number(text);
  if (schema.type === 'boolean' && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1';
  if (schema.type === 'array' && !text.startsWith('[')) {
    return text === '' ? [] : text.split(',').map((each) => each.trim());
  }
  if (schema.type === 'object' || schema.type === 'array') {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

function findTlsConflicts({ tlsCert, tlsKey }: Settings): string[] {
  if ((tlsCert === '') === (tlsKey === '')) return [];
  const [given, missing] =
    tlsKey === '' ? (['tlsCert', 'tlsKey'] as const) : (['tlsKey', 'tlsCert'] as const);
  return [`${given}: TLS needs both files; give the other one with ${flagOf(missing)}, or omit ${given}.`];
}

/** Sandbox settings given to a venue or a cluster. */
function findForSandbox({ venue, cluster }: Settings, origins: Readonly<Record<string, string>>): string[] {
  const isCluster = cluster.length > 0;
  const other = flagOf(venue ? 'venue' : 'cluster');
  const only = isCluster ? 'only a sandbox on one machine' : 'only a sandbox';
  return SANDBOX_SETTINGS.filter((name) => (venue || isCluster) && origins[name] !== 'default').map(
    (name) => `${name}: ${only} has this setting; omit ${origins[name]}, or start without ${other}.`,
  );
}

function findClusterConflicts({ cluster, clusterCaFile, node, clusterCopies }: Settings): string[] {
  const conflicts: string[] = [];
  if (cluster.length > 0 && node === '') {
    conflicts.push(`node: a node of a cluster needs a unique name, such as ${flagOf('node')} n1.`);
  }
  if (cluster.length === 0 && node !== '') {
    conflicts.push(`node: only a cluster has nodes; give its log servers with ${flagOf('cluster')}.`);
  }
  if (clusterCaFile !== '' && !cluster.some((url) => url.startsWith('tls://'))) {
    conflicts.push(
      `clusterCaFile: only tls:// servers have certificates; give such addresses with ${flagOf('cluster')}.`,
    );
  }
  if (clusterCopies === 2 || clusterCopies === 4) {
    conflicts.push(
      `clusterCopies: ${clusterCopies} replicas tolerate no more failures than one fewer; give 1, 3 or 5.`,
    );
  }
  return conflicts;
}

/** Settings that are valid alone and invalid together. */
function findConflicts(settings: Settings, origins: Readonly<Record<string, string>>): string[] {
  const { venue, secretKey, secretKeyFile, quotas } = settings;
  const conflicts: string[] = [];
  for (const name of SECRET_NAMES) {
    const inFile = fileNameOf(name);
    if (settings[name] === '' || settings[inFile] === '') continue;
    conflicts.push(
      `${name} (from ${origins[name]}) and ${inFile} (from ${origins[inFile]}): give one of the two.`,
    );
  }
  if (venue && !secretKey && !secretKeyFile) {
    conflicts.push(
      'secretKeyFile: a venue encrypts API secrets with a key from outside its data directory. ' +
        'Make one (`openssl rand -hex 32 > key`, readable by the service only) and name it by ' +
        `${flagOf('secretKeyFile')}, or put it into ${envOf('secretKey')}.`,
    );
  }
  const mounts = settings.dialects.map(({ mount }) => mount);
  if (new Set(mounts).size < mounts.length) {
    conflicts.push(
      `dialects: two of them have the same mount (${mounts.map((mount) => `'${shortened(mount)}'`).join(', ')}).`,
    );
  }
  for (const proxy of settings.trustedProxies) {
    if (isNetwork(proxy)) continue;
    conflicts.push(
      `trustedProxies: '${shortened(proxy)}' is not an address or a network, such as 10.0.0.7 or 10.1.0.0/16.`,
    );
  }
  for (const tier of Object.keys(quotas.tiers ?? {})) {
    if (TIER.test(tier)) continue;
    conflicts.push(`quotas: '${shortened(tier)}' is not a tier from 1 to 12; tier 0 has spot and manage.`);
  }
  // Only the form is checked here: which currencies exist is known when the exchange runs.
  for (const code of Object.keys(settings.creditMax)) {
    if (CURRENCY.test(code)) continue;
    conflicts.push(`creditMax: '${shortened(code)}' is not the code of a currency, nor * for the others.`);
  }
  return conflicts;
}

const TIER = /^([1-9]|1[0-2])$/;
const CURRENCY = /^([*]|[A-Za-z0-9_.-]+)$/;

/** As the gateway parses it. */
function isNetwork(text: string): boolean {
  try {
    proxyAddress.compile([text]);
    return true;
  } catch {
    return false;
  }
}

/** BOURSE_ variables that no setting has, each with the most similar name. */
export function strangeVariables(env: Sources['env']): string[] {
  const known = [...[...SETTING_NAMES, ...SECRET_FILE_NAMES].map(envOf), ...ENV_OTHERS];
  return Object.keys(env)
    .filter((name) => name.startsWith(ENV_PREFIX) && !known.includes(name))
    .map((name) => `${shortened(name)}: no such setting, ignored${suggest(nearestName(name, known))}`);
}

const suggest = (name: string | undefined): string => (name ? `; did you mean ${name}?` : '.');

const show = (value: unknown): string =>
  typeof value === 'string' ? `'${shortened(value)}'` : shortened(JSON.stringify(value));
