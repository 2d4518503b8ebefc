/**
 * The flow of records of one world. After each record the caller must pass its events, because the next commands refer
 * to its results. The same seed and the same events give the same records.
 */

import { type Command, type Event, type LogRecord, RULES_VERSION } from '@bourse/core';
import { drawCommand } from './commands.ts';
import { Model } from './model.ts';
import { fundingCommands } from './money-commands.ts';
import { Weighted } from '../random.ts';
import type { Scene } from './scene.ts';
import { drawWorld, type World } from './world.ts';

const START = 1_700_000_000_000;
const DAY = 86_400_000;

/** One command each in most records, so that most checks see the state after a single command. */
const RECORD_SIZES = new Weighted<number>([
  [4, 0],
  [70, 1],
  [12, 2],
  [6, 3],
  [4, 4],
  [4, 5],
]);

export class Flow {
  readonly world: World;
  commandsDone = 0;
  readonly #scene: Scene;
  #seq = 0;
  #waiting: Command[];
  #phase: 'opening' | 'funding' | 'trading' = 'opening';

  constructor(seed: number) {
    this.world = drawWorld(seed);
    const { random, plans } = this.world;
    this.#scene = { random, model: new Model(plans, START), plans, deposits: [], transfers: [], onceIds: [] };
    this.#waiting = [...this.world.opening];
  }

  get isOver(): boolean {
    return this.commandsDone >= this.world.commandsMax;
  }

  /** Reference data, users and money are set up; from here on a lost command does not harm the next ones. */
  get isTrading(): boolean {
    return this.#phase === 'trading';
  }

  next(): LogRecord {
    const { model } = this.#scene;
    const commands = this.#commands();
    if (this.#phase === 'trading') model.time += this.#pause();
    this.#seq += 1;
    this.commandsDone += commands.length;
    // Each instant is used once.
    for (let index = model.instants.length - 1; index >= 0; index -= 1) {
      if ((model.instants[index] as number) <= model.time) model.instants.splice(index, 1);
    }
    return { seq: this.#seq, time: model.time, rules: this.#rules(), commands };
  }

  /** `time` if records have a different time than the flow assigned. */
  observe(events: readonly Event[], time = 0): void {
    const { model } = this.#scene;
    model.observe(events);
    model.time = Math.max(model.time, time);
  }

  #commands(): Command[] {
    if (this.#waiting.length === 0 && this.#phase !== 'trading') {
      this.#phase = this.#phase === 'opening' ? 'funding' : 'trading';
      if (this.#phase === 'funding') this.#waiting = fundingCommands(this.#scene);
    }
    if (this.#phase !== 'trading') return this.#waiting.splice(0, 5);
    const count = RECORD_SIZES.pick(this.world.random);
    return Array.from({ length: count }, () => drawCommand(this.#scene, this.world.breakage));
  }

  /** Some worlds begin under the first rules, like an old log, and continue under each later version. */
  #rules(): number {
    const { oldCommands } = this.world;
    const share = oldCommands === 0 ? 1 : Math.min(this.commandsDone / oldCommands, 1);
    return 1 + Math.floor(share * (RULES_VERSION - 1));
  }

  /** Often none, mostly moments, rarely days; now and then exactly to, or just before, something due. */
  #pause(): number {
    const { random, model } = this.#scene;
    const luck = random.fraction();
    if (luck < 0.3) return 0;
    if (luck < 0.34 && model.instants.length > 0) {
      const due = random.pick(model.instants) - model.time;
      if (due > 0 && (due < 3 * DAY || random.chance(0.02))) return due - (random.chance(0.2) ? 1 : 0);
    }
    if (luck < 0.9) return random.range(1, 900);
    if (luck < 0.985) return random.range(1000, 8000);
    if (luck < 0.995) return random.range(60_000, 7_200_000);
    return random.chance(0.3) ? random.range(DAY, 4 * DAY) : random.range(7_200_000, DAY);
  }
}
