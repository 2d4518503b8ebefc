// "Show me" shows code that runs: each snippet of several actions is run against a sandbox. Python is only checked
// for syntax, if it is installed.

import { BourseClient, type Order, type SymbolInfo } from '@bourse/client';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { startServer, type TestServer } from '@bourse/test-kit/server.ts';
import ccxt from 'ccxt';
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import * as money from '../src/money/money-actions.ts';
import { publishedUsers } from '../src/session/sandbox.ts';
import { snippets } from '../src/show-me/code.ts';
import { checkAction, orderAction } from '../src/terminal/order-form/order-action.ts';
import { emptyDraft, type OrderDraft } from '../src/terminal/order-form/order-draft.ts';
import * as orders from '../src/terminal/orders/order-actions.ts';
import type { Action } from '../src/user/actions.ts';
import type { OcoOrder, StopOrder } from '../src/user/user-queries.ts';

const alice = publishedUsers[0]!;
const symbol = { symbol: 'BTC-USDT' } as SymbolInfo;
const order = { id: '0123456789abcdef01234567', symbol: 'BTC-USDT' } as Order;
const place = (change: Partial<OrderDraft>): Action => orderAction({ ...emptyDraft, ...change }, symbol);
const limit = { price: '20000', size: '0.01' } as const;
const subKey = {
  subName: 'alice-sub',
  passphrase: 'a-passphrase',
  remark: "it's mine",
  permission: 'General',
  ipWhitelist: '',
};

/** Every action of the page, and whether a fresh sandbox accepts it as it is. */
const actions: readonly (readonly [action: () => Action, isTaken: boolean])[] = [
  [() => place(limit), true],
  [
    () => place({ ...limit, timeInForce: 'GTT', cancelAfter: '60', isPostOnly: true, remark: "it's mine" }),
    true,
  ],
  [() => place({ ...limit, isIceberg: true, visibleSize: '0.001', stp: 'CO' }), true],
  [() => checkAction(place(limit))!, true],
  [() => place({ kind: 'market', funds: '10' }), true],
  [() => place({ ...limit, kind: 'stop-limit', stopPrice: '19000' }), true],
  [
    () =>
      place({
        kind: 'oco',
        side: 'sell',
        price: '90000',
        size: '0.01',
        stopPrice: '20000',
        limitPrice: '19000',
      }),
    true,
  ],
  [() => orders.cancelOrder(order), false],
  [() => orders.cancelOrders('BTC-USDT'), true],
  [() => orders.cancelAllOrders, true],
  [() => orders.cancelPart(order, '0.001'), false],
  [() => orders.alterOrder(order, '100', '1'), false],
  [() => orders.cancelStop({ id: order.id } as StopOrder), false],
  [() => orders.cancelStops('BTC-USDT'), true],
  [() => orders.cancelOco({ orderId: order.id } as OcoOrder), false],
  [() => orders.cancelOcos('BTC-USDT'), true],
  [() => orders.setSwitch(-1), true],
  [
    () =>
      money.transfer({
        clientOid: crypto.randomUUID(),
        currency: 'USDT',
        amount: '1',
        type: 'INTERNAL',
        fromAccountType: 'MAIN',
        toAccountType: 'TRADE',
        subUserId: '',
      }),
    true,
  ],
  [() => money.createAddress('USDT', 'nowhere'), false],
  [
    () =>
      money.withdraw({
        currency: 'USDT',
        chain: 'nowhere',
        toAddress: 'x',
        memo: '',
        amount: '100',
        remark: '',
        isFeeInside: false,
      }),
    false,
  ],
  [() => money.cancelWithdrawal(order.id), false],
  [() => money.createSubAccount('a', 'Passw0rd', ''), false],
  [() => money.createSubKey(subKey), true],
  [() => money.changeSubKey(order.id, subKey), false],
  [() => money.removeSubKey('alice-sub', order.id, 'a-passphrase'), false],
  [() => money.submitQuestionnaire('nothing', 'company', { companyName: 'A "quoted" name' }), false],
];

describe('show me', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const code = (action: Action, name: string): string =>
    snippets(action, { url: server.url, credentials: alice }).find((each) => each.name === name)!.text;

  for (const [make, isTaken] of actions) {
    const { title, path } = make();
    test(`${title} (${path}) runs as curl, with ccxt and with our client`, async () => {
      const answers = [
        await runShell(code(make(), 'curl')),
        await runScript(code(make(), 'ccxt, JavaScript'), { ccxt }),
        await runScript(code(make(), '@bourse/client'), { BourseClient }),
      ];
      for (const { isRefused, text } of answers) {
        assert.equal(isRefused, !isTaken, text);
        // The signature and the path are valid: a rejection is about the content.
        assert.doesNotMatch(text, /\b(40000\d|404000|405000|415000|NetworkError|ConnectionLost)\b/);
      }
    });
  }

  test('Python can parse the Python snippets', { skip: spawnSync('python3', ['-V']).status !== 0 }, () => {
    const written = actions.map(([make]) => code(make(), 'ccxt, Python'));
    const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
    const run = spawnSync('python3', ['-c', program], { input: JSON.stringify(written), encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    assert.match(code(actions[0]![0](), 'ccxt, Python'), /exchange\.privatePostHfOrdersSync\(\{/);
  });

  test('curl and its helpers get no secret as an argument, which other users of the machine could see', async (context) => {
    const folder = makeDirectory(context);
    const seen = join(folder, 'arguments');
    for (const program of ['curl', 'openssl', 'perl']) {
      const script = `#!/bin/bash\nprintf '%s\\n' "$@" >> '${seen}'\nPATH=\${PATH#*:} exec ${program} "$@"\n`;
      writeFileSync(join(folder, program), script, { mode: 0o700 });
    }
    const action = money.createSubKey(subKey);
    const [curl] = snippets(action, { url: server.url, credentials: alice });
    await runShell(`PATH=${folder}:$PATH\n${curl!.text}`);
    const given = readFileSync(seen, 'utf8');
    assert.match(given, /--config/);
    for (const secret of [alice.apiSecret, alice.apiPassphrase, subKey.passphrase])
      assert.ok(!given.includes(secret), given);
  });

  test('snippets never contain the user’s own key', () => {
    for (const { text } of snippets(place(limit), { url: server.url, credentials: null })) {
      for (const secret of [alice.apiKey, alice.apiSecret, alice.apiPassphrase])
        assert.ok(!text.includes(secret));
      assert.match(text, /your secret/);
    }
  });
});

interface Answer {
  readonly isRefused: boolean;
  readonly text: string;
}

async function runShell(text: string): Promise<Answer> {
  const { stdout } = await promisify(execFile)('bash', ['-ec', `${text} --silent --show-error`]);
  return { isRefused: !/"code":"(200000|200)"|^\{"orderId"|"success":true/.test(stdout), text: stdout };
}

/** Runs the body of a module with its imports passed in. */
async function runScript(text: string, imported: Readonly<Record<string, unknown>>): Promise<Answer> {
  const printed: unknown[] = [];
  const body = text.replace(/^import .*$/m, '');
  const AsyncFunction = (async () => undefined).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<void>;
  const run = new AsyncFunction('console', ...Object.keys(imported), body);
  try {
    await run({ log: (value: unknown) => printed.push(value) }, ...Object.values(imported));
    return { isRefused: false, text: JSON.stringify(printed) };
  } catch (error) {
    return { isRefused: true, text: `${(error as Error).name} ${(error as Error).message}` };
  }
}
