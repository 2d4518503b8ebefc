// The tests of each run; see run-tests.mjs.

/**
 * Files and folders that `npm test` leaves out, because browsers, other projects' clients, clusters or many processes take
 * too long.
 */
export const LONG_ONLY = [
  'examples/earnings.test.ts',
  'packages/bourse/test/client/client-docs.test.ts',
  'packages/bourse/test/clients/',
  'packages/cluster/test/bad-days.test.ts',
  'packages/cluster/test/clocks.test.ts',
  'packages/bourse/test/cluster/deploy.test.ts',
  'packages/cluster/test/failover.test.ts',
  'packages/cluster/test/fault-table.test.ts',
  'packages/bourse/test/cluster/idle.test.ts',
  'packages/cluster/test/jetstream-log.test.ts',
  'packages/bourse/test/cluster/lost-servers.test.ts',
  'packages/bourse/test/cluster/minority-server.test.ts',
  'packages/bourse/test/cluster/nodes.test.ts',
  'packages/bourse/test/cluster/restore.test.ts',
  'packages/cluster/test/snapshot-store.test.ts',
  'packages/cluster/test/upgrade.test.ts',
  'packages/bourse/test/faults/start-messages.test.ts',
  'packages/bourse/test/sandbox/ccxt-feed-faults.test.ts',
  'packages/bourse/test/sandbox/determinism.test.ts',
  'packages/bourse/test/startup/cli.test.ts',
  'packages/bourse/test/startup/parent.test.ts',
  'packages/bourse/test/startup/walkthroughs.test.ts',
  'packages/testing/test/examples.test.ts',
  'packages/testing/test/python.test.ts',
  'packages/testing/test/stop.test.ts',
  'packages/web/test/account.test.ts',
  'packages/web/test/console-states.test.ts',
  'packages/web/test/console-venue.test.ts',
  'packages/web/test/console.test.ts',
  'packages/web/test/docs.test.ts',
  'packages/web/test/drawer-calls.test.ts',
  'packages/web/test/drawer.test.ts',
  'packages/web/test/first-start.test.ts',
  'packages/web/test/hostile-page.test.ts',
  'packages/web/test/money.test.ts',
  'packages/web/test/office.test.ts',
  'packages/web/test/people.test.ts',
  'packages/web/test/states.test.ts',
  'sim/crowd/',
  'sim/faults/',
  'sim/overload/',
  'sim/starve/',
  'test/benches.test.ts',
  'test/packages/',
];

/** @param {string} file its path from the root */
export const isLongOnly = (file) => LONG_ONLY.some((path) => file.startsWith(path));

/** Tests that measure. The long run runs them last and one at a time, because concurrent tests would distort the figures. */
const ALONE = ['sim/starve/'];

/** @param {string} file its path from the root */
export const isAlone = (file) => ALONE.some((path) => file.startsWith(path));

/** Run by contributors before each commit: the core, the engine, the views and the rules of the repository. */
const QUICK = ['packages/core/test/', 'packages/engine/test/', 'packages/api/test/views/', 'test/'];

/** Not before each commit: they kill processes, or repeat something many times. */
export const NOT_QUICK = [
  'packages/core/test/carried-on.test.ts',
  'packages/core/test/hash.test.ts',
  'packages/core/test/text-table.test.ts',
  'packages/engine/test/follower-thread.test.ts',
  'packages/engine/test/history/sqlite/deep-pages.test.ts',
  'packages/engine/test/history/sqlite/sqlite-crash.test.ts',
  'packages/engine/test/log/log-crash.test.ts',
  'packages/engine/test/log/log-tail.test.ts',
  'packages/engine/test/lost-lock.test.ts',
];

/** @param {string} file its path from the root */
export const isQuick = (file) =>
  !isLongOnly(file) && !NOT_QUICK.includes(file) && QUICK.some((path) => file.startsWith(path));
