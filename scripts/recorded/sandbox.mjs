// A sandbox as a user starts it, in its own directory and process, for the recorded pages.

import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../tree.mjs';

const readyMsMax = 120_000;
const answerMsMax = 30_000;
const stopMsMax = 30_000;

const hmac = (secret, text) => createHmac('sha256', secret).update(text).digest('base64');

/** Equal signed requests take effect once, so two of them need different timestamps. */
let last = 0;
const now = () => {
  last = Math.max(Date.now(), last + 1);
  return last;
};

/** Runs `use` with a sandbox, then removes it. */
export async function withSandbox(use) {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-docs-'));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BOURSE_')));
  const child = spawn(
    process.execPath,
    [
      'packages/bourse/bin/bourse.mjs',
      'start',
      '--json',
      '--market',
      'quiet',
      '--port',
      '0',
      '--data',
      join(dir, 'data'),
    ],
    { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    return await use(new Sandbox(await connectionOf(child)));
  } finally {
    child.kill('SIGTERM');
    const late = new AbortController();
    const kill = sleep(stopMsMax, undefined, { signal: late.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    );
    await closed;
    late.abort();
    await kill;
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The output of `--json` when the sandbox is ready. */
function connectionOf(child) {
  return new Promise((resolve, reject) => {
    let out = '';
    let err = '';
    const fail = (why) => {
      clearTimeout(late);
      reject(new Error(`the sandbox ${why}: ${err}`));
    };
    const late = setTimeout(() => fail('was not ready in time'), readyMsMax);
    child.stderr.on('data', (chunk) => (err += chunk));
    child.once('close', () => fail('ended before it was ready'));
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (!out.endsWith('}\n')) return;
      clearTimeout(late);
      resolve(JSON.parse(out));
    });
  });
}

class Sandbox {
  #connection;

  constructor(connection) {
    this.#connection = connection;
  }

  user(name) {
    return this.#connection.users.find((each) => each.name === name);
  }

  /** `who`: a name, other credentials, or undefined for an unsigned request. `changes`: headers to send instead. */
  send(who, { method, path, body = '' }, { time = now(), ...changes } = {}) {
    const { apiKey, apiSecret, apiPassphrase } = typeof who === 'string' ? this.user(who) : (who ?? {});
    const signing = who && {
      'SVC-API-KEY': apiKey,
      'SVC-API-SIGN': hmac(apiSecret, `${time}${method}${path}${body}`),
      'SVC-API-TIMESTAMP': String(time),
      'SVC-API-PASSPHRASE': hmac(apiSecret, apiPassphrase),
      'SVC-API-KEY-VERSION': '3',
    };
    const headers = { ...signing, ...(body && { 'Content-Type': 'application/json' }), ...changes };
    return this.#fetch(this.#connection.baseUrl + path, method, headers, body);
  }

  /** Sends a request that must succeed; resolves to the parsed response. */
  async act(who, method, path, body) {
    const sent = body === undefined ? '' : JSON.stringify(body);
    return expectSuccess(await this.send(who, { method, path, body: sent }));
  }

  async operate(path, body) {
    const { operatorUrl, operatorToken } = this.#connection;
    const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' };
    const sent = JSON.stringify({ reason: 'recording the documentation', ...body });
    return expectSuccess(await this.#fetch(operatorUrl + path, 'POST', headers, sent));
  }

  async #fetch(url, method, headers, body) {
    const signal = AbortSignal.timeout(answerMsMax);
    const response = await fetch(url, { method, headers, ...(body && { body }), signal });
    return { status: response.status, text: await response.text() };
  }
}

function expectSuccess({ status, text }) {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`);
  return JSON.parse(text);
}
