/**
 * Durable commands a second through sequencer, log and core, with callers that each wait for their answer; and, in
 * turns with it, a bare loop that makes the very same writes to a file and syncs after each batch, and does nothing else,
 * and the core alone, which applies the very same records.
 */

import type { Answer, Waiter } from '../../packages/server/src/engine/exchange-port.ts';
import { Digest } from '../../packages/server/src/engine/digest.ts';
import { FileLog } from '../../packages/server/src/log/file-log.ts';
import { LogReader } from '../../packages/server/src/log/log-reader.ts';
import { Sequencer } from '../../packages/server/src/engine/sequencer.ts';
import type { Disk, DiskFile } from '../../packages/server/src/io/disk.ts';
import { nodeClock } from '../../packages/server/src/io/node-clock.ts';
import { nodeDisk } from '../../packages/server/src/io/node-disk.ts';
import { collectGarbage } from '../core/memory.ts';
import { AnswerClock } from './answer-clock.ts';
import { CallerCommands } from './caller-commands.ts';
import { beginLog, scene } from './scene.ts';
import { slowedBy } from './slow-disk.ts';

export interface Durable {
  readonly callers: number;
  readonly commands: number;
  readonly records: number;
  readonly bytes: number;
  /** Commands a second: the engine, the bare loop with the same batches, and the core alone with the same records. */
  readonly engine: number;
  readonly bare: number;
  readonly core: number;
  /** The engine against the bare loop, and against the slower of that and the core alone. */
  readonly ratio: number;
  readonly possible: number;
  /** Milliseconds that one caller waits. */
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
  readonly records: number;
  readonly lastSeq: number;
  readonly bytes: number;
}

/** A write to the log's file, or (length 0) a sync. */
type Trace = { readonly position: number; readonly length: number }[];

/** Remembers what is asked of the log's files. */
function tracing(disk: Disk, trace: Trace): Disk {
  return {
    ...disk,
    async open(path, mode) {
      const file = await disk.open(path, mode);
      const traced: DiskFile = Object.create(file);
      traced.write = (position, bytes) => {
        trace.push({ position, length: bytes.length });
        file.write(position, bytes);
      };
      traced.sync = () => {
        trace.push({ position: 0, length: 0 });
        return file.sync();
      };
      return traced;
    },
  };
}

/** After so many commands history has what was done in earlier records, and the exchange may forget it. */
const FORGET_EVERY = 8192;

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
  await beginLog(dir, exchange);
  const log = await FileLog.open({ disk: tracing(disk, trace), dir });
  const sequencer = new Sequencer({ log, exchange, clock: nodeClock, digest: new Digest() });
  const waits = new Float64Array(count);
  const seqBefore = exchange.seq;
  const { promise: allAnswered, resolve, reject } = Promise.withResolvers<void>();
  let calling = callers;
  const load: Load = {
    sequencer,
    sent,
    waits,
    clock: new AnswerClock(),
    onAnswer(at, seq) {
      // As the follower would, once history has them.
      if (at % FORGET_EVERY === 0) exchange.forgetDone(seq - 1);
    },
    onEnd: () => --calling === 0 && resolve(),
    onFailure: reject,
  };
  collectGarbage();
  trace.length = 0;
  const start = performance.now();
  for (let caller = 0; caller < callers; caller++) new Caller(load).sendNext(start);
  await allAnswered;
  const seconds = (performance.now() - start) / 1000;
  const lastSeq = exchange.seq;
  const bytes = log.bytesAppended;
  await sequencer.close();
  await log.close();
  return { seconds, waits, records: lastSeq - seqBefore, lastSeq, bytes };
}

interface Load {
  readonly sequencer: Sequencer;
  readonly sent: CallerCommands;
  readonly waits: Float64Array;
  readonly clock: AnswerClock;
  readonly onAnswer: (at: number, seq: number) => void;
  /** A caller has nothing left to send. */
  readonly onEnd: () => void;
  readonly onFailure: (error: Error) => void;
}

/** Has one command on its way, and sends the next when it is told what became of it. */
class Caller implements Waiter {
  readonly #load: Load;
  #at = 0;
  #sentAt = 0;

  constructor(load: Load) {
    this.#load = load;
  }

  sendNext(now: number): void {
    const { sequencer, sent, onEnd } = this.#load;
    this.#at = sent.next();
    if (this.#at < 0) {
      onEnd();
      return;
    }
    this.#sentAt = now;
    sequencer.send(sent.at(this.#at), this);
  }

  answered({ outcome, seq }: Answer): void {
    const { sent, waits, clock, onAnswer } = this.#load;
    const now = clock.at(seq);
    waits[this.#at] = now - this.#sentAt;
    sent.answered(this.#at, outcome);
    onAnswer(this.#at, seq);
    this.sendNext(now);
  }

  failed(error: Error): void {
    this.#load.onFailure(error);
  }
}

/** The same writes and syncs, of bytes that lie ready, in the same order; nothing waits but the loop itself. */
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

/**
 * The records that the engine has put into its log, as they are read from there. Only applying them is timed; and done
 * orders are kept for a while, as in the engine.
 */
async function runCore(dir: string, lastSeq: number): Promise<number> {
  const { exchange } = scene();
  exchange.keepDone = true;
  const log = new LogReader(nodeDisk, dir);
  let ms = 0;
  let commands = 0;
  collectGarbage();
  for await (const record of log.read(exchange.seq + 1, lastSeq)) {
    const start = performance.now();
    exchange.apply(record);
    commands += record.commands.length;
    if (commands >= FORGET_EVERY) {
      exchange.forgetDone(record.seq - 1);
      commands = 0;
    }
    ms += performance.now() - start;
  }
  await log.close();
  return ms / 1000;
}

const at = (samples: Float64Array, share: number) => samples.toSorted()[Math.floor(samples.length * share)];
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * Engine, bare loop and core in turns, short ones and many, on new files each: what else the machine does meets all. The
 * ratios are the medians of the turns', waits are those of all turns together. With `syncMs` on a disk whose syncs take
 * at least so long, for both.
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
  /** Seconds. */
  const cores: number[] = [];
  for (let turn = -1; turn < turns; turn++) {
    const trace: Trace = [];
    const path = `${dir}/${callers}-${turn}`;
    const engine = await runEngine(disk, path, callers, count, trace);
    const bare = await runBare(disk, `${path}.bare`, trace);
    const core = await runCore(path, engine.lastSeq);
    // The first turn warms up.
    if (turn < 0) continue;
    engines.push(engine);
    bares.push(bare);
    cores.push(core);
  }
  const waits = pooled(engines);
  const bareWaits = pooled(bares);
  return {
    callers,
    commands: count * turns,
    records: sum(engines.map(({ records }) => records)),
    bytes: sum(engines.map(({ bytes }) => bytes)),
    engine: median(engines.map(({ seconds }) => count / seconds)),
    bare: median(bares.map(({ seconds }) => count / seconds)),
    core: median(cores.map((seconds) => count / seconds)),
    ratio: median(engines.map(({ seconds }, turn) => bares[turn].seconds / seconds)),
    // No engine can be faster than the slower of the two it is made of.
    possible: median(
      engines.map(({ seconds }, turn) => Math.max(bares[turn].seconds, cores[turn]) / seconds),
    ),
    p50: at(waits, 0.5),
    p99: at(waits, 0.99),
    bareP50: at(bareWaits, 0.5),
    bareP99: at(bareWaits, 0.99),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const pooled = (runs: readonly Run[]) => Float64Array.from(runs.flatMap(({ waits }) => [...waits]));
