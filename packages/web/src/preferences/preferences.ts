/**
 * What a user likes: the only thing these pages store. It is read as text that anybody may have written there, so each
 * value is checked, and what does not fit is the default.
 */

export interface Preferences {
  readonly theme: 'dark' | 'light' | 'system';
  /** Up in orange and down in blue, for those who are used to it. */
  readonly isSwapped: boolean;
  readonly favourites: readonly string[];
  /** The market that was looked at last. */
  readonly symbol: string;
  readonly interval: string;
  /** Of the chart; see chart-types.ts. */
  readonly chartType: string;
  readonly isLogScale: boolean;
  readonly indicators: readonly string[];
  /** Balances of 0 are not listed. */
  readonly isZeroHidden: boolean;
  /** Single keys act, such as b for buy. */
  readonly hasKeys: boolean;
  /** In a sandbox: the published user that was chosen last. A key that somebody pasted is never stored. */
  readonly sandboxUser: string;
  /** A person has signed in with this browser, so a session may still be there. */
  readonly isPerson: boolean;
}

const KEY = 'bourse.preferences';
const TEXT_MAX = 40;
const FAVOURITES_MAX = 200;
const INDICATORS_MAX = 20;

const defaults: Preferences = {
  theme: 'system',
  isSwapped: false,
  favourites: [],
  symbol: '',
  interval: '15min',
  chartType: 'candles',
  isLogScale: false,
  indicators: [],
  isZeroHidden: true,
  hasKeys: true,
  sandboxUser: '',
  isPerson: false,
};

const listeners = new Set<() => void>();
let current = read() ?? defaults;

export function preferences(): Preferences {
  return current;
}

/** Another page of this browser may have chosen something meanwhile: that stays. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...(read() ?? current), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Storage may be full or switched off; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is stored; null when nothing is, or it cannot be read. */
function read(): Preferences | null {
  let stored: Partial<Preferences> | null;
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Preferences> | null;
  } catch {
    return null;
  }
  if (stored === null) return null;
  const { theme, isSwapped, favourites } = stored;
  return {
    theme: theme === 'dark' || theme === 'light' ? theme : defaults.theme,
    isSwapped: isSwapped === true,
    favourites: textsOf(favourites, FAVOURITES_MAX),
    symbol: textOr(stored.symbol, defaults.symbol),
    interval: textOr(stored.interval, defaults.interval),
    chartType: textOr(stored.chartType, defaults.chartType),
    isLogScale: stored.isLogScale === true,
    indicators: textsOf(stored.indicators, INDICATORS_MAX),
    isZeroHidden: stored.isZeroHidden !== false,
    hasKeys: stored.hasKeys !== false,
    sandboxUser: textOr(stored.sandboxUser, defaults.sandboxUser),
    isPerson: stored.isPerson === true,
  };
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TEXT_MAX;
}

function textsOf(value: unknown, max: number): readonly string[] {
  return Array.isArray(value) ? value.filter(isShortText).slice(0, max) : [];
}

function textOr(value: unknown, otherwise: string): string {
  return isShortText(value) ? value : otherwise;
}
