/** Alternating rounds of the core and the rival, each in a fresh process, with one ratio per pair. */

import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Engine, type FlowName, flowNamed, takeTurn, verify } from './throughput.ts';

export interface Throughput {
  /** Median commands per second. */
  readonly core: number;
  readonly rival: number;
  /** Median of the ratios of all rounds. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

const HERE = fileURLToPath(import.meta.url);

/**
 * Rounds load their code, stripped of types, from Node's compile cache. Stripping types in the process uses
 * WebAssembly, whose growing memory detaches a buffer; from then on V8 checks every typed-array access for detached
 * buffers, which costs the core a tenth of its speed.
 */
const CACHE = join(tmpdir(), 'bourse-compile-cache');

function run(...args: readonly string[]): string {
  const env = { ...process.env, NODE_COMPILE_CACHE: CACHE };
  return execFileSync(process.execPath, [...process.execArgv, HERE, ...args], { encoding: 'utf8', env });
}

const turn = (engine: Engine, flow: FlowName): ReturnType<typeof takeTurn> => JSON.parse(run(engine, flow));

export function compare(flow: FlowName, turns: number): Throughput {
  const hash = verify(flowNamed(flow));
  // Loads its code without running a round, which fills the cache.
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
