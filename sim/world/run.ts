/**
 * The simulator (promises 1 to 6 and 8 to 10): many worlds, each determined by its seed.
 *
 * npm run sim -- world [--seeds 2000] [--seed 1]
 *
 * With `--seed` alone it runs that one world. It exits with 1 if a world fails or some kind of event never
 * occurred.
 *
 * In a world, the production engine runs on a virtual clock and a lossy disk, with clients that send, read
 * and look up. First, any step may fail; then nothing fails, and everything must reach the same state.
 */

import { parseArgs } from 'node:util';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { HistoryFull } from '../../packages/engine/src/history/history.ts';
import { findEnd } from '../../packages/engine/src/log/log-end.ts';
import { segmentsAmong } from '../../packages/engine/src/log/segment.ts';
import { violated } from '../checkers/violation.ts';
import type { KeptSeed } from '../run.ts';
import { HistoryFailed, Life, LOG_DIR, SNAPSHOT_DIR } from './life.ts';
import { compareHistory, Oracle } from './oracle.ts';
import { drawPlan, type Plan } from './plan.ts';
import { Device, ProcessDisk, settle } from './process-disk.ts';
import { Readers } from './readers.ts';
import { Feeder, Senders } from './senders.ts';
import { Tally } from './tally.ts';

const START_TIME = 1_700_000_000_000;
/** Far more steps than needed; a world that makes no progress is an error. */
const STEPS_MAX = 20_000;
/** Acknowledged in the second phase. */
const CALM_COMMANDS = 8;
/** Work due later is not awaited. */
const DUE_MS_MAX = 3_600_000;

export class World {
  readonly #random: Random;
  readonly #plan: Plan;
  readonly #tally: Tally;
  readonly #device = new Device();
  readonly #lossy: LossyDisk;
  readonly #clock = new ManualClock(START_TIME);
  readonly #history = new MemoryHistory();
  readonly #oracle: Oracle;
  readonly #senders: Senders;
  readonly #readers: Readers;
  readonly #feeder: Feeder;
  #life: Life | null = null;
  /** The last start that was checked. */
  #checked: Life | null = null;
  #isCalm = false;
  #isDamageDone = false;
  /** A sync of the log has failed, and there has been no power cycle since. */
  #isFailing = false;
  #firstSegment = 1;

  constructor(seed: number, tally: Tally) {
    this.#random = new Random(seed ^ 0x3a11);
    this.#plan = drawPlan(this.#random);
    this.#tally = tally;
    this.#lossy = new LossyDisk(new Random(seed ^ 0xd15c), this.#device.wait);
    this.#feeder = new Feeder(seed, this.#random, tally, this.#plan.again);
    this.#oracle = new Oracle(tally, (events, time) => this.#feeder.observe(events, time));
    this.#senders = new Senders(tally);
    this.#readers = new Readers({
      tally,
      random: this.#random,
      oracle: this.#oracle,
      history: this.#history,
      senders: this.#senders,
      retentionMs: this.#plan.followerLimits.retentionMs ?? 0,
    });
  }

  async run(): Promise<void> {
    this.#tally.add('worlds');
    const { steps, commandsMax } = this.#plan;
    let opening = 0;
    while (!this.#feeder.flow.isTrading && ++opening < STEPS_MAX) await this.#step(0.1);
    for (let step = 0; step < steps && this.#feeder.commands < commandsMax; step++) await this.#step(1);
    await this.#converge();
    const { errors, full, lost } = this.#lossy.counts;
    this.#tally.add('writes and syncs that failed', errors);
    this.#tally.add('writes without room', full);
    this.#tally.add('changes lost', lost);
  }

  /** Executes one event and everything that follows from it, then checks the result. */
  async #step(badLuck: number): Promise<void> {
    if (!(await this.#misfortune(badLuck))) await this.#ordinary();
    await settle();
    await this.#check();
  }

  async #misfortune(badLuck: number): Promise<boolean> {
    const { luck } = this.#plan;
    const random = this.#random;
    const comes = (chance: number) => chance > 0 && random.chance(chance * badLuck);
    // A disk that has failed is likely to take the machine down with it.
    if ((this.#life?.disk.isLogLost || this.#isFailing) && random.chance(0.1))
      return this.#end('power losses');
    if (comes(luck.power)) return this.#end('power losses');
    if (comes(luck.kill)) return this.#end('kills');
    if (comes(luck.failSync)) this.#lossy.failSync(random.range(1, 4));
    if (comes(luck.failWrite)) this.#lossy.failWrite(random.range(1, 4));
    if (comes(luck.jump)) this.#jump();
    const isFull = this.#lossy.roomBytes !== Number.POSITIVE_INFINITY;
    if (!isFull && comes(luck.full)) await this.#fill();
    else if (isFull && random.chance(0.08)) this.#free();
    if (comes(luck.historyFull)) this.#historyFails('full');
    if (comes(luck.historyError)) this.#historyFails('error');
    if (this.#life?.state === 'open' && comes(luck.close)) this.#close();
    return false;
  }

  async #ordinary(): Promise<void> {
    const random = this.#random;
    const life = this.#life;
    if (life === null) return this.#start();
    if (life.state === 'over') {
      this.#end('none');
      return;
    }
    if (this.#device.isBusy && random.chance(0.55)) return this.#device.endOne(random);
    if (life.state !== 'open')
      return this.#device.isBusy ? this.#device.endOne(random) : this.#clock.leapToNext();
    if (life.stopped !== null && random.chance(0.15)) {
      if (random.chance(0.5)) this.#close();
      else this.#end('kills');
      return;
    }
    // The initial commands are the same in all worlds, so they run faster.
    const luck = this.#feeder.flow.isTrading ? random.fraction() : random.fraction() * 0.6;
    if (luck < 0.45) this.#send(life, random.pick([1, 1, 1, 2, 4]));
    else if (luck < 0.6) this.#readers.read(life);
    else if (luck < 0.72) this.#readers.lookUp(life);
    else if (luck < 0.82) this.#clock.leap(random.range(1, 50));
    else if (luck < 0.98) this.#clock.leapToNext();
    else this.#snapshot(life);
  }

  #send(life: Life, batches: number): void {
    const { engine } = life;
    if (engine === null) return;
    for (let batch = 0; batch < batches; batch++) {
      const { commands, pauseMs } = this.#feeder.next(this.#clock.now());
      if (pauseMs > 0) this.#clock.leap(pauseMs);
      for (const command of commands) {
        const { isLogLost } = life.disk;
        this.#feeder.sent(this.#senders.send((each) => submit(engine, each), command, isLogLost));
      }
    }
  }

  #snapshot({ engine }: Life): void {
    engine?.snapshot().then(
      () => this.#tally.add('snapshots'),
      // The reason is checked when the engine reports why it stopped.
      () => undefined,
    );
  }

  #jump(): void {
    const isBack = this.#random.chance(0.6);
    this.#clock.jump((isBack ? -1 : 1) * this.#random.pick([1, 500, 60_000, 86_400_000]));
    this.#tally.add(isBack ? 'wall clock set back' : 'wall clock set forward');
  }

  async #fill(): Promise<void> {
    this.#lossy.roomBytes = (await this.#usedBytes()) + this.#random.pick([0, 50, 400, 4000]);
    this.#tally.add('disk full');
  }

  #free(): void {
    this.#lossy.roomBytes = Number.POSITIVE_INFINITY;
    this.#tally.add('disk freed');
  }

  async #usedBytes(): Promise<number> {
    let bytes = 0;
    for (const dir of [LOG_DIR, SNAPSHOT_DIR]) {
      for (const name of await this.#lossy.list(dir)) {
        bytes += await (await this.#lossy.open(`${dir}/${name}`, 'read')).size();
      }
    }
    return bytes;
  }

  #historyFails(how: 'full' | 'error'): void {
    let left = how === 'full' ? 2 : 1;
    this.#history.fault = () => {
      if (left-- <= 0) return;
      this.#tally.add(how === 'full' ? 'history without room' : 'history failed');
      if (how === 'full') throw new HistoryFull('no room');
      throw new HistoryFailed('the database failed');
    };
  }

  async #start(): Promise<void> {
    const { luck, pause } = this.#plan;
    if (!this.#isCalm && !this.#isDamageDone && this.#random.chance(luck.damage)) await this.#damage();
    const segments = segmentsAmong(await this.#lossy.list(LOG_DIR));
    const last = segments.at(-1);
    if (last !== undefined && (await findEnd(this.#lossy, LOG_DIR, last)).tornBytes > 0) {
      this.#tally.add('starts on a torn tail');
    }
    const first = segments[0] ?? 1;
    this.#tally.add('records removed with old segments', Math.max(0, first - this.#firstSegment));
    this.#firstSegment = first;
    const disk = new ProcessDisk(this.#lossy, `${LOG_DIR}/`, () =>
      this.#random.chance(pause) ? this.#device.wait() : Promise.resolve(),
    );
    const surroundings = { plan: this.#plan, disk, clock: this.#clock, history: this.#history };
    this.#life = new Life(surroundings);
  }

  /** Flips a bit of the newest snapshot if there is an older one. */
  async #damage(): Promise<void> {
    const names = (await this.#lossy.list(SNAPSHOT_DIR)).filter((name) => name.endsWith('.snapshot'));
    const newest = names.at(-1);
    if (newest === undefined || names.length < 2) return;
    const file = await this.#lossy.open(`${SNAPSHOT_DIR}/${newest}`, 'write');
    this.#lossy.failWrite(Number.POSITIVE_INFINITY);
    const at = this.#random.below(await file.size());
    const [byte] = await file.read(at, 1);
    file.write(at, Uint8Array.of((byte as number) ^ (1 << this.#random.below(8))));
    this.#isDamageDone = true;
  }

  #close(): void {
    this.#life?.close();
  }

  /** Ends the process; a power loss also drops unsynced data. */
  #end(how: 'power losses' | 'kills' | 'none'): true {
    const life = this.#life;
    if (how !== 'none') this.#tally.add(how);
    if (life !== null) {
      life.disk.isOver = true;
      this.#isFailing = how !== 'power losses' && (this.#isFailing || life.disk.isLogLost);
      this.#tally.add(
        life.disk.isLogLost ? 'failed syncs of the log' : 'failed syncs elsewhere',
        life.disk.syncsFailed,
      );
      const isHalfway = life.state === 'starting' || life.state === 'closing';
      if (how !== 'none' && isHalfway) this.#tally.add('kills while starting or closing');
      if (life.engine === null && how === 'none') this.#tally.add('starts that failed');
      if (life.engine !== null && how === 'none' && life.failure === null) this.#tally.add('clean ends');
      this.#readers.processEnds(life);
    }
    this.#senders.processEnds();
    this.#device.forget();
    this.#clock.forget();
    this.#life = null;
    if (how === 'power losses') this.#lossy.crash();
    return true;
  }

  async #check(): Promise<void> {
    const life = this.#life;
    if (life === null) return;
    life.checkFailures(this.#oracle.seq === 0);
    const { engine } = life;
    if (engine === null) return;
    await this.#oracle.catchUp(this.#lossy, LOG_DIR, life.tip, this.#senders, life.published);
    if (this.#checked !== life) this.#checkStart(life);
    this.#senders.checkAnswers();
    this.#readers.check(life);
    const { queueMax = 0, recordMax = 0 } = this.#plan.limits;
    // An order that records leave unfinished is pending work too, one per symbol.
    const waitingMax = queueMax + recordMax + this.#oracle.exchange.counts.symbols;
    if (engine.health.waiting > waitingMax) {
      violated('no more commands wait than may', { waiting: engine.health.waiting, waitingMax });
    }
    if (this.#history.checkpoint > life.tip) {
      violated('history is never ahead of the log', { history: this.#history.checkpoint, log: life.tip });
    }
  }

  #checkStart(life: Life): void {
    const { engine } = life;
    this.#checked = life;
    if (engine === null) return;
    this.#tally.add('starts');
    if (engine.start.snapshotSeq > 0) this.#tally.add('starts from a snapshot');
    if (life.warnings.some((sentence) => sentence.includes('.snapshot'))) {
      this.#tally.add('starts past a damaged snapshot');
    }
    this.#readers.checkStart(life);
    this.#feeder.sendAgain(this.#senders.startAgain());
  }

  /** The second phase: nothing fails any more. */
  async #converge(): Promise<void> {
    this.#isCalm = true;
    this.#free();
    this.#lossy.failSync(Number.POSITIVE_INFINITY);
    this.#lossy.failWrite(Number.POSITIVE_INFINITY);
    this.#history.fault = () => undefined;
    // Earlier failures may show only with the next command.
    if (this.#life?.disk.syncsFailed || this.#life?.disk.writesFailed || this.#life?.stopped)
      this.#end('kills');
    await this.#until(() => this.#life?.state === 'open', 'the engine starts');
    const life = this.#life as Life;
    await this.#until(() => !this.#device.isBusy, 'the device comes to rest');
    this.#senders.isCalm = true;
    const goal = this.#senders.answered + CALM_COMMANDS;
    await this.#until(() => {
      const isDone = this.#senders.answered >= goal;
      if (!isDone && !this.#senders.isWaiting) this.#send(life, 1);
      return isDone && !this.#senders.isWaiting;
    }, 'commands are answered');
    let isCaughtUp = false;
    void life.engine?.historyCaughtUp().then(() => (isCaughtUp = true));
    await this.#until(() => isCaughtUp && life.engine?.health.historyLag === 0, 'history catches up');
    if (life.engine?.health.state !== 'open')
      violated('the engine is open again', { state: life.engine?.health.state });
    await this.#letTimePass();
    this.#close();
    await this.#until(() => this.#life === null, 'the engine closes');
    if (life.failure !== null) throw new Error('the engine does not close in order', { cause: life.failure });
    await this.#until(() => this.#life?.state === 'open', 'the engine starts again');
    const keptFrom = this.#oracle.exchange.time - (this.#plan.followerLimits.retentionMs ?? 0);
    this.#tally.add('history rows compared', compareHistory(this.#history, this.#oracle.history, keptFrom));
    this.#oracle.replay(this.#random);
    this.#end('none');
  }

  /** Advances time to the next due event, without a command. */
  async #letTimePass(): Promise<void> {
    const due = this.#oracle.exchange.nextDue;
    const { time } = this.#oracle.exchange;
    if (due > time + DUE_MS_MAX) return;
    this.#clock.leap(due - time);
    await this.#until(() => this.#oracle.exchange.nextDue > due, 'what is due happens');
  }

  async #until(isSo: () => boolean, what: string): Promise<void> {
    for (let step = 0; step < STEPS_MAX; step++) {
      if (isSo()) return;
      const life = this.#life;
      if (life === null) await this.#start();
      else if (life.state === 'over') this.#end('none');
      else if (this.#device.isBusy) this.#device.endAll();
      else this.#clock.leapToNext();
      await settle();
      await this.#check();
      if (life?.stopped) throw new Error('the engine stopped though nothing fails', { cause: life.stopped });
    }
    violated('without faults everything comes to its end', { what });
  }
}

/**
 * Seeds of worlds that once failed, each named after its fault; they always run first, in the test too. If
 * the generator of worlds changes, a kept seed is another world: its fault needs a separate test as well.
 */
export const KEPT_SEEDS: readonly KeptSeed[] = [
  {
    seed: 509,
    name: 'a full disk while commands wait for an unfinished order: the sequencer tried without a pause',
  },
  {
    seed: 624963463,
    name: 'an unfinished order waits beside a full queue: the bound of waiting commands did not count it',
  },
];

/** Shorter runs need not have covered everything. */
const COVERING_SEEDS = 500;

/** An unhandled rejection: a broken invariant of the engine in the running world. */
let stray: unknown = null;

async function runWorld(seed: number): Promise<Tally> {
  const tally = new Tally();
  stray = null;
  try {
    await new World(seed, tally).run();
    if (stray !== null) throw stray;
    return tally;
  } catch (error) {
    const what = textOf(stray ?? error);
    throw new Error(`seed ${seed}: ${what}\nnpm run sim -- world --seed ${seed}`, { cause: error });
  }
}

export async function runWorlds(seeds: Iterable<number>): Promise<Tally> {
  const total = new Tally();
  for (const seed of seeds) total.addAll(await runWorld(seed));
  const zeros = total.zeros();
  if (total.get('worlds') >= COVERING_SEEDS && zeros.length > 0) {
    throw new Error(`never happened in ${total.get('worlds')} worlds:\n  ${zeros.join('\n  ')}`);
  }
  return total;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error.stack) : `${error.stack}\ncaused by ${textOf(error.cause)}`;
}

function* seedsOf(from: number, count: number): Generator<number> {
  for (const { seed } of KEPT_SEEDS) yield seed;
  for (let seed = from; seed < from + count; seed++) yield seed;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seeds: { type: 'string' }, seed: { type: 'string' } } });
  // Installed only now, because an invalid option must end the run.
  process.on('uncaughtException', (error) => (stray ??= error));
  const first = Number(values.seed ?? 1);
  const count = Number(values.seeds ?? (values.seed === undefined ? 2000 : 1));
  const begin = process.cpuUsage();
  try {
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1) {
      throw new Error('--seed and --seeds are whole numbers, --seeds at least 1');
    }
    const isOne = values.seed !== undefined && values.seeds === undefined;
    const tally = await runWorlds(isOne ? [first] : seedsOf(first, count));
    const { user, system } = process.cpuUsage(begin);
    console.log(tally.table());
    console.log(`${tally.get('worlds')} worlds, ${((user + system) / 1e6).toFixed(1)} s of processor time`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
