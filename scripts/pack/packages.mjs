// What is packed, and from where. `folder` is that of the package; each of `parts` is copied from there (a path from
// the repository's root) to its place in the package, and .ts files become .js files on the way. The first part is the
// one that the package's `exports` name.

export const PACKAGES = [
  {
    folder: 'packages/client',
    readme: 'docs/client.md',
    parts: [{ from: 'packages/client/src', to: 'dist' }],
    /** Projects of tsc that make the declarations, all with the part as their root. */
    declarations: ['packages/client', 'packages/client/src/node'],
  },
  {
    folder: 'packages/server',
    readme: 'README.md',
    parts: [
      { from: 'packages/server/src', to: 'src' },
      { from: 'packages/server/bin', to: 'bin' },
      // The core has no user of its own yet, so it is no package of its own: it lies inside.
      { from: 'packages/core/src', to: 'core' },
      // Terminal and console, built: who installs the package has nothing to build them with.
      { from: 'packages/web/dist', to: 'web' },
    ],
    inside: { '@bourse/core': 'core/index.js' },
    declarations: [],
  },
  {
    folder: 'packages/testing',
    readme: 'docs/testing.md',
    parts: [{ from: 'packages/testing/src', to: 'dist' }],
    declarations: ['packages/testing'],
  },
];
