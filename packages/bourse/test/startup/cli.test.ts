import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openFor } from './exchange.ts';
import { run } from './process.ts';

type Row = Record<string, unknown>;

describe('bourse', () => {
  test('--help of every command has examples or lists its arguments', async () => {
    const top = await run(['--help']);
    assert.equal(top.code, 0);
    assert.match(top.out, /Exit codes: 0 done/);
    const commands = ['start', 'config', 'users', 'keys', 'currencies', 'symbols', 'fees', 'deposits'];
    const helps = await Promise.all(commands.map((command) => run([command, '--help'])));
    for (const [at, { code, out }] of helps.entries()) {
      assert.match(top.out, new RegExp(`^  ${commands[at]}`, 'm'));
      assert.equal(code, 0);
      assert.match(out, /Examples?:/, commands[at]);
    }
  });

  test('wrong usage exits with 2 and a hint', async () => {
    const wrong = [['strat'], ['users', 'add', 'x'], ['start', '--nonsense'], ['completion', 'tcsh']];
    // The arguments that `npm start --port 9000` passes on.
    wrong.push(['start', '9000']);
    const ends = await Promise.all(wrong.map((args) => run(args)));
    for (const [at, { code, err }] of ends.entries()) {
      assert.equal(code, 2, wrong[at].join(' '));
      assert.match(err, /error: /);
    }
    assert.match(ends[0].err, /Did you mean start\?/);
    assert.match(ends.at(-1)!.err, /with npm, options follow --: npm start -- --port 9000/);
  });

  test('wrong configuration exits with 2, names every problem, and starts nothing', async () => {
    const { code, err, out } = await run(['start', '--port', 'x', '--log-level', 'y']);
    assert.deepEqual([code, out, err.trim().split('\n').length], [2, '', 2]);
  });

  test('a closed output pipe is not an error', () => {
    const bourse = `'${process.execPath}' '${fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url))}'`;
    const { status, stderr } = spawnSync('sh', ['-c', `{ sleep 1; ${bourse} --help; echo $? >&2; } | true`], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '0\n']);
  });

  test('an unreachable exchange exits with 3', async () => {
    const { code, err } = await run(['users', 'list', '--url', 'http://127.0.0.1:9/operator']);
    assert.equal(code, 3);
    assert.match(err, /^No response from http:\/\/127\.0\.0\.1:9: /);
  });

  test('config shows each value with its source, and hides secrets', async () => {
    const env = { BOURSE_OPERATOR_TOKEN: 'canary-canary-canary-canary', BOURSE_PORT: '9000' };
    const { out } = await run(['config', '--json', '--host', '::1'], env);
    const rows = JSON.parse(out) as { setting: string; value: unknown; from: string }[];
    const find = (name: string) => rows.find(({ setting }) => setting === name);
    assert.deepEqual(find('port'), { setting: 'port', value: 9000, from: 'BOURSE_PORT' });
    assert.deepEqual(find('host'), { setting: 'host', value: '::1', from: '--host' });
    assert.deepEqual(find('operatorToken')?.value, '(set)');
    assert.doesNotMatch((await run(['config'], env)).out, /canary/);
  });

  test('config: a long value makes no other line longer', async () => {
    const lines = (await run(['config'])).out.trimEnd().split('\n');
    const rows = JSON.parse((await run(['config', '--json'])).out) as { value: unknown }[];
    const longest = Math.max(...rows.map(({ value }) => String(JSON.stringify(value)).length));
    const short = lines.filter((line) => line.length < longest);
    assert.ok(
      short.length > lines.length / 2,
      `${short.length} of ${lines.length} lines are below ${longest}`,
    );
    assert.ok(short.every((line) => !/ {40}/.test(line)));
  });

  test('--url accepts the address of the service and that of its operator API', async (t) => {
    const { connection } = await openFor(t);
    for (const url of [connection.baseUrl, `${connection.baseUrl}/`, `${connection.operatorUrl}/`]) {
      const { code, out, err } = await run(['users', 'list', '--url', url]);
      assert.equal(code, 0, `${url}: ${err}`);
      assert.match(out, /alice/);
      assert.equal((await run(['users', 'list'], { BOURSE_URL: url })).code, 0);
    }
    for (const url of ['127.0.0.1:8080', 'localhost:8080', 'nonsense', 'ftp://127.0.0.1']) {
      const { code, err } = await run(['users', 'list', '--url', url]);
      assert.deepEqual(
        [code, /is not an address of a service; give one such as http/.test(err)],
        [2, true],
        err,
      );
    }
  });
});

test('users, keys and symbols of a running service are listed as tables and as JSON', async (t) => {
  const { connection } = await openFor(t);
  const file = `${makeDirectory(t)}/connection.json`;
  writeFileSync(file, JSON.stringify(connection));
  const bourse = (...args: string[]) => run([...args, '--connect', file]);
  const json = async (...args: string[]): Promise<unknown> => {
    const { code, out, err } = await bourse(...args, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const table = await bourse('users', 'list');
  assert.match(table.out, /^userId +name +parentId +tier +frozen +level +closed\n/);
  const users = (await json('users', 'list')) as Row[];
  assert.deepEqual(
    users.map(({ name }) => name),
    ['alice', 'bob', 'carol', 'alice-sub'],
  );
  const dave = (await json('users', 'add', 'dave', '--parent', 'bob', '--reason', 'test')) as Row;
  assert.equal(dave['parentId'], users[1]['userId']);
  assert.equal(((await json('users', 'tier', 'bob', '5', '--reason', 'test')) as Row)['tier'], 5);
  assert.equal(((await json('users', 'freeze', 'dave', '--reason', 'test')) as Row)['frozen'], true);
  assert.ok(((await json('users', 'balances', 'alice')) as Row[]).length > 0);

  const key = (await json('keys', 'add', 'dave', '--permissions', 'General,Spot', '--reason', 'test')) as Row;
  assert.match(String(key['apiSecret']), /^[0-9a-f-]{36}$/);
  assert.deepEqual(((await json('keys', 'list', 'dave')) as Row[])[0]['permissions'], ['General', 'Spot']);
  await json('keys', 'remove', String(key['apiKey']), '--reason', 'test');
  assert.deepEqual(await json('keys', 'list', 'dave'), []);

  const halted = (await json('symbols', 'state', 'BTC-USDT', 'halted', '--reason', 'test')) as Row;
  assert.equal(halted['state'], 'halted');
  const terms = `${makeDirectory(t)}/terms.json`;
  writeFileSync(terms, '{"minFunds":"5"}');
  const changed = (await json('symbols', 'change', 'BTC-USDT', terms, '--reason', 'test')) as Row;
  assert.equal(changed['minFunds'], '5');
  const refused = await bourse('users', 'add', 'dave', '--reason', 'again');
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(refused.err, /code-taken/);
});

test('a currency, a symbol, its fees and a deposit can be set up on the command line alone', async (t) => {
  const { connection } = await openFor(t);
  const dir = makeDirectory(t);
  const file = (name: string, value: unknown): string => {
    writeFileSync(`${dir}/${name}`, typeof value === 'string' ? value : JSON.stringify(value));
    return `${dir}/${name}`;
  };
  const connect = file('connection.json', connection);
  const bourse = (...args: string[]) => run([...args, '--connect', connect, '--reason', 'test']);
  const done = async (...args: string[]): Promise<Row> => {
    const { code, out, err } = await bourse(...args, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out) as Row;
  };
  const chains = [{ chainId: 'acme', chainName: 'ACME' }];
  const currency = file('currency.json', { currency: 'ACME', precision: 8, scale: 12, chains });
  assert.equal((await done('currencies', 'add', currency))['fullName'], 'ACME');
  const changed = await done('currencies', 'change', 'ACME', file('terms.json', { fullName: 'Acme coin' }));
  assert.equal(changed['fullName'], 'Acme coin');
  const listed = await run(['currencies', 'list', '--connect', connect]);
  assert.match(listed.out, /^ACME +Acme coin +8 +12 +acme$/m);

  const [listedTerms] = (
    JSON.parse((await run(['symbols', 'list', '--connect', connect, '--json'])).out) as Row[]
  ).filter(({ symbol }) => symbol === 'LTC-USDT');
  const terms = {
    ...listedTerms,
    symbol: 'ACME-USDT',
    baseCurrency: 'ACME',
    name: undefined,
    state: undefined,
  };
  assert.equal((await done('symbols', 'add', file('symbol.json', terms)))['state'], 'halted');
  await done('fees', 'set', '--symbol', 'ACME-USDT', '--maker', '0', '--taker', '0.002');
  const rules = await run(['fees', 'list', '--connect', connect]);
  assert.match(rules.out, /^- +ACME-USDT +0 +0\.002$/m);
  await done('fees', 'remove', '--symbol', 'ACME-USDT');
  assert.doesNotMatch((await run(['fees', 'list', '--connect', connect])).out, /ACME/);
  assert.equal((await done('symbols', 'remove', 'ACME-USDT'))['removed'], true);

  const deposit = ['deposits', 'add', 'alice', '12.5', 'ACME', '--tx', '9f3c'];
  const first = await done(...deposit);
  assert.equal(first['status'], 'credited');
  assert.equal((await done(...deposit))['depositId'], first['depositId']);
  const { err, code } = await bourse('currencies', 'remove', 'ACME');
  assert.deepEqual([code, /code-in-use/.test(err)], [1, true]);

  for (const [text, says] of [
    ['[1]', /must hold one JSON object/],
    ['{"currency": }', /not JSON from line 1/],
  ] as const) {
    const wrong = await bourse('currencies', 'add', file('wrong.json', text));
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, says);
  }
});

describe('completion', () => {
  const hasBash = spawnSync('bash', ['-c', 'true']).status === 0;

  test('bash completes commands, subcommands, options and their values', {
    skip: !hasBash,
  }, async () => {
    const { out } = await run(['completion', 'bash']);
    const complete = (...words: string[]): string[] => {
      const line = ['bourse', ...words].join(' ');
      const script = `${out}\nCOMP_LINE='${line}'; COMP_POINT=${line.length}; _bourse; echo "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', timeout: 30_000 });
      assert.equal(stderr, '');
      return stdout.trim().split(' ');
    };
    assert.deepEqual(complete('us'), ['users']);
    assert.deepEqual(complete('users', 'fr'), ['freeze']);
    assert.deepEqual(complete('users', 'add', '--par'), ['--parent']);
    assert.deepEqual(complete('users', 'add', 'somebody', '--par'), ['--parent']);
    assert.deepEqual(complete('start', '--cluster-s'), ['--cluster-stream']);
    assert.deepEqual(complete('nonsense', 'us'), ['users']);
    assert.deepEqual(complete('start', '--market', 'c'), ['calm', 'crash']);
    assert.deepEqual(complete('start', '--port', '9000', '--log-level', ''), [
      'silent',
      'error',
      'warn',
      'info',
      'debug',
    ]);
    assert.deepEqual(complete('start', '--venue', 't'), ['true']);
    assert.deepEqual(complete('export', './data', 'tr'), ['trades']);
    assert.deepEqual(complete('completion', 'z'), ['zsh']);
    assert.deepEqual(complete('sandbox', 'faults', 'add', 'match.us'), ['match.user=']);
    // Bash completes the text after the '='.
    assert.deepEqual(complete('sandbox', 'faults', 'add', 'times=1', 'effect.kind=drop-re'), [
      'drop-request',
      'drop-reply',
    ]);
    assert.deepEqual(complete('sandbox', 'clock', 'set', 'mode='), ['real', 'scaled', 'manual']);
  });

  const hasZsh = spawnSync('zsh', ['-c', 'true']).status === 0;

  test('zsh completes the same', { skip: !hasZsh && 'no zsh here' }, async () => {
    const { out } = await run(['completion', 'zsh']);
    const complete = (...words: string[]): string[] => {
      // Outside of a line editor `compadd` and `_default` do not work, and `words` is an ordinary variable.
      const script = `compdef() { :; }
        compadd() {
          local -a fitting=(\${(M)\${(P)@[-1]}:#\${words[CURRENT]}*})
          (( $#fitting )) && print -l -- $fitting
        }
        _default() { print -- FILES; }
        ${out}
        words=(bourse ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _bourse || true`;
      const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], {
        encoding: 'utf8',
        timeout: 60_000,
      });
      assert.equal(stderr, '');
      return stdout.trim().split('\n');
    };
    assert.deepEqual(complete('us'), ['users']);
    assert.deepEqual(complete('users', 'fr'), ['freeze']);
    assert.deepEqual(complete('users', 'add', 'somebody', '--par'), ['--parent']);
    assert.deepEqual(complete('nonsense', 'us'), ['users']);
    assert.deepEqual(complete('start', '--market', 'c'), ['calm', 'crash']);
    assert.deepEqual(complete('start', '--venue', 't'), ['true']);
    assert.deepEqual(complete('export', './data', 'tr'), ['trades']);
    assert.deepEqual(complete('export', './da'), ['FILES']);
    assert.deepEqual(complete('sandbox', 'faults', 'add', 'match.us'), ['match.user=']);
    assert.deepEqual(complete('sandbox', 'faults', 'add', 'times=1', 'effect.kind=drop-re'), [
      'effect.kind=drop-request',
      'effect.kind=drop-reply',
    ]);
  });

  test('zsh and fish have their own scripts', async () => {
    assert.match((await run(['completion', 'zsh'])).out, /^compdef _bourse bourse$/m);
    assert.match((await run(['completion', 'fish'])).out, /^complete -c bourse .* -a users$/m);
    assert.match((await run(['completion', 'fish'])).out, / -l market -x -a 'calm busy /m);
  });
});
