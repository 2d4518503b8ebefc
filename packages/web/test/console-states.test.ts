// The console in unusual states: a server that goes away and comes back, keyboard only, a cluster, and text that
// users choose, in the console and in the drawer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import type { EngineHealth } from '../../engine/src/exchange-port.ts';
import type { ClusterStatus } from '../../api/src/gateway/operator/route.ts';
import { PLACES } from '../src/console/places.ts';
import { enterConsole, goTo, settled } from './console-page.ts';
import { tabAndPress, tabTo } from './tab-key.ts';

/** Text that would run or render if it were not escaped; a remark has at most 20 characters. */
const HOSTILE = '<img src=x onerror="window.hacked=1">';
const REMARK = '<b id=own>"&\'<!--';

async function assertText(page: Page): Promise<void> {
  assert.equal(await page.evaluate(() => 'hacked' in window), false);
  assert.equal(await page.locator('#own, img[src=x]').count(), 0);
}

describePages('the console and the drawer', { market: 'quiet' }, (suite) => {
  test('a lost server is reported, and the console is up to date when it is back', {
    timeout: 120_000,
  }, async () => {
    const page = await suite.open('/console', { expected: [/WebSocket connection/] });
    await enterConsole(page);
    await page.getByText('The exchange takes commands.').waitFor();
    await goTo(page, 'Users');
    await page.getByRole('link', { name: 'alice', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('dave');
    await dialog.getByLabel('reason').fill('new customer');
    await dialog.getByRole('button', { name: 'Preview' }).click();

    await suite.stop();
    await page.getByText('The exchange cannot be reached.').waitFor();
    // The last data stays visible, and a change without a response is reported as such.
    await dialog.getByRole('button', { name: 'Add a user', exact: true }).click();
    await dialog.getByRole('alert').getByText('The exchange did not answer.').waitFor();

    await suite.start();
    await page.locator('[data-connection=live]').waitFor({ timeout: 40_000 });
    assert.equal(await page.getByText('The exchange cannot be reached.').count(), 0);
    // The same again, from the entries kept in the form.
    await dialog.getByRole('button', { name: 'Add a user', exact: true }).click();
    await dialog.getByText('durable and in force').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'dave', exact: true }).waitFor();
  });

  test('with the keyboard alone: sign in, halt a market, and find it in the audit trail', {
    timeout: 120_000,
  }, async () => {
    const page = await suite.open('/console');
    await page.getByRole('button', { name: 'published token' }).waitFor();
    const { keyboard } = page;
    await tabTo(page, /^Your name in the audit trail$/);
    await keyboard.type('kim');
    await tabAndPress(page, /published token/);
    await page.getByRole('navigation', { name: 'Console' }).waitFor();

    await tabAndPress(page, /^Markets$/);
    await page.getByRole('button', { name: 'Set LTC-USDT to halted' }).waitFor();
    await tabAndPress(page, /^Set LTC-USDT to halted$/);
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Reason/);
    await keyboard.type('by keyboard');
    await tabAndPress(page, /^Preview$/);
    await page.getByText('LTC-USDT goes from open to halted.').waitFor();
    await tabAndPress(page, /^Set LTC-USDT to halted$/);
    await page.getByText('durable and in force').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await tabAndPress(page, /^Audit trail$/);
    await page.getByText('by keyboard', { exact: true }).waitFor();
    const halted = await suite.exchange.engine.read(
      ({ reference }) => reference.symbol(reference.symbolNumber('LTC-USDT')).state,
    );
    assert.equal(halted, 'halted');
  });

  test('the keyboard alone can open the drawer, move through its parts, and pause and move the clock', {
    timeout: 120_000,
  }, async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await page.getByText('No asks').waitFor();
    await page.getByRole('button', { name: 'Sandbox', exact: true }).waitFor();
    const { keyboard } = page;
    await tabAndPress(page, /^Sandbox$/);
    await page.getByRole('tab', { name: 'Clock' }).waitFor();
    await tabTo(page, /^Clock$/);
    for (const tab of ['Market', 'Users', 'Mail', 'Faults', 'Snapshots', 'Requests', 'Assertions']) {
      await keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: tab, selected: true }).waitFor();
      await page.getByRole('tabpanel', { name: tab }).getByRole('heading').first().waitFor();
    }
    await keyboard.press('Home');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await tabAndPress(page, /^Pause$/);
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const { clock } = suite.exchange.sandbox!.world;
    const { time } = clock.state;
    await tabAndPress(page, /^1 min$/);
    await page.getByText('The clock advanced by 60000 ms').waitFor();
    assert.equal(clock.state.time, time + 60_000);
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus is back on the button.
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await tabAndPress(page, /^Resume$/);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  test('a node without a leader is shown as such, with the missing servers', async () => {
    const page = await suite.open('/console');
    const status: EngineHealth = {
      state: 'no-leader',
      seq: 1,
      waiting: 0,
      historyLag: 0,
      snapshotSeq: 0,
      degraded: 'degraded: the log has lost its majority',
    };
    await page.route('**/operator/v1/status', (route) => route.fulfill({ json: status }));
    await enterConsole(page);
    await page.getByText('The exchange has no leader: no node of its cluster appends to the log').waitFor();
    await page.getByText('degraded: the log has lost its majority').waitFor();
  });

  test('a cluster shows its leader and the progress of each node, and another node can be made the leader', async () => {
    const node = (name: string, seq: number, state: string) => ({
      name,
      url: `http://127.0.0.1:80${name.slice(1)}0`,
      seq,
      digest: 'c2a90b1d77e34f08',
      state,
      isLeader: state === 'leading',
    });
    // Shaped like the exchange's own response; other tests cover a real cluster.
    let answer: ClusterStatus = {
      leader: 'n1',
      nodes: [node('n1', 1_204, 'leading'), node('n2', 1_204, 'following'), node('n3', 1_180, 'behind')],
      logServers: [
        { name: 'log-1', state: 'current', isLeader: true },
        { name: 'log-2', state: 'current', isLeader: false },
        { name: 'log-3', state: 'silent', isLeader: false },
      ],
      degraded: 'log-3 is silent: one more may not fail.',
    };
    const page = await suite.open('/console');
    await page.route('**/operator/v1/cluster', (route) => route.fulfill({ json: answer }));
    const asked: unknown[] = [];
    await page.route('**/operator/v1/cluster/leader', async (route) => {
      asked.push(route.request().postDataJSON());
      answer = {
        ...answer,
        leader: 'n2',
        nodes: [node('n1', 1_205, 'following'), node('n2', 1_205, 'leading'), node('n3', 1_205, 'following')],
      };
      await route.fulfill({ json: answer });
    });
    await enterConsole(page);
    await goTo(page, 'Cluster');
    const nodes = page.getByRole('table', { name: 'Nodes of the cluster' });
    const rowOf = (name: string) => nodes.getByRole('row').filter({ hasText: name });
    await rowOf('n1').getByText('leading').waitFor();
    await rowOf('n3').getByText('24 behind').waitFor();
    await page.getByText('log-3 is silent: one more may not fail.').waitFor();
    const servers = page.getByRole('table', { name: 'Servers that keep the log' });
    await servers.getByRole('row').filter({ hasText: 'log-3' }).getByText('silent').waitFor();
    assert.equal(await rowOf('n1').getByRole('button').count(), 0, 'who leads already');
    assert.deepEqual(await axeFindings(page), []);
    await rowOf('n2').getByRole('button', { name: 'Let n2 lead' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('reason').fill('n1 gets a new disk');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('n2 takes over from n1.').waitFor();
    await dialog.getByRole('button', { name: 'Let n2 lead' }).click();
    await dialog.getByText('durable and in force').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    assert.deepEqual(asked, [{ name: 'n2', reason: 'n1 gets a new disk' }]);
    await rowOf('n2').getByText('leading').waitFor();
  });

  test('no column of a table is empty where there are rows', async () => {
    const order = { symbol: 'BTC-USDT', type: 'limit', price: '20000', size: '0.5', remark: 'a remark' };
    const alice = new Client(suite.url, 'alice');
    await alice.post('/api/v1/hf/orders', { ...order, side: 'sell' });
    await new Client(suite.url, 'bob').post('/api/v1/hf/orders', { ...order, side: 'buy', size: '0.2' });
    const page = await suite.open('/console');
    await enterConsole(page);
    const looked = async (where: string): Promise<string[]> => {
      await settled(page);
      return page.evaluate((name) => {
        const isBlank = (cell: Element): boolean =>
          /^(?:|–|undefined|null|NaN)$/.test(cell.textContent.trim());
        return Array.from(document.querySelectorAll('table'), (table) => {
          const lines = [...table.tBodies].flatMap((body) => [...body.rows]);
          const heads = [...table.tHead!.rows[0]!.cells];
          return heads
            .filter((_, at) => lines.length > 0 && lines.every((line) => isBlank(line.cells[at]!)))
            .map((head) => `${name}, ${table.caption?.textContent}: ${head.textContent}`);
        }).flat();
      }, where);
    };
    const blank: string[] = [];
    for (const { title } of PLACES) {
      await goTo(page, title);
      blank.push(...(await looked(title)));
    }
    await goTo(page, 'Users');
    await page.getByRole('link', { name: 'alice', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'a remark' }).waitFor();
    blank.push(...(await looked('a user')));
    await page.getByRole('radio', { name: 'Fills' }).click();
    await page.getByRole('cell', { name: '0.2', exact: true }).waitFor();
    blank.push(...(await looked('fills')));
    assert.deepEqual(blank, []);
  });

  test('text from users is shown as text in the console: remarks, reasons, names', async () => {
    const alice = new Client(suite.url, 'alice');
    const order = { symbol: 'ETH-USDT', type: 'limit', side: 'buy', price: '100', size: '0.1' };
    await alice.post('/api/v1/hf/orders', { ...order, remark: REMARK });
    const { sandboxUrl, operatorUrl, operatorToken } = suite.exchange.connection;
    const post = (url: string, body: object): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    assert.equal((await post(`${sandboxUrl}/users`, { name: HOSTILE })).status, 200);
    const added = await post(`${operatorUrl}/v1/users`, { name: 'frank', reason: HOSTILE });
    assert.equal(added.status, 200);
    const page = await suite.open('/console');
    await enterConsole(page);
    await goTo(page, 'Users');
    await page.getByRole('link', { name: HOSTILE, exact: true }).waitFor();
    await assertText(page);
    await page.getByRole('link', { name: 'alice', exact: true }).click();
    await page.getByText(REMARK, { exact: true }).waitFor();
    await assertText(page);
    await goTo(page, 'Audit trail');
    await page.getByText(HOSTILE, { exact: true }).first().waitFor();
    await assertText(page);
  });

  test('text from users is shown as text in the drawer: names, request bodies, events that broke an assertion', async () => {
    const page = await suite.open('/console');
    await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('tab', { name: 'Snapshots' }).click();
    await drawer.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await drawer.getByRole('button', { name: 'Take a snapshot' }).click();
    await drawer.getByText(HOSTILE, { exact: true }).waitFor();

    await drawer.getByRole('tab', { name: 'Assertions' }).click();
    const assertion = { name: HOSTILE, always: { user: 'carol', openOrdersMax: 0 } };
    await drawer.getByLabel('Assertion', { exact: true }).fill(JSON.stringify(assertion));
    await drawer.getByRole('button', { name: 'Add' }).click();
    await drawer.getByText('holds', { exact: true }).waitFor();
    const order = { symbol: 'ETH-USDT', type: 'limit', side: 'buy', price: '100', size: '0.1' };
    await new Client(suite.url, 'carol').post('/api/v1/hf/orders', { ...order, remark: REMARK });
    await drawer.getByText('broken', { exact: true }).waitFor();
    await assertText(page);

    await drawer.getByRole('tab', { name: 'Requests' }).click();
    await drawer.locator('summary').filter({ hasText: '/api/v1/hf/orders' }).first().click();
    await drawer
      .getByText(JSON.stringify({ ...order, remark: REMARK }), { exact: true })
      .first()
      .waitFor();
    await assertText(page);

    await drawer.getByRole('tab', { name: 'Users' }).click();
    await drawer.getByLabel('Name', { exact: true }).fill(`${HOSTILE} again`);
    await drawer.getByRole('button', { name: 'Create the user' }).click();
    await drawer.getByText(`${HOSTILE} again (`).waitFor();
    await assertText(page);
  });
});
