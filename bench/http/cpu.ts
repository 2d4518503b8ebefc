/**
 * The CPU during a load: its cost on the server, and periods in which the CPU itself is slow.
 *
 * The cost is the CPU time of each of the server's threads, from the system, and the bytes that its main
 * thread allocates, from V8. The server accepts `begin` and `end` on its standard input.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { GCProfiler, getHeapStatistics } from 'node:v8';
import { crc32 } from 'node:zlib';

export interface Cost {
  /** CPU time in microseconds by thread name; empty if the system does not provide it. */
  readonly threadsUs: Readonly<Record<string, number>>;
  readonly allocatedBytes: number;
}

const US_PER_TICK = 10_000;
const NO_MATCH = -1;

/** In the server: prints the cost between `begin` and `end`, as one line of JSON. */
export function answerCosts(): void {
  let profiler: GCProfiler | null = null;
  let usedAtBegin = 0;
  let threadsAtBegin = threadTimes();
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'begin') {
      profiler = new GCProfiler();
      profiler.start();
      threadsAtBegin = threadTimes();
      usedAtBegin = getHeapStatistics().used_heap_size;
      console.log('begun');
    } else if (line === 'end' && profiler) {
      const allocatedBytes = allocatedSince(usedAtBegin, profiler);
      const threadsUs: Record<string, number> = {};
      for (const [id, { name, us }] of threadTimes()) {
        const before = threadsAtBegin.get(id)?.us ?? 0;
        threadsUs[name] = (threadsUs[name] ?? 0) + us - before;
      }
      console.log(JSON.stringify({ threadsUs, allocatedBytes } satisfies Cost));
    }
  });
}

/** The sum of the heap's growth between collections. */
function allocatedSince(usedAtBegin: number, profiler: GCProfiler): number {
  const usedAtEnd = getHeapStatistics().used_heap_size;
  let allocated = 0;
  let used = usedAtBegin;
  for (const { beforeGC, afterGC } of profiler.stop().statistics) {
    allocated += beforeGC.heapStatistics.usedHeapSize - used;
    used = afterGC.heapStatistics.usedHeapSize;
  }
  return allocated + usedAtEnd - used;
}

function threadTimes(): Map<string, { readonly name: string; readonly us: number }> {
  const times = new Map<string, { name: string; us: number }>();
  if (process.platform !== 'linux') return times;
  for (const id of readdirSync('/proc/self/task')) {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    if (end === NO_MATCH) continue;
    const fields = stat.slice(end + 2).split(' ');
    // Fields 12 and 13 after the name: user and system ticks.
    times.set(id, {
      name: stat.slice(stat.indexOf('(') + 1, end),
      us: (Number(fields[11]) + Number(fields[12])) * US_PER_TICK,
    });
  }
  return times;
}

/** About 4 µs of work in native code: a JavaScript loop takes 4 or 20 µs, depending on V8's compiler tier. */
const WORK = Buffer.alloc(16 << 10, 1);
const TAKES = 3;
/**
 * As a multiple of the median. A busy neighbour causes 2, seldom 3.5; a throttled period starts at 12 and decreases.
 */
const SLOW = 3;
/** A request due before a slow period can still be in flight when it begins. */
const BEFORE_MS = 10;
/** Draining a backlog was observed to take as long as the throttled period. */
const AFTER_MS = 200;

/**
 * Detects periods in which the CPU itself is slow, by timing a fixed piece of work.
 *
 * A shared machine may be throttled: on one of them all CPUs ran twelve times slower for 25 to 60 ms, about every 1.5
 * s. A server that is busy more than a tenth of the time then falls behind, and the backlog dominates its p99. To
 * measure it between such periods, requests due in one, shortly before it, or while the backlog drains are set aside.
 * This depends only on when a request was due, never on how long it took, so a slow server cannot hide its slowest
 * responses.
 *
 * A thread that waits for other threads takes longer too, but that is caused by the server and must not be excluded.
 * The CPU time of a thread would tell them apart, but the system counts it in steps of 4 ms. So the work is done
 * three times in a row and the fastest counts: a throttled CPU is slow each time, while a thread that had to wait has
 * a full time slice left, and waits at most once.
 */
export class Spells {
  readonly #at: number[] = [];
  readonly #tookMs: number[] = [];

  look(): void {
    let fastest = Number.POSITIVE_INFINITY;
    let before = performance.now();
    for (let i = 0; i < TAKES; i++) {
      crc32(WORK);
      const now = performance.now();
      fastest = Math.min(fastest, now - before);
      before = now;
    }
    this.#at.push(before);
    this.#tookMs.push(fastest);
  }

  /** Which of these times, all within the observed period, are outside every throttled period and its aftermath. */
  steady(times: Float64Array): boolean[] {
    const slowMs = SLOW * this.#tookMs.toSorted((a, b) => a - b)[this.#tookMs.length >> 1];
    const spells: { fromMs: number; toMs: number }[] = [];
    for (const [i, tookMs] of this.#tookMs.entries()) {
      if (tookMs <= slowMs) continue;
      // It began after the previous tick and ended before the next.
      const fromMs = (this.#at[i - 1] ?? this.#at[i]) - BEFORE_MS;
      const toMs = (this.#at[i + 1] ?? this.#at[i]) + AFTER_MS;
      const last = spells.at(-1);
      if (last !== undefined && fromMs <= last.toMs) last.toMs = toMs;
      else spells.push({ fromMs, toMs });
    }
    return Array.from(times, (time) => !spells.some(({ fromMs, toMs }) => time >= fromMs && time <= toMs));
  }
}
