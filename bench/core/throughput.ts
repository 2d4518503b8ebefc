/**
 * Commands per second of the whole core and of nodejs-order-book. Each runs the flow once to warm up, and then
 * repeatedly until enough time has been measured: the core's half a second alone would be too noisy.
 */

import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command, LogRecord } from '@bourse/core';
import { OrderBook } from 'nodejs-order-book';
import {
  commandCount,
  coreCommands,
  DEFAULT_FLOW,
  type Flow,
  fnvOfTrade,
  makeFlow,
  piecesOf,
  rivalCommands,
  WIDE_FLOW,
} from './flow.ts';
import { collectGarbage } from './memory.ts';
import { LOT, TICK, TICK_LOT, Venue } from './venue.ts';

const USERS = 1001;
/** Commands per record, as when several callers wait for a sync. */
const RECORD_COMMANDS = 50;

type Engine = 'core' | 'rival';
type FlowName = 'standard' | 'wide';

const flowNamed = (name: FlowName): Flow => makeFlow(name === 'wide' ? WIDE_FLOW : DEFAULT_FLOW);

function recordsOf(venue: Venue, commands: readonly Command[]): LogRecord[] {
  const records: LogRecord[] = [];
  for (let i = 0; i < commands.length; i += RECORD_COMMANDS) {
    records.push(venue.next(commands.slice(i, i + RECORD_COMMANDS)));
  }
  return records;
}

/** Minimum duration of one timed round, in milliseconds. */
const TIMED_MIN = 3000;

interface Pass {
  readonly commands: number;
  readonly ms: number;
  /** The hash of the final state; '' if there is none. */
  readonly hash: string;
}

/**
 * Runs one flow. Commands are created in pieces outside the measured time: a real user's command is in the cache,
 * while a million prepared ones would be read from memory, and both engines would wait for that.
 */
function passCore(flow: Flow): Pass {
  const venue = new Venue(USERS, 1);
  const { exchange } = venue;
  const run = (from: number, to: number) => {
    let ms = 0;
    for (const piece of piecesOf(from, to)) {
      const records = recordsOf(venue, coreCommands(flow, venue.firstOrder, piece));
      const start = performance.now();
      for (const record of records) exchange.apply(record);
      ms += performance.now() - start;
    }
    return ms;
  };
  return passOf(flow, run, () => exchange.hash());
}

function passRival(flow: Flow): Pass {
  const book = new OrderBook();
  const run = (from: number, to: number) => {
    let ms = 0;
    for (const piece of piecesOf(from, to)) {
      const commands = rivalCommands(flow, piece);
      const start = performance.now();
      for (const command of commands) {
        if (typeof command === 'string') book.cancel(command);
        else book.limit(command as Parameters<OrderBook['limit']>[0]);
      }
      ms += performance.now() - start;
    }
    return ms;
  };
  return passOf(flow, run, () => '');
}

function passOf(flow: Flow, run: (from: number, to: number) => number, hash: () => string): Pass {
  run(0, flow.prefill);
  collectGarbage();
  const count = commandCount(flow);
  const ms = run(flow.prefill, count);
  return { commands: count - flow.prefill, ms, hash: hash() };
}

/** Runs once untimed: every trade must match the flow's expected trades. Returns the hash of the state. */
function verify(flow: Flow): string {
  const venue = new Venue(USERS, 1);
  const idOf = (order: number) => order - venue.firstOrder + 1;
  let trades = 0;
  let volume = 0;
  let notional = 0n;
  let fnv = 0x811c9dc5;
  for (const record of recordsOf(venue, coreCommands(flow, venue.firstOrder))) {
    const { outcomes, events } = venue.exchange.apply(record);
    for (const outcome of outcomes.decode()) {
      if (outcome.kind === 'rejected') throw new Error(`refused: ${outcome.rejection.code}`);
    }
    for (const event of events.decode()) {
      if (event.kind !== 'trade') continue;
      trades++;
      volume += event.size / LOT;
      notional += event.funds / TICK_LOT;
      const { resting, incoming } = event;
      fnv = fnvOfTrade(fnv, idOf(resting.order), idOf(incoming.order), event.price / TICK, event.size / LOT);
    }
  }
  const found = { trades, volume, notional, live: venue.exchange.counts.orders, fnv };
  for (const [name, value] of Object.entries(found)) {
    const expected = flow.expected[name as keyof typeof found];
    if (value !== expected) throw new Error(`${name} is ${value}, the flow expects ${expected}`);
  }
  return venue.exchange.hash();
}

/** One round of one engine, run in its own process, like a real exchange. */
function takeTurn(engine: Engine, name: FlowName): { speed: number; hash: string } {
  const flow = flowNamed(name);
  const pass = engine === 'core' ? passCore : passRival;
  const { hash } = pass(flow);
  let commands = 0;
  let ms = 0;
  while (ms < TIMED_MIN) {
    const one = pass(flow);
    if (one.hash !== hash) throw new Error('two runs of one flow ended in two states');
    commands += one.commands;
    ms += one.ms;
  }
  return { speed: (commands / ms) * 1000, hash };
}

// Alternating rounds of the core and the rival, each in a fresh process, with one ratio per pair.

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

function startProcess(...args: readonly string[]): string {
  const env = { ...process.env, NODE_COMPILE_CACHE: CACHE };
  return execFileSync(process.execPath, [...process.execArgv, HERE, ...args], { encoding: 'utf8', env });
}

const turn = (engine: Engine, flow: FlowName): ReturnType<typeof takeTurn> =>
  JSON.parse(startProcess(engine, flow));

export function compare(flow: FlowName, turns: number): Throughput {
  const hash = verify(flowNamed(flow));
  // Loads its code without running a round, which fills the cache.
  startProcess();
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
