// The calls of the sandbox's control API, part by part, each run in a shell against one sandbox with a manual clock.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../packages/bourse/src/config/load.ts';
import { startExchange } from '../../packages/bourse/src/startup/start.ts';
import { output } from './commands.mjs';
import { stable } from './stable.mjs';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Preparation for every command of the page. */
export const PREPARATION = `sandbox() {
  curl --silent --request "$1" "${DEFAULT_URL}/sandbox/v1$2" \\
    --header 'Authorization: Bearer sandbox-operator-token-for-everybody' \\
    \${3:+--header 'Content-Type: application/json' --data "$3"}
}`;

const ORDER = '{"symbol":"BTC-USDT","type":"limit","side":"buy","price":"100","size":"1","clientOid":"mine"}';

/** In this order: each part continues from the state that the previous one has left. */
const PARTS = [
  {
    title: 'Overview',
    cli: 'show',
    text: 'Counts of snapshots, forks and faults, the clock, and the sequence of the last record of the log.',
    commands: ["sandbox GET ''"],
  },
  {
    title: 'Stopped clock',
    cli: 'clock advance ms=60000',
    text: 'The response is sent when everything due in that time has happened.',
    commands: ['sandbox GET /clock', 'sandbox POST /clock/advance \'{"ms":60000}\''],
  },
  {
    title: 'The market',
    cli: 'market set preset=calm',
    text: '`value` is the latent price, `agents` the number of simulated traders. A shock multiplies the value of a currency.',
    commands: [
      'sandbox POST /market \'{"preset":"thin","symbols":["KCS-USDT"]}\'',
      'sandbox POST /market/shock \'{"currency":"KCS","factor":0.5}\'',
      'sandbox POST /market \'{"preset":"lively"}\'',
      'sandbox POST /market \'{"preset":"quiet"}\'',
    ],
  },
  {
    title: 'Recorded markets',
    cli: 'replay start symbol=BTC-USDT file=btc-usdt-trades.csv',
    text: 'With `--recordings examples/recorded`. A file outside the directory, or with an invalid line, is rejected.',
    commands: [
      'sandbox POST /market/replay \'{"symbol":"BTC-USDT","file":"btc-usdt-trades.csv","speed":10}\'',
      'sandbox POST /clock/advance \'{"ms":5000}\' > /dev/null; sandbox GET /market/replay',
      'sandbox DELETE /market/replay',
      'sandbox POST /market/replay \'{"symbol":"BTC-USDT","file":"../core.ts"}\'',
    ],
  },
  {
    title: 'Money and users',
    cli: 'users add name=dave balances.USDT=1000',
    text: 'The faucet makes an ordinary deposit. A new user gets an API key with all permissions.',
    commands: [
      'sandbox POST /faucet \'{"user":"alice","currency":"USDT","amount":"5","account":"trade"}\'',
      'sandbox POST /users \'{"name":"dave","balances":{"USDT":"1000"}}\'',
    ],
  },
  {
    title: 'Snapshots',
    cli: 'snapshots restore s1',
    text: 'A restore resets everything: balances, orders, ids, history, clock, rate limits.',
    commands: [
      'sandbox POST /snapshots \'{"name":"before"}\'',
      'sandbox POST /clock/advance \'{"ms":1000}\' > /dev/null; sandbox POST /snapshots/s1/restore',
      'sandbox POST /snapshots/s7/restore',
    ],
  },
  {
    title: 'Forks',
    cli: 'forks add from=s1',
    text: 'A fork is a second exchange with its own address. The response has the fields of a connection file, and the id.',
    commands: [
      'sandbox POST /forks \'{"from":"s1"}\' | grep -o \'"id":"f1"\'',
      'sandbox POST /forks \'{"from":999999}\'',
      'sandbox DELETE /forks/f1',
    ],
  },
  {
    title: 'Faults',
    cli: 'faults add match.user=alice match.route=place-order effect.kind=drop-reply times=1',
    text: 'Here the order is placed, and its response is lost: curl exits with code 52. [All effects](faults.md).',
    commands: [
      'sandbox POST /faults \'{"match":{"user":"alice","route":"place-order"},"effect":{"kind":"drop-reply"},"times":1}\'',
      `examples/signed-curl.sh POST /api/v1/hf/orders '${ORDER}' 2> /dev/null || echo "{\\"exitCode\\":$?}"`,
      'sandbox GET /faults',
    ],
  },
  {
    title: 'Scenarios',
    cli: 'scenarios start maintenance',
    text: 'Bundles of rules: `stress`, `maintenance`, `flaky-network`.',
    commands: [
      'sandbox POST /scenarios/maintenance > /dev/null; examples/signed-curl.sh GET /api/v1/accounts',
      'sandbox DELETE /scenarios/maintenance',
    ],
  },
  {
    title: 'Requests',
    cli: 'requests list user=alice limit=1',
    text: 'Requests and responses, each with the fault that fired. A lost response is listed too; `status` is 0 if there was none.',
    commands: ["sandbox GET '/requests?user=alice&route=place-order&limit=1'"],
  },
  {
    title: 'Expectations',
    cli: 'expect event.kind=order event.where.clientOid=mine withinMs=0 from=115',
    text: 'Waits for an event after a sequence number, for a limited time. The response has the event, or the closest one.',
    commands: [
      'from=$(sandbox GET \'\' | grep -o \'"seq":[0-9]*\' | cut -d: -f2); examples/signed-curl.sh DELETE \'/api/v1/hf/orders/client-order/mine?symbol=BTC-USDT\' > /dev/null; sandbox POST /expect "{\\"event\\":{\\"kind\\":\\"order\\",\\"where\\":{\\"clientOid\\":\\"mine\\",\\"status\\":\\"done\\"}},\\"withinMs\\":0,\\"from\\":$from}"',
      'sandbox POST /expect \'{"event":{"kind":"fill","where":{"user":"alice"}},"withinMs":0}\'',
      'sandbox POST /expect \'{"event":{"kind":"fill","where":{"users":"alice"}},"withinMs":0}\'',
    ],
  },
  {
    title: 'Assertions',
    cli: 'assertions add name=few always.user=alice always.openOrdersMax=0',
    text: 'Conditions that must hold always, or never; `brokenBy` has the first event that broke one.',
    commands: [
      'sandbox POST /assertions \'{"name":"few","always":{"user":"alice","openOrdersMax":0}}\'',
      `examples/signed-curl.sh POST /api/v1/hf/orders '${ORDER.replace('mine', 'again')}' > /dev/null; sandbox GET /assertions`,
      'sandbox DELETE /assertions/few',
    ],
  },
  {
    title: 'Running clock',
    cli: 'clock set mode=scaled speed=100',
    text: 'The clock runs on at any speed, and cannot be advanced meanwhile. Times are omitted here.',
    commands: [
      'sandbox POST /clock \'{"mode":"scaled","speed":100}\'',
      'sandbox POST /clock/advance \'{"ms":60000}\'',
      'sandbox POST /clock \'{"mode":"real"}\'',
    ],
    hidesTime: true,
  },
];

/** The parts, each command with its response. */
export async function recordControl() {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-docs-'));
  const flags = {
    data: join(dir, 'data'),
    port: '0',
    logLevel: 'silent',
    market: 'quiet',
    clock: 'manual',
    recordings: 'examples/recorded',
  };
  const running = await startExchange(loadSettings({ flags, env: {} }).settings);
  try {
    const { baseUrl } = running.connection;
    const parts = [];
    for (const part of PARTS) {
      const answers = [];
      for (const command of part.commands) {
        const script = `${PREPARATION}\n${command}`.replaceAll(DEFAULT_URL, baseUrl);
        const text = await output('bash', ['-uo', 'pipefail', '-c', script], baseUrl);
        answers.push({ command, answer: steady(text, baseUrl, part.hidesTime) });
      }
      parts.push({ ...part, answers });
    }
    return parts;
  } finally {
    await running.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Removes what differs from run to run: the port, durations, and the time of a running clock. */
function steady(text, baseUrl, hidesTime = false) {
  const plain = stable(text.trim())
    .replaceAll(baseUrl, DEFAULT_URL)
    .replaceAll(/"durationUs":\d+/g, '"durationUs":...');
  return hidesTime ? plain.replaceAll(/"time":\d+/g, '"time":...') : plain;
}
