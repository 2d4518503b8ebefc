// npm run clients [-- --write]: runs the suites of real clients and prints a table of the results.
// --write writes the tables into docs/clients-tested.md.

import './require-node.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { listFiles, root, testHome } from './tree.mjs';

const PAGE = join(root, 'docs/clients-tested.md');
const MARK = '<!-- Made by `npm run clients -- --write`; do not edit below. -->';

const files = listFiles().filter((file) => testHome.test(file) && file.includes('/test/clients/'));

/** Tests by suite. A suite is named "client version, part", a test "method, method: what it shows". */
const suites = new Map();
const failures = [];
let pending = [];
const stream = run({ files: files.map((file) => join(root, file)), concurrency: 1, timeout: 300_000 });
for await (const { type, data } of stream) {
  if (type === 'test:stderr') process.stderr.write(data.message);
  if (type !== 'test:pass' && type !== 'test:fail') continue;
  const passed = type === 'test:pass';
  if (!passed)
    failures.push(`${data.name}: ${data.details.error?.cause?.message ?? data.details.error?.message}`);
  if (data.nesting === 1) pending.push({ name: data.name, passed });
  else {
    suites.set(data.name, pending.length > 0 ? pending : [{ name: 'the suite', passed }]);
    pending = [];
  }
}

const tables = [...suites].map(([suite, tests]) => {
  const rows = new Map();
  for (const { name, passed } of tests) {
    const [methods, shown = ''] = name.split(/: (.*)/s);
    for (const method of methods.split(', ')) {
      const row = rows.get(method) ?? { shown: [], passed: true };
      if (shown !== '') row.shown.push(shown);
      rows.set(method, { ...row, passed: row.passed && passed });
    }
  }
  const count = [...rows.values()].filter(({ passed }) => passed).length;
  const lines = [...rows].map(([method, { shown, passed }]) =>
    [`\`${method}\``, shown.join('; '), passed ? 'pass' : '**fail**'].join(' | '),
  );
  const table = ['Method or matter | What is shown | Result', '--- | --- | ---', ...lines];
  return `## ${suite}: ${count} of ${rows.size}\n\n${table.map((line) => `| ${line} |`).join('\n')}\n`;
});

console.log(tables.join('\n'));
for (const failure of failures) console.error(`FAIL ${failure}`);
if (process.argv.includes('--write')) {
  const [before] = readFileSync(PAGE, 'utf8').split(MARK);
  writeFileSync(PAGE, `${before}${MARK}\n\n${tables.join('\n')}`);
}
process.exitCode = failures.length > 0 || suites.size === 0 ? 1 : 0;
