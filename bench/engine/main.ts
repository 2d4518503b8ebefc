/**
 * npm run bench:engine [-- --json] [-- --turns N] [-- --dir DIR]
 *
 * The engine and its disk: durable commands per second compared with a bare loop of the same writes and syncs,
 * recovery compared with the core alone, the cost of a snapshot of a large state, and history. Files are created in
 * DIR and removed again; default: the system's temporary directory.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LookUp, measureHistory, measureLookUps } from './history.ts';
import { type LongestPauses, measureLargeState } from './large-state.ts';
import { measureReplay } from './replay.ts';
import { scene } from './scene.ts';
import { type Durable, measureDurable } from './throughput.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '9' },
    dir: { type: 'string', default: tmpdir() },
  },
});
const turns = Number(values.turns);

const show = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`);
const thousand = (speed: number) => `${(speed / 1000).toFixed(1)} k/s`;
const ms = (value: number) => `${value.toFixed(3)} ms`;

/**
 * Sync time of an ordinary disk. On a much faster one, the engine is compared with memory and the CPU is the limit.
 */
const ORDINARY_SYNC_MS = 2;

function showDurable({ callers, engine, bare, ratio, records, commands, ...each }: Durable): void {
  show(
    `durable, ${callers} caller${callers > 1 ? 's' : ''}`,
    `engine ${thousand(engine)}, bare ${thousand(bare)}, ratio ${ratio.toFixed(2)}, ${(commands / records).toFixed(0)} commands a record`,
  );
  const { p50, p99, bareP50, bareP99 } = each;
  show(
    '  an answer takes',
    `p50 ${ms(p50)}, p99 ${ms(p99)}; a bare batch p50 ${ms(bareP50)}, p99 ${ms(bareP99)}`,
  );
}

const dir = mkdtempSync(join(values.dir, 'bourse-bench-'));
try {
  const single = await measureDurable(`${dir}/single`, 1, 6000, turns);
  showDurable(single);
  const singleP99 = single.p99 / single.bareP99;
  show('  p99 against a bare write and sync', `${singleP99.toFixed(2)} times`);
  const some = await measureDurable(`${dir}/some`, 64, 25_000, turns);
  showDurable(some);
  // As many commands per round as the core alone, for comparison.
  const many = await measureDurable(`${dir}/many`, 512, scene().commands.length, turns);
  showDurable(many);
  const ordinary = await measureDurable(`${dir}/ordinary`, 512, 100_000, turns, ORDINARY_SYNC_MS);
  console.log(`with syncs of at least ${ORDINARY_SYNC_MS} ms:`);
  showDurable(ordinary);

  const replay = await measureReplay(`${dir}/replay`, turns);
  show(
    'replay',
    `${thousand(replay.replay)}, core alone ${thousand(replay.core)}, ratio ${replay.ratio.toFixed(2)}`,
  );
  show('  with nothing in history yet', thousand(replay.replayWithoutHistory));

  // The engine cannot be faster than the slower of its two parts.
  const possible = many.engine / Math.min(many.bare, replay.core);
  show(
    '512 callers, of what is possible',
    `${possible.toFixed(2)} of the slower of bare loop and core alone`,
  );

  const history = await measureHistory(`${dir}/history`, 300_000);
  show(
    'history',
    `${thousand(history.doneOrdersPerSec)} done orders, at ${thousand(history.commandsPerSec)} commands`,
  );
  const lookUps = measureLookUps(`${dir}/look-ups.db`, 100_000, 1_000_000);
  const showLookUp = (name: string, { p50, p99 }: LookUp): void =>
    show(`  ${name}`, `p50 ${ms(p50)}, p99 ${ms(p99)}`);
  show('  1 M orders of 100 k users', `${(lookUps.bytes / 2 ** 20).toFixed(0)} MiB`);
  showLookUp('an order by its id', lookUps.byId);
  showLookUp('an order by its client id', lookUps.byClientId);
  showLookUp("a user's last 50 orders", lookUps.list);

  const large = await measureLargeState(`${dir}/large`, 100_000, 1_000_000);
  show(
    '1 M orders, 100 k users',
    `ready in ${large.readyMs.toFixed(0)} ms, snapshot of ${large.snapshotBytes} bytes`,
  );
  const each = (list: readonly number[]) => list.map((one) => one.toFixed(1)).join(' ');
  const pauses = (found: LongestPauses) =>
    `${ms(found.ms)} (${each(found.eachMs)}); between the machine's spells ${ms(found.steadyMs)}, ` +
    `of which the thread ran ${ms(found.steadyRanMs)}; its longest run ${ms(found.ownMs)}`;
  show('  longest pause during a snapshot', pauses(large.pauses));
  show('  without one', pauses(large.pausesWithout));
  show(
    '  the snapshot took',
    `${large.snapshotMs.toFixed(0)} ms, with ${large.commandsDuring} commands answered meanwhile`,
  );

  if (values.json) {
    console.log(
      JSON.stringify({
        ratio: possible,
        singleP99,
        single,
        some,
        many,
        ordinary,
        replay,
        history,
        lookUps,
        large,
      }),
    );
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
