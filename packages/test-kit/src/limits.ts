/** Limits that are constants of the exchange, changed for a test: of an exchange in this process, and of another process. */

import { LIMITS, type Limits } from '../../bourse/src/config/limits.ts';
import { loadSettings, type Sources } from '../../bourse/src/config/load.ts';
import type { Settings } from '../../bourse/src/config/settings.ts';
import { LIMITS_VARIABLE } from './set-limits.ts';

const HOOK = new URL('./set-limits.ts', import.meta.url).href;

/** Settings of a start with these flags, of which some may be limits. */
export function settingsOf(flags: Sources['flags'], env: Sources['env'] = {}): Settings {
  const isLimit = (name: string): boolean => Object.hasOwn(LIMITS, name) && name !== 'feedPingIntervalMs';
  const given = Object.entries(flags);
  const { settings } = loadSettings({
    flags: Object.fromEntries(given.filter(([name]) => !isLimit(name))),
    env,
  });
  const limits = given.filter(([name]) => isLimit(name)).map(([name, value]) => [name, Number(value)]);
  return { ...settings, ...Object.fromEntries(limits) };
}

/** The environment of a process whose exchange is to have these limits; `env`: further variables. */
export function limitsEnv(
  limits: Partial<Limits>,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { NODE_OPTIONS = '' } = { ...process.env, ...env };
  const options = `${NODE_OPTIONS} --import ${HOOK}`.trim();
  return { ...env, NODE_OPTIONS: options, [LIMITS_VARIABLE]: JSON.stringify(limits) };
}
