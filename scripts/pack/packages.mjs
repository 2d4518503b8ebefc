// The contents of each published package. `folder` is the package's folder. Each of `parts` is copied from a path of the
// repository to a path in the package; .ts files become .js files. The package's `exports` name files of the first part.

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../tree.mjs';

/** The packages that an exchange consists of. They are not published one by one. */
const EXCHANGE = ['core', 'engine', 'cluster', 'mirror', 'api', 'sandbox', 'bourse'];

/** `declarations`: tsc projects that generate the declarations, with the part as their root. */
const client = (to) => ({
  from: 'packages/client/src',
  to,
  declarations: ['packages/client', 'packages/client/src/node'],
});

/** The path of each entry, by the name that other packages import, for a package copied to `to`. */
function entriesOf(name, to) {
  const { name: imported, exports } = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  );
  return Object.entries(exports).map(([entry, file]) => [
    posix.join(imported, entry),
    posix.join(to, file.replace(/\.ts$/, '.js')),
  ]);
}

export const PACKAGES = [
  {
    folder: 'packages/client',
    readme: 'scripts/pack/readme-client.md',
    parts: [client('dist')],
  },
  {
    // Everything that a test needs: the test kit, the exchange with its command line and pages, the client, their
    // dependencies and Node. So users install one tarball, and need no registry.
    folder: 'packages/testing',
    readme: 'scripts/pack/readme-testing.md',
    parts: [
      { from: 'packages/testing/src', to: 'dist', declarations: ['packages/testing'] },
      client('client'),
      ...EXCHANGE.map((name) => ({ from: `packages/${name}/src`, to: `exchange/${name}/src` })),
      { from: 'packages/bourse/bin', to: 'exchange/bourse/bin' },
      // The built terminal and console: an installed package has no vite to build them.
      { from: 'packages/web/dist', to: 'exchange/web/dist' },
    ],
    /** Packages of the repository that are included, and the paths of their entries. */
    inside: {
      '@bourse/client': 'client/index.js',
      '@bourse/client/node': 'client/node/socket.js',
      ...Object.fromEntries(EXCHANGE.flatMap((name) => entriesOf(name, `exchange/${name}`))),
    },
    bin: { bourse: 'exchange/bourse/bin/bourse.mjs' },
    /** The packages whose dependencies are bundled. */
    bundled: EXCHANGE.map((name) => `packages/${name}`),
    /** Has a folder with Node for each platform, named after the platform. */
    node: 'exchange/bourse/node',
  },
];
