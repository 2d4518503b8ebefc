// What is packed, and from where. `folder` is that of the package; each of `parts` is copied from there (a path from
// the repository's root) to its place in the package, and .ts files become .js files on the way. The first part is the
// one that the package's `exports` name.

/** `declarations`: projects of tsc that make the declarations, all with the part as their root. */
const client = (to) => ({
  from: 'packages/client/src',
  to,
  declarations: ['packages/client', 'packages/client/src/node'],
});

export const PACKAGES = [
  {
    folder: 'packages/client',
    readme: 'docs/client.md',
    parts: [client('dist')],
  },
  {
    // One package with all that a test needs: the kit, the exchange with its command line and pages, the client, their
    // dependencies, and the Node that runs the exchange. So one tarball is installed, and without a registry.
    folder: 'packages/testing',
    readme: 'docs/install.md',
    parts: [
      { from: 'packages/testing/src', to: 'dist', declarations: ['packages/testing'] },
      client('client'),
      { from: 'packages/server/src', to: 'server/src' },
      { from: 'packages/server/bin', to: 'server/bin' },
      { from: 'packages/core/src', to: 'server/core' },
      // Terminal and console, built: whoever installs the package has nothing to build them with.
      { from: 'packages/web/dist', to: 'server/web' },
    ],
    /** Packages of the repository that lie in this one, and where each of their entries is. */
    inside: {
      '@bourse/client': 'client/index.js',
      '@bourse/client/node': 'client/node/socket.js',
      '@bourse/core': 'server/core/index.js',
      bourse: 'server/src/index.js',
      'bourse/newer-node': 'server/bin/newer-node.mjs',
    },
    bin: { bourse: 'server/bin/bourse.mjs' },
    /** The packages whose dependencies are bundled. */
    bundled: ['packages/server'],
    /** Where the Node of each platform lies, in a folder named after the platform. */
    node: 'server/node',
  },
];
