/**
 * Settings that should be equal on all nodes of a cluster, and the configuration of the log servers. Each
 * node announces a keyed fingerprint of each setting, which shows that two values differ without revealing
 * them.
 */

import { createHmac } from 'node:crypto';
import type { HeardNode, LogServerSettings } from '@bourse/cluster';
import { shortened } from '@bourse/engine';
import { SETTING_NAMES, type SettingName, type Settings } from '../config/settings.ts';

/** Settings of one machine or process, and paths of secrets: the secrets themselves are compared. */
const OWN: ReadonlySet<SettingName> = new Set<SettingName>([
  'node',
  'host',
  'port',
  'data',
  'configOut',
  'publicUrl',
  'hostNames',
  'trustedProxies',
  'cluster',
  'clusterCaFile',
  'clusterLostThrough',
  'secretKey',
  'operatorToken',
  'operatorReadToken',
  'operatorListen',
  'operatorPublicUrl',
  'operatorRemote',
  'logLevel',
  'logCopy',
]);
const PRINT_DIGITS = 8;

export interface SharedSettings {
  readonly settings: Settings;
  readonly operatorToken: string;
  readonly operatorReadToken: string;
}

/** Returns the fingerprints of the current settings; empty until the token is known. */
export function makeFingerprints(shared: SharedSettings, key: Uint8Array): () => string {
  let [of, fingerprints]: [SharedSettings, string] = [{ ...shared, operatorToken: '' }, ''];
  return () => {
    const { settings, operatorToken, operatorReadToken } = shared;
    const now = { settings, operatorToken, operatorReadToken };
    // A reload creates a new settings object, even if only a token file has changed.
    if (operatorToken !== '' && (of.settings !== settings || of.operatorToken !== operatorToken))
      [of, fingerprints] = [now, fingerprintsOf(now, key)];
    return fingerprints;
  };
}

/**
 * `name:fingerprint` of each setting, separated by blanks. `key`: known to the nodes of this cluster only.
 */
export function fingerprintsOf(
  { settings, operatorToken, operatorReadToken }: SharedSettings,
  key: Uint8Array,
): string {
  const values: [string, unknown][] = SETTING_NAMES.filter((name) => !OWN.has(name)).map((name) => [
    name,
    settings[name],
  ]);
  return [...values, ['operatorToken', operatorToken], ['operatorReadToken', operatorReadToken]]
    .map(([name, value]) => `${String(name)}:${printOf(key, JSON.stringify([name, value]))}`)
    .join(' ');
}

const printOf = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update('settings').update(text).digest('hex').slice(0, PRINT_DIGITS);

/** Names of settings that both have and that differ: versions may have different settings. */
export function differingIn(own: string, other: string): string[] {
  if (own === other) return [];
  const ownFingerprints = parseFingerprints(own);
  return [...parseFingerprints(other)]
    .filter(([name, print]) => (ownFingerprints.get(name) ?? print) !== print)
    .map(([name]) => name)
    .toSorted();
}

function parseFingerprints(text: string): Map<string, string> {
  return new Map(
    text
      .split(' ')
      .filter((each) => each.includes(':'))
      .map((each) => each.split(':', 2) as [string, string]),
  );
}

// Compares the configuration of nodes and log servers: differences are logged once, and shown while they
// last.

export interface ClusterSetupParts {
  /** Fingerprints of this node's current settings. */
  readonly fingerprints: () => string;
  readonly askServers: () => Promise<readonly LogServerSettings[]>;
  /** The size that a message of the log may have. */
  readonly messageBytesMin: number;
  readonly onWarning: (sentence: string) => void;
}

/** Nodes announce their settings continuously; the servers are asked once in this many checks. */
const LOOKS_PER_QUESTION = 60;
const NAMES_SHOWN = 10;

export class ClusterSetup {
  readonly #parts: ClusterSetupParts;
  #servers: readonly LogServerSettings[] = [];
  /** Condition and message of each difference. */
  #faults = new Map<string, string>();
  #looks = 0;

  constructor(parts: ClusterSetupParts) {
    this.#parts = parts;
  }

  get sentences(): string[] {
    return [...this.#faults.values()];
  }

  /** Call every second with the nodes that are heard. */
  async look(nodes: readonly Pick<HeardNode, 'name' | 'settings'>[]): Promise<void> {
    const { fingerprints, askServers, onWarning } = this.#parts;
    if (this.#looks++ % LOOKS_PER_QUESTION === 0) {
      const servers = await askServers();
      if (servers.length > 0) this.#servers = servers;
    }
    const faults = new Map<string, string>();
    const own = fingerprints();
    for (const { name, settings } of nodes) {
      const names = settings === undefined ? [] : differingIn(own, settings);
      if (names.length > 0) faults.set(`node ${name}`, nodeDiffers(name, names));
    }
    for (const each of this.#servers) {
      const sentence = this.#serverFault(each);
      if (sentence !== null) faults.set(`server ${each.name}`, sentence);
    }
    for (const [key, sentence] of faults) if (this.#faults.get(key) !== sentence) onWarning(sentence);
    this.#faults = faults;
  }

  #serverFault({ name, isSynced, messageBytesMax }: LogServerSettings): string | null {
    const { messageBytesMin } = this.#parts;
    if (!isSynced)
      return `log server ${shortened(name)} acknowledges before it syncs: set sync_interval to always`;
    if (messageBytesMax < messageBytesMin)
      return `log server ${shortened(name)} takes messages of ${messageBytesMax} bytes: set max_payload to ${messageBytesMin} or more`;
    return null;
  }
}

function nodeDiffers(name: string, names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((each) => shortened(each));
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return `settings of ${shortened(name)} differ from this node's: ${shown.join(', ')}${more}`;
}
