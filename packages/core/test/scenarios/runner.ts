/**
 * Runs scenarios: tables of text, one line a command or an expectation. The words are described in README.md
 * beside this file; an unknown word is an error, and so is a failed expectation.
 */

import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Command } from '../../src/commands/commands.ts';
import { RULES_VERSION } from '../../src/rules-version.ts';
import type { Outcome } from '../../src/commands/outcomes.ts';
import { buildCommand } from './language/commands.ts';
import type { Engine, EngineFactory } from './language/engine.ts';
import { takeEnvelope } from './language/envelope.ts';
import { checkExpectation, Seen } from './language/expect.ts';
import { toMs } from './language/numbers.ts';
import { checkAgainstEvents, checkOutcome, idsOf, Mismatch } from './language/outcome.ts';
import type { Units } from './language/show.ts';
import { State } from './language/state.ts';
import { parseScenarios, type Scenario, type Step, splitWords, Words } from './language/text.ts';
import { WORLD } from './language/world.ts';

export { ruleIds, type Scenario } from './language/text.ts';

/** As its first line, a scenario without the world's fees. */
const DEFAULT_FEES = 'default fees';

let collected: Scenario[] | null = null;

/** A file of scenarios: registers each as a test of the core, unless they are only being collected. */
export function scenarios(text: string): void {
  const found = parseScenarios(text);
  if (collected !== null) {
    collected.push(...found);
    return;
  }
  for (const scenario of found) {
    test(scenario.name, async () => {
      const { newEngine } = await import('./engine.ts');
      runScenario(scenario, newEngine);
    });
  }
}

export function collecting(): boolean {
  return collected !== null;
}

/** All scenarios of this folder, without running any. */
export async function collectScenarios(): Promise<Scenario[]> {
  const own: Scenario[] = [];
  collected = own;
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  for (const file of files.toSorted()) if (file !== 'list.test.ts') await import(`./${file}`);
  collected = null;
  return own;
}

export function runScenario(scenario: Scenario, newEngine: EngineFactory): void {
  const ownFees = scenario.steps[0]?.text === DEFAULT_FEES;
  const run = new Run(newEngine(), ownFees ? WORLD.filter(({ kind }) => kind !== 'set-fees') : WORLD);
  for (const step of ownFees ? scenario.steps.slice(1) : scenario.steps) {
    try {
      run.step(step.text);
    } catch (error) {
      throw failure(scenario, step, error);
    }
  }
  try {
    run.finish();
  } catch (error) {
    throw failure(scenario, scenario.steps.at(-1)!, error);
  }
}

function failure(scenario: Scenario, step: Step, error: unknown): Error {
  const place = `${scenario.name}\n  line ${step.line}: ${step.text}`;
  if (error instanceof Mismatch) {
    return new Error(`${place}\n  expected: ${error.expected}\n  actual:   ${error.actual}`);
  }
  return new Error(`${place}\n  ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

class Run {
  readonly #state = new State();
  readonly #engine: Engine;
  #seen = new Seen([]);
  #timeBefore = 0;

  constructor(engine: Engine, world: readonly Command[]) {
    this.#engine = engine;
    const { outcomes } = this.#send(world);
    const refused = outcomes.find((outcome) => outcome.kind === 'rejected');
    if (refused !== undefined) throw new Error(`the world was refused: ${JSON.stringify(refused)}`);
    this.#state.see(this.#seen.events);
  }

  step(text: string): void {
    const [left = '', expected = '', ...more] = text.split(/\s+->\s*/);
    if (more.length > 0) throw new Error("more than one '->'");
    const words = new Words(splitWords(left));
    if (checkExpectation(words, this.#state, this.#seen)) return;
    if (words.take('time')) {
      this.finish();
      this.#state.time += toMs(words.next('span'));
      this.#send([]);
      this.#state.see(this.#seen.events);
      this.#timeBefore = this.#state.time;
    } else if (words.take('later')) {
      this.#state.time += toMs(words.next('span'));
    } else if (words.take('repeat')) {
      const times = Number(words.next('times'));
      const line = words.rest().join(' ');
      for (let i = 1; i <= times; i++) this.#command(line.replaceAll('{i}', String(i)), expected);
    } else this.#command(words.rest().join(' '), expected);
    words.end();
  }

  finish(): void {
    this.#seen.finish(this.#state);
    this.#engine.verify?.(this.#state);
  }

  #command(line: string, expected: string): void {
    this.#seen.finish(this.#state);
    const label = /^([A-Za-z][\w,-]*): /.exec(line);
    const words = new Words(splitWords(label === null ? line : line.slice(label[0].length)));
    const envelope = takeEnvelope(words, this.#state);
    const built = buildCommand(words, this.#state);
    if (built === null) throw new Error(`unknown word: ${words.peek()}`);
    words.end();
    const { outcomes } = this.#send([{ ...built.command, ...envelope }]);
    const outcome = outcomes[0];
    if (outcomes.length !== 1 || outcome === undefined) throw new Error(`${outcomes.length} outcomes`);
    this.#check(outcome, built.units, label?.[1]?.split(',') ?? [], expected);
  }

  /** Labels first, because events and outcomes are printed with them. */
  #check(outcome: Outcome, units: Units, labels: readonly string[], expected: string): void {
    const ids = idsOf(outcome);
    labels.forEach((label, index) => {
      const id = ids[index] ?? null;
      if (id !== null) this.#state.name(id, label);
    });
    this.#state.see(this.#seen.events);
    // A stop order that the command made due comes after its outcome and may trade with its order.
    if (!this.#seen.events.some(({ kind }) => kind === 'stop-done')) checkAgainstEvents(this.#state, outcome);
    checkOutcome(this.#state, units, outcome, expected);
    const due = this.#state.time !== this.#timeBefore;
    if (outcome.kind === 'rejected' && !due && this.#seen.events.length > 0) {
      throw new Error('events of a rejected command');
    }
    this.#timeBefore = this.#state.time;
  }

  #send(commands: readonly Command[]): { outcomes: readonly Outcome[] } {
    const record = { seq: ++this.#state.seq, time: this.#state.time, rules: RULES_VERSION, commands };
    const { outcomes, events } = this.#engine.apply(record);
    this.#seen = new Seen(events);
    return { outcomes };
  }
}
