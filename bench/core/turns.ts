/** Alternating rounds of the core and the rival, each in a fresh process, with one ratio per pair. */

import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Engine, type FlowName, flowNamed, takeTurn, verify } from './throughput.ts';

export interface Throughput {
  /** Commands a second: medians. */
  readonly core: number;
  readonly rival: number;
  /** The median of the turns' ratios. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

const HERE = fileURLToPath(import.meta.url);

/**
 * Turns find their code, without its types, in Node's compile cache. A process that removes types itself does so with
 * WebAssembly, whose memory grows, which detaches a buffer; from then on V8 looks at every access to any typed array
 * whether its buffer is detached, and that costs the core a tenth of its speed.
 */
const CACHE = join(tmpdir(), 'bourse-compile-cache');

function run(...args: readonly string[]): string {
  const env = { ...process.env, NODE_COMPILE_CACHE: CACHE };
  return execFileSync(process.execPath, [...process.execArgv, HERE, ...args], { encoding: 'utf8', env });
}

const turn = (engine: Engine, flow: FlowName): ReturnType<typeof takeTurn> => JSON.parse(run(engine, flow));

export function compare(flow: FlowName, turns: number): Throughput {
  const hash = verify(flowNamed(flow));
  // Without a turn to take, it loads its code and with that fills the cache.
  run();
  const cores: number[] = [];
  const rivals: number[] = [];
  for (let i = 0; i < turns; i++) {
    const core = turn('core', flow);
    if (core.hash !== hash) throw new Error('the timed run did not end in the verified state');
    cores.push(core.speed);
    rivals.push(turn('rival', flow).speed);
  }
  const ratios = cores.map((core, i) => core / rivals[i]);
  return { core: median(cores), rival: median(rivals), ratio: median(ratios), ratios };
}

function median(values: readonly number[]): number {
  const sorted = [...values].toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

if (process.argv[1] === HERE && process.argv.length > 2) {
  console.log(JSON.stringify(takeTurn(process.argv[2] as Engine, process.argv[3] as FlowName)));
}
