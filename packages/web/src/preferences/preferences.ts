/**
 * The user's preferences, the only data that these pages store. Anything could have written them, so each value is
 * validated and replaced by the default if invalid.
 */

export interface Preferences {
  readonly theme: 'dark' | 'light' | 'system';
  /** The colour of rising prices and buys; the other colour of its pair marks falling prices and sells. */
  readonly up: (typeof UP_COLOURS)[number];
  readonly favourites: readonly string[];
  /** The sort order of the market list: a column, prefixed with `-` if descending; '' for the exchange's order. */
  readonly marketOrder: string;
  readonly bookSides: (typeof BOOK_SIDES)[number];
  /** Names of hidden panels of the terminal; see panels.tsx. */
  readonly hiddenPanels: readonly string[];
  /** Pixels, in the order of PANEL_SIZES. */
  readonly panelSizes: readonly number[];
  readonly alerts: readonly PriceAlert[];
  /** Whether notifications play a sound. */
  readonly hasSound: boolean;
  /** The market shown last. */
  readonly symbol: string;
  readonly interval: string;
  /** The chart type; see chart-types.ts. */
  readonly chartType: string;
  readonly isLogScale: boolean;
  readonly indicators: readonly string[];
  /** Hide balances of 0. */
  readonly isZeroHidden: boolean;
  /** Single-key shortcuts, such as b for buy. */
  readonly hasKeys: boolean;
  /** In a sandbox, the published user chosen last. Pasted keys are never stored. */
  readonly sandboxUser: string;
  /** A person has signed in with this browser, so a session may still exist. */
  readonly isPerson: boolean;
}

/** Fires once, while a page is open, when the last price reaches `price`. */
export interface PriceAlert {
  readonly symbol: string;
  readonly price: string;
  readonly when: 'rises' | 'falls';
}

export const BOOK_SIDES = ['both', 'bids', 'asks'] as const;

/** The pairs are blue/orange, which nearly everybody can distinguish, and green/red. */
export const UP_COLOURS = ['blue', 'orange', 'green', 'red'] as const;

const KEY = 'bourse.preferences';
const TEXT_MAX = 40;
const FAVOURITES_MAX = 200;
const INDICATORS_MAX = 20;
const PANELS_MAX = 20;
export const ALERTS_MAX = 50;

const defaults: Preferences = {
  theme: 'system',
  up: 'blue',
  favourites: [],
  marketOrder: '',
  bookSides: 'both',
  hiddenPanels: [],
  panelSizes: [],
  alerts: [],
  hasSound: false,
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

/** Read again first: another tab may have changed other preferences. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...(read() ?? current), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Storage may be full or disabled; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The stored preferences; null if there are none or they are unreadable. */
function read(): Preferences | null {
  let stored: Partial<Preferences> | null;
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Preferences> | null;
  } catch {
    return null;
  }
  if (stored === null) return null;
  const { theme, favourites } = stored;
  return {
    theme: theme === 'dark' || theme === 'light' ? theme : defaults.theme,
    up: UP_COLOURS.find((colour) => colour === stored.up) ?? defaults.up,
    favourites: textsOf(favourites, FAVOURITES_MAX),
    marketOrder: textOr(stored.marketOrder, defaults.marketOrder),
    bookSides: BOOK_SIDES.find((sides) => sides === stored.bookSides) ?? defaults.bookSides,
    hiddenPanels: textsOf(stored.hiddenPanels, PANELS_MAX),
    panelSizes: Array.isArray(stored.panelSizes) ? stored.panelSizes.slice(0, PANELS_MAX) : [],
    alerts: alertsOf(stored.alerts),
    hasSound: stored.hasSound === true,
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

function alertsOf(value: unknown): readonly PriceAlert[] {
  if (!Array.isArray(value)) return [];
  const alerts = value as readonly (Partial<PriceAlert> | null)[];
  return alerts
    .flatMap((alert) => {
      const { symbol, price, when } = alert ?? {};
      const isAlert = isShortText(symbol) && isShortText(price) && /^\d+(?:\.\d+)?$/.test(price);
      return isAlert && (when === 'rises' || when === 'falls') ? [{ symbol, price, when }] : [];
    })
    .slice(0, ALERTS_MAX);
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
