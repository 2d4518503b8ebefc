/**
 * The cost of a load on the server: the CPU time of each of its threads, from the system, and the bytes that its main
 * thread allocates, from V8. The server accepts `begin` and `end` on its standard input.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { GCProfiler, getHeapStatistics } from 'node:v8';

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
