// The tests of each run; see run-tests.mjs.

/** Browsers, other projects' clients, clusters, builds and simulations of whole processes: up to minutes for a file. */
const SLOW = [
  'examples/earnings.test.ts',
  'packages/bourse/test/client/client-docs.test.ts',
  'packages/bourse/test/clients/',
  'packages/bourse/test/cluster/deploy.test.ts',
  'packages/bourse/test/cluster/idle.test.ts',
  'packages/bourse/test/cluster/lost-servers.test.ts',
  'packages/bourse/test/cluster/minority-server.test.ts',
  'packages/bourse/test/cluster/nodes.test.ts',
  'packages/bourse/test/cluster/restore.test.ts',
  'packages/bourse/test/faults/start-messages.test.ts',
  'packages/bourse/test/sandbox/ccxt-feed-faults.test.ts',
  'packages/bourse/test/sandbox/determinism.test.ts',
  'packages/bourse/test/startup/cli.test.ts',
  'packages/bourse/test/startup/parent.test.ts',
  'packages/bourse/test/startup/walkthroughs.test.ts',
  'packages/cluster/test/bad-days.test.ts',
  'packages/cluster/test/clocks.test.ts',
  'packages/cluster/test/failover.test.ts',
  'packages/cluster/test/fault-table.test.ts',
  'packages/cluster/test/jetstream-log.test.ts',
  'packages/cluster/test/snapshot-store.test.ts',
  'packages/cluster/test/upgrade.test.ts',
  'packages/testing/test/examples.test.ts',
  'packages/testing/test/python.test.ts',
  'packages/testing/test/stop.test.ts',
  'packages/web/test/accessibility.test.ts',
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
  'packages/web/test/report.test.ts',
  'packages/web/test/states.test.ts',
  'packages/web/test/trading.test.ts',
  'sim/crowd/',
  'sim/faults/',
  'sim/overload/',
  'sim/starve/',
  'test/benches.test.ts',
  'test/packages/',
];

/** A database or proxy that npm does not install, a new process for each step, a simulated day: 5 to 30 seconds for a file. */
const MANY_PROCESSES = [
  'packages/bourse/test/engine/tools.test.ts',
  'packages/bourse/test/identity/cli.test.ts',
  'packages/bourse/test/log/log-tools.test.ts',
  'packages/bourse/test/mirror/',
  'packages/bourse/test/sandbox/sandbox-command.test.ts',
  'packages/bourse/test/startup/cli-help.test.ts',
  'packages/bourse/test/startup/cli-refusals.test.ts',
  'packages/bourse/test/startup/json.test.ts',
  'packages/bourse/test/startup/refused-starts.test.ts',
  'packages/bourse/test/startup/start.test.ts',
  'packages/bourse/test/startup/tls.test.ts',
  'packages/bourse/test/startup/wrong-paths.test.ts',
  'packages/bourse/test/tools/backup.test.ts',
  'packages/bourse/test/tools/checkpoints.test.ts',
  'packages/bourse/test/tools/liabilities.test.ts',
  'packages/cluster/test/load-balancer.test.ts',
  'packages/mirror/test/imported-candles.test.ts',
  'packages/mirror/test/postgres-connection.test.ts',
  'packages/mirror/test/restarts.test.ts',
  'sim/market/facts.test.ts',
];

/** Files and folders that `npm test` leaves out. */
export const LONG_ONLY = [...SLOW, ...MANY_PROCESSES];

/** @param {string} file its path from the root */
export const isLongOnly = (file) => LONG_ONLY.some((path) => file.startsWith(path));

/** @param {string} file its path from the root */
export const isSlow = (file) => SLOW.some((path) => file.startsWith(path));

/**
 * A browser uses several processes: with more than one such file on each processor, pages are so slow that tests time out.
 *
 * @param {string} file its path from the root
 */
export const isPage = (file) => file.startsWith('packages/web/test/');

/** Tests that measure. The long run runs them last and one at a time, because concurrent tests would distort the figures. */
const ALONE = ['sim/starve/'];

/** @param {string} file its path from the root */
export const isAlone = (file) => ALONE.some((path) => file.startsWith(path));

/** Run by contributors before each commit: the core, the engine, the views and the rules of the repository. */
const QUICK = ['packages/core/test/', 'packages/engine/test/', 'packages/api/test/views/', 'test/'];

/** Not before each commit: they kill processes, or repeat something tens of thousands of times. */
export const NOT_QUICK = [
  'packages/core/test/amount.test.ts',
  'packages/core/test/carried-on.test.ts',
  'packages/core/test/client-ids.test.ts',
  'packages/core/test/done-orders.test.ts',
  'packages/core/test/due-heap.test.ts',
  'packages/core/test/fees.test.ts',
  'packages/core/test/hash-key.test.ts',
  'packages/core/test/hash.test.ts',
  'packages/core/test/index-table.test.ts',
  'packages/core/test/look-ahead.test.ts',
  'packages/core/test/order-index.test.ts',
  'packages/core/test/price-ladder.test.ts',
  'packages/core/test/snapshot-damage.test.ts',
  'packages/core/test/text-table.test.ts',
  'packages/engine/test/early-refusals.test.ts',
  'packages/engine/test/follower-thread.test.ts',
  'packages/engine/test/history/memory-history.test.ts',
  'packages/engine/test/history/sqlite/deep-pages.test.ts',
  'packages/engine/test/history/sqlite/sqlite-crash.test.ts',
  'packages/engine/test/history/sqlite/sqlite-history.test.ts',
  'packages/engine/test/log/codec.test.ts',
  'packages/engine/test/log/log-crash.test.ts',
  'packages/engine/test/log/log-tail.test.ts',
  'packages/engine/test/lost-lock.test.ts',
  'test/flow.test.ts',
];

/** @param {string} file its path from the root */
export const isQuick = (file) =>
  !isLongOnly(file) && !NOT_QUICK.includes(file) && QUICK.some((path) => file.startsWith(path));
