// Test files that only the long run has, because browsers, clients of others, clusters or many processes take more time than
// `npm test` may. Each is a file or a folder of files.

export const LONG_ONLY = [
  'packages/server/test/client/client-docs.test.ts',
  'packages/server/test/clients/',
  'packages/server/test/cluster/bad-days.test.ts',
  'packages/server/test/cluster/clocks.test.ts',
  'packages/server/test/cluster/deploy.test.ts',
  'packages/server/test/cluster/failover.test.ts',
  'packages/server/test/cluster/fault-table.test.ts',
  'packages/server/test/cluster/idle.test.ts',
  'packages/server/test/cluster/jetstream-log.test.ts',
  'packages/server/test/cluster/lost-servers.test.ts',
  'packages/server/test/cluster/minority-server.test.ts',
  'packages/server/test/cluster/nodes.test.ts',
  'packages/server/test/cluster/restore.test.ts',
  'packages/server/test/cluster/snapshot-store.test.ts',
  'packages/server/test/cluster/upgrade.test.ts',
  'packages/server/test/faults/start-messages.test.ts',
  'packages/server/test/sandbox/ccxt-feed-faults.test.ts',
  'packages/server/test/sandbox/determinism.test.ts',
  'packages/server/test/startup/cli.test.ts',
  'packages/server/test/startup/parent.test.ts',
  'packages/server/test/startup/walkthroughs.test.ts',
  'packages/testing/test/examples.test.ts',
  'packages/testing/test/stop.test.ts',
  'packages/web/test/console-states.test.ts',
  'packages/web/test/console-venue.test.ts',
  'packages/web/test/console.test.ts',
  'packages/web/test/docs.test.ts',
  'packages/web/test/drawer-calls.test.ts',
  'packages/web/test/drawer.test.ts',
  'packages/web/test/first-start.test.ts',
  'packages/web/test/hostile-page.test.ts',
  'packages/web/test/money.test.ts',
  'packages/web/test/people-looks.test.ts',
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

/** Files whose tests measure: the long run has them at its end, one by one, because others beside them would show in the figures. */
const ALONE = ['sim/starve/'];

/** @param {string} file its path from the root */
export const isAlone = (file) => ALONE.some((path) => file.startsWith(path));

/** What a contributor runs before each commit: the core, what is around the log, and the rules of the repository. */
const QUICK = [
  'packages/core/test/',
  'packages/server/test/bytes/',
  'packages/server/test/engine/',
  'packages/server/test/io/',
  'packages/server/test/log/',
  'packages/server/test/views/',
  'test/',
];

/** @param {string} file its path from the root */
export const isQuick = (file) => !isLongOnly(file) && QUICK.some((path) => file.startsWith(path));
