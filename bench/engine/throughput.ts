/**
 * Durable commands per second through sequencer, log and core, with callers that each wait for their response;
 * alternating with a bare loop that makes the same writes to a file, syncs after each batch, and does nothing else.
 */

import type { CancelOrder, Command, Exchange, Outcome } from '@bourse/core';
import { type CommandResult, overriding, type Waiter } from '../../packages/engine/src/exchange-port.ts';
import { Digest } from '../../packages/engine/src/digest.ts';
import { FileLog } from '../../packages/engine/src/log/file-log.ts';
import { Sequencer } from '../../packages/engine/src/sequencer.ts';
import type { Disk } from '../../packages/engine/src/io/disk.ts';
import { nodeClock } from '../../packages/engine/src/io/clock.ts';
import { senderOf } from '@bourse/test-kit/submit.ts';
import { collectGarbage } from '../core/memory.ts';
import { scene, slowedBy } from './scene.ts';

export interface Durable {
  readonly callers: number;
  readonly commands: number;
  readonly records: number;
  readonly bytes: number;
  /** Commands per second of the engine, and of the bare loop with the same batches. */
  readonly engine: number;
  readonly bare: number;
  readonly ratio: number;
  /** Latency of one caller in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly bareP50: number;
  readonly bareP99: number;
}

interface Run {
  readonly seconds: number;
  readonly waits: Float64Array;
}

interface EngineRun extends Run {
  readonly commands: number;
  readonly records: number;
  readonly bytes: number;
}

/** A write to the log's file, or (length 0) a sync. */
type Trace = { readonly position: number; readonly length: number }[];

/** Warm-up rounds, until V8 has optimised the code. */
const WARM_UPS = 2;
/**
 * Untimed beginning of a round. Every round has a new exchange, and V8 discards code optimised for the objects of the
 * previous one; a running exchange keeps its objects.
 */
const RUN_IN = 0.1;
/** Objects of the last round: when the last object of a shape is collected, V8 discards its optimised code. */
const kept: object[] = [];

/** Records the operations on the log's files. */
function tracing(disk: Disk, trace: Trace): Disk {
  return {
    ...disk,
    async open(path, mode) {
      const file = await disk.open(path, mode);
      return overriding(file, {
        write: (position, bytes) => {
          trace.push({ position, length: bytes.length });
          file.write(position, bytes);
        },
        sync: () => {
          trace.push({ position: 0, length: 0 });
          return file.sync();
        },
      });
    },
  };
}

/**
 * A log starts with record 1, but the scene's exchange has already applied some records; this log continues after
 * those.
 */
async function openLog(disk: Disk, dir: string, from: Exchange): Promise<FileLog> {
  const log = await FileLog.open({ disk, dir });
  log.lastSeq = from.seq;
  log.lastTime = from.time;
  return log;
}

async function runEngine(
  disk: Disk,
  dir: string,
  callers: number,
  count: number,
  trace: Trace,
): Promise<EngineRun> {
  const { exchange, commands, firstOrder } = scene();
  const sent = new CallerCommands(commands, count, firstOrder);
  exchange.keepDone = true;
  const log = await openLog(tracing(disk, trace), dir, exchange);
  const sequencer = new Sequencer({ log, exchange, clock: nodeClock, digest: new Digest() });
  const load = new Load(sequencer, exchange, sent, new Float64Array(count));
  collectGarbage();
  kept[0] = { load, log, caller: new Caller(load) };
  const runIn = Math.floor(count * RUN_IN);
  await load.run(callers, runIn);
  const [seqBefore, bytesBefore] = [exchange.seq, log.bytesAppended];
  trace.length = 0;
  const start = performance.now();
  await load.run(callers, count);
  const seconds = (performance.now() - start) / 1000;
  const records = exchange.seq - seqBefore;
  const bytes = log.bytesAppended - bytesBefore;
  await sequencer.close();
  await log.close();
  return { seconds, waits: load.waits.subarray(runIn), commands: count - runIn, records, bytes };
}

/** The shared state of the callers. */
class Load {
  readonly sequencer: Sequencer;
  readonly sent: CallerCommands;
  readonly waits: Float64Array;
  /** The record being acknowledged, and the time at which that began. */
  readonly answers = { seq: 0, now: 0.5 };
  readonly #exchange: Exchange;
  #calling = 0;
  #ended = Promise.withResolvers<void>();

  constructor(sequencer: Sequencer, exchange: Exchange, sent: CallerCommands, waits: Float64Array) {
    this.sequencer = sequencer;
    this.sent = sent;
    this.waits = waits;
    this.#exchange = exchange;
  }

  /** Callers send the commands before `end` and wait for all responses. */
  run(callers: number, end: number): Promise<void> {
    this.sent.end = end;
    this.#calling = callers;
    this.#ended = Promise.withResolvers<void>();
    const now = performance.now();
    for (let caller = 0; caller < callers; caller++) new Caller(this).sendNext(now);
    return this.#ended.promise;
  }

  onAnswer(at: number, seq: number): void {
    // What the follower does once history has the record.
    if (at % 8192 === 0) this.#exchange.forgetDone(seq - 1);
  }

  /** A caller has nothing left to send. */
  onEnd(): void {
    if (--this.#calling === 0) this.#ended.resolve();
  }

  onFailure(error: Error): void {
    this.#ended.reject(error);
  }
}

/** Keeps one command in flight and sends the next on each response. */
class Caller implements Waiter {
  readonly #load: Load;
  #at = 0;
  #sentAt = 0;

  constructor(load: Load) {
    this.#load = load;
  }

  sendNext(now: number): void {
    const { sequencer, sent } = this.#load;
    this.#at = sent.next();
    if (this.#at < 0) {
      this.#load.onEnd();
      return;
    }
    this.#sentAt = now;
    const command = sent.at(this.#at);
    sequencer.send(command, this, senderOf(command));
  }

  answered({ outcome, seq }: CommandResult): void {
    const load = this.#load;
    const { sent, waits, answers } = load;
    // All responses of a record arrive together. Reading the clock for each would take a tenth of the engine's time
    // per command.
    if (seq !== answers.seq) {
      answers.seq = seq;
      answers.now = performance.now();
    }
    const { now } = answers;
    waits[this.#at] = now - this.#sentAt;
    sent.answered(this.#at, outcome);
    load.onAnswer(this.#at, seq);
    this.sendNext(now);
  }

  failed(error: Error): void {
    this.#load.onFailure(error);
  }
}

/** The same writes and syncs in the same order, with prepared bytes. */
async function runBare(disk: Disk, path: string, trace: Trace): Promise<Run> {
  const file = await disk.open(path, 'create');
  const bytes = new Uint8Array(Math.max(...trace.map(({ length }) => length))).fill(7);
  const waits: number[] = [];
  const start = performance.now();
  let begun = start;
  for (const { position, length } of trace) {
    if (length > 0) {
      file.write(position, bytes.subarray(0, length));
      continue;
    }
    await file.sync();
    const now = performance.now();
    waits.push(now - begun);
    begun = now;
  }
  const seconds = (performance.now() - start) / 1000;
  await file.close();
  return { seconds, waits: Float64Array.from(waits) };
}

const quantile = (samples: Float64Array, share: number) =>
  samples.toSorted()[Math.floor(samples.length * share)];
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * Many short alternating rounds of engine and bare loop, each on new files: other load on the machine affects both. The
 * ratio is the median over the rounds, waits are those of all rounds. With `syncMs`, both use a disk whose syncs take
 * at least that long.
 */
export async function measureDurable(
  dir: string,
  callers: number,
  count: number,
  turns: number,
  syncMs = 0,
): Promise<Durable> {
  const disk = slowedBy(syncMs);
  const engines: EngineRun[] = [];
  const bares: Run[] = [];
  for (let turn = -WARM_UPS; turn < turns; turn++) {
    const trace: Trace = [];
    const engine = await runEngine(disk, `${dir}/${callers}-${turn}`, callers, count, trace);
    const bare = await runBare(disk, `${dir}/${callers}-${turn}.bare`, trace);
    if (turn < 0) continue;
    engines.push(engine);
    bares.push(bare);
  }
  const waits = pooled(engines);
  const bareWaits = pooled(bares);
  return {
    callers,
    commands: sum(engines.map(({ commands }) => commands)),
    records: sum(engines.map(({ records }) => records)),
    bytes: sum(engines.map(({ bytes }) => bytes)),
    engine: median(engines.map(({ commands, seconds }) => commands / seconds)),
    bare: median(bares.map(({ seconds }, turn) => engines[turn].commands / seconds)),
    ratio: median(engines.map(({ seconds }, turn) => bares[turn].seconds / seconds)),
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    bareP50: quantile(bareWaits, 0.5),
    bareP99: quantile(bareWaits, 0.99),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function pooled(runs: readonly Run[]): Float64Array {
  const all = new Float64Array(sum(runs.map(({ waits }) => waits.length)));
  let end = 0;
  for (const { waits } of runs) {
    all.set(waits, end);
    end += waits.length;
  }
  return all;
}

// The scene's commands as callers send them: a cancel uses the order id from the response. If more commands
// are pending than a record holds, users take turns, so orders arrive in a different sequence than in the
// flow and get other ids.

/** A cancel may arrive after its order was filled; more failures than these few would be a bug. */
const REFUSED_SHARE_MAX = 0.02;

class CallerCommands {
  readonly #commands: readonly Command[];
  readonly #count: number;
  /** Callers stop before this index. */
  end: number;
  /** The flow's order (from 1) that each command places, and the id that the flow expects for the first one. */
  readonly #orders: Int32Array;
  readonly #firstOrder: number;
  /** The assigned id of each order; 0 until it is acknowledged. */
  readonly #given: Float64Array;
  /** Deferred cancels of unacknowledged orders, by index from 1, and those whose order has been acknowledged since. */
  readonly #putOff: Int32Array;
  readonly #ready: number[] = [];
  #next = 0;
  #refused = 0;

  /** The first `count` commands; `firstOrder` is the id of the first order if all arrive in sequence. */
  constructor(commands: readonly Command[], count: number, firstOrder: number) {
    this.#commands = commands;
    this.#count = count;
    this.end = count;
    this.#firstOrder = firstOrder;
    this.#orders = new Int32Array(count);
    this.#given = new Float64Array(count);
    this.#putOff = new Int32Array(count);
    let orders = 0;
    for (let at = 0; at < count; at++) if (commands[at].kind === 'place-order') this.#orders[at] = ++orders;
  }

  /** Index of the next command to send; -1 if none is left before the end. */
  next(): number {
    const ready = this.#ready.pop();
    if (ready !== undefined) return ready;
    while (this.#next < this.end) {
      const at = this.#next++;
      const command = this.#commands[at];
      if (command.kind !== 'cancel-order' || this.#idOf(command) > 0) return at;
      this.#putOff[(command.order ?? 0) - this.#firstOrder] = at + 1;
    }
    return -1;
  }

  at(place: number): Command {
    const command = this.#commands[place];
    if (command.kind !== 'cancel-order') return command;
    const { kind, user, symbol } = command;
    return { kind, user, symbol, order: this.#idOf(command) };
  }

  answered(place: number, outcome: Outcome): void {
    if (outcome.kind === 'rejected') this.#refuse(outcome.rejection.code);
    else if (outcome.kind === 'order' && this.#orders[place] > 0) {
      const order = this.#orders[place] - 1;
      this.#given[order] = outcome.order;
      const cancel = this.#putOff[order] - 1;
      if (cancel >= 0) this.#ready.push(cancel);
    }
  }

  #refuse(code: string): void {
    this.#refused++;
    if (code !== 'order-unknown' || this.#refused > this.#count * REFUSED_SHARE_MAX) {
      throw new Error(`${this.#refused} of ${this.#count} commands were refused, the last for ${code}`);
    }
  }

  /** Orders of the scene's initial book have the ids that the flow expects. */
  #idOf({ order = 0 }: CancelOrder): number {
    return order < this.#firstOrder ? order : this.#given[order - this.#firstOrder];
  }
}
