/** The alert rules and the dashboard: loaded by Prometheus' own tool, and only about metrics that there are. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openFor } from './exchange.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const rules = readFileSync(`${root}deploy/prometheus/bourse-alerts.yml`, 'utf8');
const dashboard = readFileSync(`${root}deploy/grafana/bourse.json`, 'utf8');
const isRequired = process.env['BOURSE_CI_REQUIRES_ALL'] === '1';
const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((path) => existsSync(path));

const metricsIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/\bbourse_[a-z_]+/g), ([name]) => name.replace(/_bucket$/, '')));

test('alerts and panels use only metrics that an exchange has', async (t) => {
  const running = await openFor(t);
  const answer = await (await fetch(`${running.connection.baseUrl}/metrics`)).text();
  const known = new Set(Array.from(answer.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name));
  // A sandbox on one machine is neither a node nor a venue.
  const elsewhere = /^bourse_(cluster_|addresses_free)/;
  const source = readFileSync(`${root}packages/api/src/gateway/operator/cluster-routes.ts`, 'utf8');
  for (const name of [...metricsIn(rules), ...metricsIn(dashboard)]) {
    assert.ok(known.has(name) || elsewhere.test(name), `${name} is not at /metrics`);
    if (name.startsWith('bourse_cluster_')) assert.ok(source.includes(`'${name}'`), name);
  }
});

test('Grafana can import the dashboard', () => {
  const { title, panels, templating } = JSON.parse(dashboard) as {
    title: string;
    panels: { id: number; title: string; targets: { expr: string }[] }[];
    templating: { list: { name: string }[] };
  };
  assert.equal(title, 'Bourse');
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const panel of panels)
    assert.ok(
      panel.targets.every(({ expr }) => expr !== ''),
      panel.title,
    );
  assert.deepEqual(
    templating.list.map(({ name }) => name),
    ['datasource', 'instance'],
  );
});

test('every alert links to a runbook that exists', () => {
  const links = Array.from(rules.matchAll(/runbook: (\S+?)(?:#(\S+))?$/gm));
  assert.equal(links.length, rules.match(/- alert:/g)?.length);
  for (const [, path, place] of links) {
    const page = readFileSync(root + path, 'utf8');
    const headings = Array.from(page.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    if (place !== undefined) assert.ok(headings.includes(place), `${path}#${place}`);
  }
});

test('Prometheus loads the rules, and they fire when they should', {
  skip: promtool === undefined && !isRequired && 'promtool is not installed',
}, async () => {
  assert.ok(promtool, 'promtool is not installed: apt-get install prometheus');
  const run = promisify(execFile);
  const cwd = `${root}deploy/prometheus`;
  assert.match(
    (await run(promtool, ['check', 'rules', 'bourse-alerts.yml'], { cwd })).stdout,
    /SUCCESS: 13 rules/,
  );
  assert.match((await run(promtool, ['test', 'rules', 'bourse-alerts-fire.yml'], { cwd })).stdout, /SUCCESS/);
});
