// npm puts node_modules/.bin first in the PATH of its scripts, and it contains the Node 24 that npm
// installed. On a platform without such a package, npm would silently use the machine's own Node. This
// module is imported first and reports that. Plain JavaScript, because an old Node runs it.

const majorMin = 24;

if (Number.parseInt(process.versions.node, 10) < majorMin) {
  const platform = `${process.platform}-${process.arch}`;
  console.error(
    `Bourse needs Node ${majorMin} or newer, this is ${process.version} (${platform}).\n` +
      'Run it through npm after `npm ci` (optional dependencies included: they carry Node), ' +
      'or install Node 24 if npm has none for this platform.',
  );
  process.exit(1);
}
