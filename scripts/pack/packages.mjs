// What is packed, and from where. `folder` is that of the package; each of `parts` is copied from there (a path from
// the repository's root) to its place in the package, and .ts files become .js files on the way. The first part is the
// one that the package's `exports` name.

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../tree.mjs';

/** The packages that an exchange consists of. Nobody installs them one by one. */
const EXCHANGE = ['core', 'engine', 'cluster', 'mirror', 'api', 'sandbox', 'bourse'];

/** `declarations`: projects of tsc that make the declarations, all with the part as their root. */
const client = (to) => ({
  from: 'packages/client/src',
  to,
  declarations: ['packages/client', 'packages/client/src/node'],
});

/** By the names that other packages import: where each entry of a package is, with its folder at `to`. */
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
    // One package with all that a test needs: the kit, the exchange with its command line and pages, the client, their
    // dependencies, and the Node that runs the exchange. So one tarball is installed, and without a registry.
    folder: 'packages/testing',
    readme: 'scripts/pack/readme-testing.md',
    parts: [
      { from: 'packages/testing/src', to: 'dist', declarations: ['packages/testing'] },
      client('client'),
      ...EXCHANGE.map((name) => ({ from: `packages/${name}/src`, to: `exchange/${name}/src` })),
      { from: 'packages/bourse/bin', to: 'exchange/bourse/bin' },
      // Terminal and console, built: whoever installs the package has nothing to build them with.
      { from: 'packages/web/dist', to: 'exchange/web/dist' },
    ],
    /** Packages of the repository that lie in this one, and where each of their entries is. */
    inside: {
      '@bourse/client': 'client/index.js',
      '@bourse/client/node': 'client/node/socket.js',
      ...Object.fromEntries(EXCHANGE.flatMap((name) => entriesOf(name, `exchange/${name}`))),
    },
    bin: { bourse: 'exchange/bourse/bin/bourse.mjs' },
    /** The packages whose dependencies are bundled. */
    bundled: EXCHANGE.map((name) => `packages/${name}`),
    /** Where the Node of each platform lies, in a folder named after the platform. */
    node: 'exchange/bourse/node',
  },
];
