/**
 * Settings that all nodes of a cluster should have alike. Each node announces a print of every one of them, which shows
 * that two values differ and nothing of what they are.
 */

import { createHmac } from 'node:crypto';
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

/** Prints of what the settings are whenever it is called; empty until the token is known. */
export function printer(shared: SharedSettings, key: Uint8Array): () => string {
  let [of, prints]: [SharedSettings, string] = [{ ...shared, operatorToken: '' }, ''];
  return () => {
    const { settings, operatorToken, operatorReadToken } = shared;
    const now = { settings, operatorToken, operatorReadToken };
    // A reload makes new settings, even where only a token of a file has changed.
    if (operatorToken !== '' && (of.settings !== settings || of.operatorToken !== operatorToken))
      [of, prints] = [now, printsOf(now, key)];
    return prints;
  };
}

/** `name:print` of each, with a blank between two. `key`: only nodes of this cluster have it. */
export function printsOf(
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
  const ownPrints = readPrints(own);
  return [...readPrints(other)]
    .filter(([name, print]) => (ownPrints.get(name) ?? print) !== print)
    .map(([name]) => name)
    .toSorted();
}

function readPrints(text: string): Map<string, string> {
  return new Map(
    text
      .split(' ')
      .filter((each) => each.includes(':'))
      .map((each) => each.split(':', 2) as [string, string]),
  );
}
