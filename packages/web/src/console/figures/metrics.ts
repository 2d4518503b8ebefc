/** Figures of the exchange, asked for every two seconds while somebody looks, with the last five minutes of each. */

import { useSyncExternalStore } from 'react';
import { quantile } from './quantile.ts';

export interface Sample {
  /** Seconds since 1970, as charts have it. */
  readonly time: number;
  readonly orders: number | null;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly records: number | null;
  readonly historyLag: number;
  readonly queue: number;
  readonly connections: number;
  readonly feedConnections: number;
  readonly diskFree: number;
  readonly memory: number;
  readonly heap: number;
  readonly processor: number | null;
}

interface Scrape {
  readonly time: number;
  readonly values: ReadonlyMap<string, number>;
}

const EVERY_MS = 2_000;
const KEPT = 150;
/** Rates and times are over so many scrapes: two seconds alone would jump about. */
const WINDOW = 5;
const LINE = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)$/;
/** Routes that take orders, over HTTP and over websockets. */
const TAKES_ORDERS = /route="[^"]*place[^"]*"/;
const COUNTED = 'bourse_http_requests_total';
const TIMED = 'bourse_http_request_seconds_bucket';

const listeners = new Set<() => void>();
let scrapes: readonly Scrape[] = [];
let samples: readonly Sample[] = [];
let timer: ReturnType<typeof setInterval> | undefined;

export function useSamples(): readonly Sample[] {
  return useSyncExternalStore(subscribe, () => samples);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    void scrape();
    timer = setInterval(() => void scrape(), EVERY_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

async function scrape(): Promise<void> {
  let text: string;
  try {
    const response = await fetch('/metrics');
    if (!response.ok) return;
    text = await response.text();
  } catch {
    // The exchange is gone: the page says so elsewhere, and the lines go on when it is back.
    return;
  }
  const next = { time: Date.now() / 1000, values: parseMetrics(text) };
  scrapes = [...scrapes, next].slice(-WINDOW - 1);
  samples = [...samples, sampleOf(scrapes[0]!, next)].slice(-KEPT);
  for (const listener of listeners) listener();
}

/** By name and labels, as they stand there. */
function parseMetrics(text: string): Map<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, labels, value] = LINE.exec(line) ?? [];
    if (name !== undefined) values.set(labels === undefined ? name : `${name}{${labels}}`, Number(value));
  }
  return values;
}

/** `first` begins the window that ends with `last`. */
function sampleOf(first: Scrape, last: Scrape): Sample {
  const seconds = last.time - first.time;
  const isWindow = seconds > 0;
  const figure = (name: string): number => last.values.get(name) ?? 0;
  const rate = (name: string): number | null =>
    isWindow ? Math.max(0, figure(name) - (first.values.get(name) ?? 0)) / seconds : null;
  const grown = new Map(
    [...last.values].map(([name, value]) => [name, Math.max(0, value - (first.values.get(name) ?? 0))]),
  );
  const orders = [...grown].filter(([name]) => name.startsWith(COUNTED) && TAKES_ORDERS.test(name));
  const times = [...grown].filter(([name]) => name.startsWith(TIMED) && TAKES_ORDERS.test(name));
  return {
    time: last.time,
    orders: isWindow ? orders.reduce((sum, [, count]) => sum + count, 0) / seconds : null,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    records: rate('bourse_log_seq'),
    historyLag: figure('bourse_history_lag_records'),
    queue: figure('bourse_queue_commands'),
    connections: figure('bourse_http_connections'),
    feedConnections: figure('bourse_feed_connections'),
    diskFree: figure('bourse_disk_free_bytes'),
    memory: figure('process_resident_memory_bytes'),
    heap: figure('nodejs_heap_size_used_bytes'),
    processor: rate('process_cpu_seconds_total'),
  };
}
