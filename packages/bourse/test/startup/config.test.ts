import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  ConfigError,
  type Loaded,
  loadSettings,
  type Sources,
  strangeVariables,
} from '../../src/config/load.ts';
import { DEFAULT_QUOTAS } from '@bourse/api/basics';
import { configurationPage, envOf, flagOf } from '../../src/config/words.ts';
import { SETTING_NAMES, schemaOf } from '../../src/config/settings.ts';
import { quotasOf } from '../../src/startup/reloading.ts';

function load(sources: Partial<Sources>): Loaded {
  return loadSettings({ flags: {}, env: {}, ...sources });
}

function problemsOf(sources: Partial<Sources>): readonly string[] {
  try {
    load(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.problems;
  }
  assert.fail('nothing was wrong');
}

const LITERAL = { name: 'literal', mount: '', prefix: 'SVC', isLiteral: true };
const file = (value: unknown) => ({ name: 'bourse.json', text: JSON.stringify(value) });

describe('precedence', () => {
  test('flags override the environment, which overrides the file, which overrides the defaults', () => {
    const all = { flags: { port: '1' }, env: { BOURSE_PORT: '2' }, file: file({ port: 3 }) };
    assert.equal(load(all).settings.port, 1);
    assert.equal(load({ ...all, flags: {} }).settings.port, 2);
    assert.equal(load({ file: all.file }).settings.port, 3);
    assert.equal(load({}).settings.port, 8080);
  });

  test('every setting shows its source', () => {
    const { origins } = load({
      flags: { port: '1' },
      env: { BOURSE_HOST: '::1' },
      file: file({ data: 'd' }),
    });
    const { port, host, data, logLevel } = origins;
    assert.deepEqual([port, host, data, logLevel], ['--port', 'BOURSE_HOST', 'bourse.json', 'default']);
  });

  test('the defaults are valid, loopback, port 8080, ./data and a sandbox', () => {
    const { host, port, data, venue } = load({}).settings;
    assert.deepEqual(
      { host, port, data, venue },
      { host: '127.0.0.1', port: 8080, data: './data', venue: false },
    );
  });
});

describe('values are parsed from text', () => {
  const cases: [name: string, flags: Sources['flags'], key: keyof Loaded['settings'], value: unknown][] = [
    ['an integer', { port: '0' }, 'port', 0],
    ['a switch alone', { operatorRemote: true }, 'operatorRemote', true],
    ['a switch by word', { venue: 'false' }, 'venue', false],
    [
      'a list by commas',
      { trustedProxies: '10.0.0.1,10.1.0.0/16' },
      'trustedProxies',
      ['10.0.0.1', '10.1.0.0/16'],
    ],
    [
      'a list with blanks',
      { trustedProxies: '10.0.0.1, 10.0.0.2' },
      'trustedProxies',
      ['10.0.0.1', '10.0.0.2'],
    ],
    ['an empty list', { trustedProxies: '' }, 'trustedProxies', []],
    ['an object as JSON', { creditMax: '{"BTC":"1.5"}' }, 'creditMax', { BTC: '1.5' }],
  ];
  for (const [name, flags, key, value] of cases) {
    test(name, () => assert.deepEqual(load({ flags }).settings[key], value));
  }
});

describe('an invalid value is reported with its source and with what is valid', () => {
  const cases: [name: string, sources: Partial<Sources>, problem: string][] = [
    [
      'out of bounds',
      { flags: { port: '65536' } },
      "port: '65536' (from --port) is not an integer from 0 to 65535.",
    ],
    [
      'a fraction',
      { env: { BOURSE_PORT: '1.5' } },
      "port: '1.5' (from BOURSE_PORT) is not an integer from 0 to 65535.",
    ],
    [
      'text for a number in the file',
      { file: file({ port: '80' }) },
      "port: '80' (from bourse.json) is not an integer from 0 to 65535.",
    ],
    [
      'a word not in the list',
      { flags: { logLevel: 'loud' } },
      "logLevel: 'loud' (from --log-level) is not one of silent, error, warn, info, debug.",
    ],
    ['a switch', { env: { BOURSE_VENUE: 'yes' } }, "venue: 'yes' (from BOURSE_VENUE) is not true or false."],
    [
      'an unknown name in the file',
      { file: file({ prot: 1 }) },
      'prot: no such setting (in bourse.json); did you mean port?',
    ],
    [
      'a file that is no object',
      { file: file([1]) },
      'bourse.json: an object of settings is expected, such as {"port":8080}.',
    ],
    [
      'two dialects at one place',
      {
        flags: {
          dialects: JSON.stringify([LITERAL, LITERAL]),
        },
      },
      "dialects: two of them have the same mount ('', '').",
    ],
    [
      'a proxy that is no address',
      { flags: { trustedProxies: '10.0.0.1,10.0.0.0/33' } },
      "trustedProxies: '10.0.0.0/33' is not an address or a network, such as 10.0.0.7 or 10.1.0.0/16.",
    ],
    [
      'a tier by name',
      { flags: { quotas: '{"tiers":{"1":{"spot":1},"vip":{"spot":2}}}' } },
      "quotas: 'vip' is not a tier from 1 to 12; tier 0 has spot and manage.",
    ],
    [
      'a cap for what cannot be a currency',
      { flags: { creditMax: '{"BTC ":"1"}' } },
      "creditMax: 'BTC ' is not the code of a currency, nor * for the others.",
    ],
  ];
  for (const [name, sources, problem] of cases) {
    test(name, () => assert.deepEqual(problemsOf(sources), [problem]));
  }

  test('all problems are reported at once', () => {
    assert.equal(problemsOf({ flags: { port: 'a' }, env: { BOURSE_LOG_LEVEL: 'b' } }).length, 2);
  });

  test('a file that is not JSON is reported with the position, and without its content', () => {
    const faults: [text: string, place: string][] = [
      ['', 'line 1, column 1'],
      ['{', 'line 1, column 2'],
      ['{"operatorToken": canary}', 'line 1, column 19'],
      ['{\n  "port": 1,\n  "operatorToken": "canary\n}', 'line 3, column 20'],
      ['{"port": 1 "operatorToken": "canary"}', 'line 1, column 12'],
      ['{"quotas": {}, "trustedProxies": ["canary",]}', 'line 1, column 44'],
      ['{"port": 1.5e3, "venue": true, "data": null, "canary": [[], -0], }', 'line 1, column 66'],
      ['{} canary', 'line 1, column 4'],
    ];
    for (const [text, place] of faults) {
      assert.deepEqual(problemsOf({ file: { name: 'x.json', text } }), [
        `x.json: not JSON from ${place} on.`,
      ]);
    }
  });

  test('a secret is never repeated', () => {
    const canary = 'canary-canary';
    const said = problemsOf({ env: { BOURSE_SECRET_KEY: canary, BOURSE_OPERATOR_TOKEN: canary } }).join('\n');
    assert.match(said, /secretKey: the value \(from BOURSE_SECRET_KEY\) is not 64 hex digits/);
    assert.doesNotMatch(said, new RegExp(canary));
  });

  test('an unknown variable only warns, because the prefix is not ours alone', () => {
    assert.deepEqual(strangeVariables({ BOURSE_PROT: '1', BOURSE_MARKT: 'x', BOURSE_URI: 'x' }), [
      'BOURSE_PROT: no such setting, ignored; did you mean BOURSE_PORT?',
      'BOURSE_MARKT: no such setting, ignored; did you mean BOURSE_MARKET?',
      'BOURSE_URI: no such setting, ignored; did you mean BOURSE_URL?',
    ]);
    assert.deepEqual(strangeVariables({ BOURSE_PORT: '1', BOURSE_URL: 'x', BOURSE_CONFIG: 'x' }), []);
  });
});

describe('a venue', () => {
  test('needs a secret key', () =>
    assert.match(problemsOf({ flags: { venue: true } })[0], /^secretKeyFile: /));
  test('reads the secret key from a file or the environment, not from both', () => {
    load({ flags: { venue: true, secretKeyFile: 'key' } });
    const env = { BOURSE_SECRET_KEY: 'ab'.repeat(32) };
    load({ flags: { venue: true }, env });
    assert.deepEqual(problemsOf({ flags: { venue: true, secretKeyFile: 'key' }, env }), [
      'secretKey (from BOURSE_SECRET_KEY) and secretKeyFile (from --secret-key-file): give one of the two.',
    ]);
  });
  test('reads every secret from a file, named by a flag, a variable or the settings file', () => {
    const sources = {
      flags: { secretKeyFile: 'key' },
      env: { BOURSE_SMTP_URL_FILE: 'mail' },
      file: file({ operatorTokenFile: 'token' }),
    };
    const { secretKeyFile, smtpUrlFile, operatorTokenFile, operatorReadTokenFile } = load(sources).settings;
    assert.deepEqual(
      [secretKeyFile, smtpUrlFile, operatorTokenFile, operatorReadTokenFile],
      ['key', 'mail', 'token', ''],
    );
    assert.deepEqual(strangeVariables(sources.env), []);
  });
});

describe('the table of settings', () => {
  test('every setting has a reason; every number a unit, except the port', () => {
    for (const name of SETTING_NAMES) {
      const { description, type, unit } = schemaOf(name);
      assert.ok(description.length > 10, name);
      if (type === 'integer' && name !== 'port') assert.notEqual(unit, '', name);
    }
  });
  test('names of flags and variables follow from the setting', () => {
    assert.equal(flagOf('configOut'), '--config-out');
    assert.equal(envOf('configOut'), 'BOURSE_CONFIG_OUT');
  });
  test('there are at most 40', () => assert.ok(SETTING_NAMES.length <= 40, `${SETTING_NAMES.length}`));
  test('omitted quotas have their documented defaults', () => {
    const quotas = quotasOf(load({ flags: { quotas: '{"spot":9,"tiers":{"2":{"spot":10}}}' } }).settings);
    const { manage, public: open } = DEFAULT_QUOTAS;
    assert.deepEqual([quotas.spot, quotas.manage, quotas.public], [9, manage, open]);
    assert.deepEqual(quotas.tiers, { 2: { spot: 10 } });
  });
  test('constant limits are not settings', () => {
    const { settings } = load({});
    assert.equal(settings.bodyBytesMax, 65_536);
    assert.deepEqual(problemsOf({ file: { name: 'f', text: '{"bodyBytesMax":1}' } }), [
      'bodyBytesMax: no such setting (in f).',
    ]);
  });
  test('the page on configuration is generated from it', () => {
    const page = new URL('../../../../docs/operating/configuration.md', import.meta.url);
    assert.equal(readFileSync(page, 'utf8'), configurationPage());
  });
});

describe('settings of a sandbox', () => {
  test('a venue rejects them from any source, and names the option to omit', () => {
    const key = { venue: true, secretKey: 'a'.repeat(64) };
    assert.deepEqual(problemsOf({ flags: { ...key, market: 'calm' } }), [
      'market: only a sandbox has this setting; omit --market, or start without --venue.',
    ]);
    assert.deepEqual(problemsOf({ flags: key, env: { BOURSE_SEED: '7' } }), [
      'seed: only a sandbox has this setting; omit BOURSE_SEED, or start without --venue.',
    ]);
    assert.deepEqual(problemsOf({ flags: key, file: file({ recordings: 'd' }) }), [
      'recordings: only a sandbox has this setting; omit bourse.json, or start without --venue.',
    ]);
    assert.equal(load({ flags: key }).settings.venue, true);
  });

  test('an unknown market is rejected with the list of known ones', () => {
    assert.match(
      problemsOf({ flags: { market: 'mad' } })[0] ?? '',
      /one of calm, busy, thin, wild, one-sided, crash, quiet/,
    );
  });
});
