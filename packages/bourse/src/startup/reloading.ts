/** Reloads settings and tokens while the exchange runs; those that need a restart are only reported. */

import { isDeepStrictEqual } from 'node:util';
import type { Reloaded } from '@bourse/api';
import { DEFAULT_QUOTAS, type Quotas } from '@bourse/api/basics';
import { SETTING_NAMES, type SettingName, type Settings } from '../config/settings.ts';
import { readSecrets, type Secrets } from './credentials.ts';

/** All others are fixed at the start. */
const LIVE: readonly SettingName[] = [
  'operatorToken',
  'operatorReadToken',
  'creditMax',
  'logLevel',
  'quotas',
];

/** Receivers of a change. */
export interface ReloadTargets {
  setQuotas(quotas: Quotas): void;
  setLogLevel(level: string): void;
}

export class Reloading {
  /** As they are now. */
  settings: Settings;
  operatorToken = '';
  operatorReadToken: string;
  readonly #started: Settings;
  /** The venue's current secret, which can be rotated. */
  secretKey: string | undefined;
  readonly #read: () => Promise<Settings>;
  #targets: ReloadTargets | undefined;

  /** `read` loads the settings again from their origins. */
  constructor(settings: Settings, secrets: Secrets, read: () => Promise<Settings> = async () => settings) {
    this.settings = settings;
    this.#started = settings;
    this.secretKey = secrets.secretKey;
    this.operatorReadToken = secrets.operatorReadToken;
    this.#read = read;
  }

  begin(operatorToken: string, targets: ReloadTargets): void {
    this.operatorToken = operatorToken;
    this.#targets = targets;
  }

  /** Everything is read and validated before anything changes; throws if a setting is invalid. */
  async reload(): Promise<Reloaded> {
    const read = await this.#read();
    const secrets = await readSecrets(read);
    const { operatorToken = this.operatorToken, operatorReadToken, secretKey, smtpUrl } = secrets;
    const next = { ...read, smtpUrl };
    const changed: string[] = LIVE.filter((name) => !isDeepStrictEqual(next[name], this.settings[name]));
    const restart: string[] = SETTING_NAMES.filter(
      (name) => !LIVE.includes(name) && !isDeepStrictEqual(next[name], this.#started[name]),
    );
    if (secretKey !== this.secretKey && !restart.includes('secretKey')) restart.push('secretKey');
    if (operatorToken !== this.operatorToken && !changed.includes('operatorToken')) {
      changed.push('operatorToken');
    }
    if (operatorReadToken !== this.operatorReadToken && !changed.includes('operatorReadToken')) {
      changed.push('operatorReadToken');
    }
    const live = Object.fromEntries(LIVE.map((name) => [name, next[name]]));
    this.settings = { ...this.settings, ...live };
    this.operatorToken = operatorToken;
    this.operatorReadToken = operatorReadToken;
    this.#targets?.setQuotas(quotasOf(this.settings));
    this.#targets?.setLogLevel(this.settings.logLevel);
    return { changed, restart };
  }
}

export function quotasOf(settings: Settings): Quotas {
  return {
    ...DEFAULT_QUOTAS,
    ...settings.quotas,
    windowMs: settings.poolWindowMs,
    service: settings.servicePoolWeight,
    operator: settings.operatorPoolWeight,
    questionnairesPerSecondMax: settings.questionnairesPerSecondMax,
  };
}
