import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { addToLedger, AIMS, runCampaign, type Step, STEPS } from './campaign.ts';

const committed = readFileSync(new URL('../docs/internals/campaign.md', import.meta.url), 'utf8');

/** A copy of the committed ledger and its figures. */
function ledgerOf(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-campaign-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'campaign.md');
  writeFileSync(path, committed);
  const read = (figure: string): number =>
    Number(
      new RegExp(`^\\| ${figure} \\| ([\\d,]+)`, 'm')
        .exec(readFileSync(path, 'utf8'))![1]!
        .replaceAll(',', ''),
    );
  return { path, read };
}

const printing = (name: string, program: string): Step => ({
  name,
  args: (seed) => ['--eval', program, String(seed)],
  count: (output) => ({ commands: Number(output) }),
});

test('a campaign runs every step at least once, with seeds derived from its own seed, and adds to the ledger', (context) => {
  const { path, read } = ledgerOf(context);
  const before = read('commands');
  const run = (): string[] => {
    const lines: string[] = [];
    const steps = [printing('one', 'console.log(3)'), printing('two', 'console.log(4)')];
    assert.equal(
      runCampaign({ steps, minutes: 0, seed: 5, ledger: path, log: (line) => lines.push(line) }),
      null,
    );
    return lines;
  };
  const lines = run();
  assert.equal(lines.length, 2);
  assert.deepEqual(run(), lines);
  assert.equal(read('commands'), before + 14);
});

test('a campaign stops at the first failure, names its seed, and keeps earlier results', (context) => {
  const { path, read } = ledgerOf(context);
  const before = read('commands');
  const failing = printing('bad', 'console.log("seed", process.argv[1]); process.exit(1)');
  const steps = [printing('one', 'console.log(3)'), failing, printing('never', 'throw new Error()')];
  const failure = runCampaign({ steps, minutes: 0, seed: 6, ledger: path, log: () => undefined });
  assert.equal(failure?.name, 'bad');
  assert.match(failure.output, new RegExp(`seed ${failure.seed}`));
  assert.equal(read('commands'), before + 3);
  assert.match(readFileSync(path, 'utf8'), new RegExp(`\\| \`.*${failure.seed}\` \\| open \\|\n$`));
});

test('a step that hangs or prints no figure fails, and the ledger has the results of the steps before it', (context) => {
  const { path, read } = ledgerOf(context);
  const before = read('commands');
  const seen: number[] = [];
  const log = (): void => void seen.push(read('commands') - before);
  const passing = printing('one', 'console.log(3)');
  const hanging = printing('hangs', 'setInterval(() => {}, 1000)');
  const hung = runCampaign({
    steps: [passing, passing, hanging],
    minutes: 0,
    seed: 7,
    ledger: path,
    log,
    stepMinutesMax: 0.1,
  });
  assert.deepEqual([hung?.name, seen], ['hangs', [3, 6]]);
  assert.match(hung!.output, /ended by SIGKILL, after 0.1 minutes/);
  const mute: Step = {
    ...printing('mute', ''),
    count: () => {
      throw new Error('no figure');
    },
  };
  const failure = runCampaign({ steps: [passing, mute], minutes: 0, seed: 8, ledger: path, log });
  assert.match(failure!.output, /no figure/);
  assert.equal(read('commands'), before + 9);
});

test('a figure that the ledger does not have, or an output without its number, is an error', () => {
  const totals = { worlds: 0, kills: 0, commands: 0, inputs: 0, failovers: 0 };
  assert.throws(() => addToLedger('# Campaign\n', totals, 0, null), /no row 'worlds'/);
  const differential = STEPS.find(({ name }) => name === 'differential')!;
  assert.deepEqual(differential.count('differential: 200000 commands in 7 worlds, 1.0 s'), {
    commands: 200_000,
    worlds: 7,
  });
  assert.throws(() => differential.count('nothing'), /does not match/);
});

test('the ledger has a row with its aim for every figure', () => {
  for (const [figure, aim] of Object.entries(AIMS)) {
    assert.match(
      committed,
      new RegExp(`^\\| ${figure} \\| [\\d,]+ \\| ${aim.toLocaleString('en')} \\|`, 'm'),
    );
  }
});
