/** Checkpoints of real exchanges: what they detect and prove, and how they continue after kills and restores. */

import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, test, type TestContext } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { SecretBox } from '@bourse/api/basics';
import { nodeDisk } from '@bourse/engine';
import { CheckpointSigner, openCheckpoint } from '../../../engine/src/transparency/checkpoint.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { backUp, restoreBackup } from '../../src/tools/backup.ts';
import { forkDirectory } from '../../src/tools/stopped-directory.ts';
import {
  type CheckedRecord,
  checkProof,
  faultAgainst,
  proveContinuation,
  proveRecord,
  readCheckpoint,
} from '../../src/tools/log-proof.ts';
import { type DumpedCommand, dumpLog } from '../../src/tools/log-dump.ts';
import { verifyLog } from '../../src/tools/log-verify.ts';
import { findWorld } from '../../src/cli/tool-messages.ts';
import { sandboxFor } from '../sandbox/exchange.ts';
import { open, Operator } from '../startup/exchange.ts';
import { run, serve } from '../startup/process.ts';

const env = { BOURSE_SECRET_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: 'cd'.repeat(20) };

const openVenue = (data: string): Promise<RunningExchange> =>
  open({ data, flags: { venue: true, logSegmentBytes: '8192' }, env });

async function trade({ engine }: RunningExchange, seed: number): Promise<void> {
  if (engine.start.seq === 0 && seed === 1) {
    for (const command of openMarket()) await submit(engine, command);
  }
  await Promise.all([...orderFlow(seed, 200)].map((command) => submit(engine, command)));
}

/** The number of commands per record depends on the machine, but an awaited command has its own record. */
async function growBeyond({ engine }: RunningExchange, size: number): Promise<void> {
  for (const command of orderFlow(99, size + 1)) {
    if (engine.health.seq > size) return;
    await submit(engine, command);
  }
}

async function textOf({ connection }: RunningExchange, path: string): Promise<string> {
  const response = await fetch(`${connection.baseUrl}/transparency/${path}`);
  assert.equal(response.status, 200);
  return response.text();
}

interface Taken {
  readonly size: number;
  readonly note: string;
}

async function take(running: RunningExchange): Promise<Taken> {
  const { status, body } = await new Operator(running).post('/v1/checkpoints', {});
  assert.equal(status, 200, JSON.stringify(body));
  return body as Taken;
}

/** Made once, and copied for each test. */
const template = mkdtempSync(`${tmpdir()}/bourse-checkpoints-`);
after(() => rmSync(template, { recursive: true }));
let making: ReturnType<typeof makeVenue> | undefined;

/** A stopped venue with some checkpoints, and its publications as files. */
async function stoppedVenue(context: TestContext) {
  making ??= makeVenue(template);
  const made = await making;
  const dir = makeDirectory(context);
  cpSync(template, dir, { recursive: true });
  return { ...made, dir, data: `${dir}/data` };
}

async function makeVenue(dir: string) {
  const data = `${dir}/data`;
  const running = await openVenue(data);
  await trade(running, 1);
  const first = await take(running);
  await trade(running, 2);
  const second = await take(running);
  const key = await textOf(running, 'key');
  assert.equal(await textOf(running, 'checkpoint'), second.note);
  await trade(running, 3);
  const { seq } = running.engine.health;
  await running.close();
  writeFileSync(`${dir}/first.txt`, first.note);
  writeFileSync(`${dir}/second.txt`, second.note);
  writeFileSync(`${dir}/key.txt`, key);
  return { first, second, key, seq };
}

test('checkpoints are signed and public, and continue after a restart', async (t) => {
  const { data, first, second, key, seq } = await stoppedVenue(t);
  assert.ok(second.size > first.size);
  assert.equal(openCheckpoint(first.note, key).size, first.size);
  const running = await openVenue(data);
  try {
    assert.equal(await textOf(running, 'key'), key);
    const newest = await textOf(running, 'checkpoint');
    assert.ok(seq > second.size);
    assert.equal(openCheckpoint(newest, key).size, seq, 'the stop took one of everything');
    await trade(running, 4);
    const third = await take(running);
    const listed = JSON.parse(await textOf(running, `checkpoints?after=${first.size}`)) as { items: Taken[] };
    const sizes = listed.items.map(({ size }) => size);
    assert.deepEqual([sizes[0], sizes.at(-1)], [second.size, third.size]);
    const noted = (await new Operator(running).get('/v1/audit?limit=1')).body as Record<string, unknown>[];
    assert.deepEqual(
      noted.map(({ by, why, action, details }) => ({ by, why, action, details })),
      [{ by: 'operator', why: 'a test', action: 'note-call', details: { noted: 'take-checkpoint' } }],
    );
    assert.equal((await take(running)).size, third.size + 1, 'the only new record is the one of the call');
    const wrong = await fetch(`${running.connection.baseUrl}/transparency/checkpoints?after=x`);
    assert.equal(wrong.status, 400);
  } finally {
    await running.close();
  }
  const kept = readFileSync(`${data}/checkpoints`, 'utf8');
  await (await openVenue(data)).close();
  assert.equal(readFileSync(`${data}/checkpoints`, 'utf8'), kept, 'without new records there is no new one');
});

/** The error of `bourse log verify` for the directory and a checkpoint; null if the log matches it. */
async function faultOf(dir: string, data: string, file: string): Promise<string | null> {
  const checkpoint = await readCheckpoint(`${dir}/${file}.txt`, `${dir}/key.txt`);
  return faultAgainst(data, await verifyLog(data), checkpoint);
}

test('verification against a checkpoint finds a log that was rewritten with correct hashes', async (t) => {
  const { dir, data, first, second } = await stoppedVenue(t);
  assert.equal(await faultOf(dir, data, 'first'), null);
  assert.equal(await faultOf(dir, data, 'second'), null);

  // The attacker has everything but yesterday's checkpoint: another log with other records, each hash correct.
  const forged = `${dir}/forged`;
  const running = await openVenue(forged);
  for (let seed = 1; seed <= 3; seed++) await trade(running, seed === 2 ? 77 : seed);
  await growBeyond(running, second.size);
  assert.ok(running.engine.health.seq > second.size, 'nothing is cut off');
  await running.close();
  assert.deepEqual((await verifyLog(forged)).damage, [], 'the chain alone finds nothing');
  const args = ['--checkpoint', `${dir}/second.txt`, '--key', `${dir}/key.txt`];
  const found = await run(['log', 'verify', forged, ...args]);
  assert.equal(found.code, 4);
  assert.match(found.out, /do not match the checkpoint: the log was rewritten/);

  const short = `${dir}/short`;
  await backUp(data, `${dir}/backup`);
  await restoreBackup(`${dir}/backup`, short, { seq: first.size });
  assert.equal(await faultOf(dir, short, 'first'), null);
  assert.match((await faultOf(dir, short, 'second')) ?? '', /its end was cut off/);
});

test('a record can be proved to somebody who does not have the log', async (t) => {
  const { dir, data, first, second } = await stoppedVenue(t);
  for (const record of [1, 7, first.size, second.size]) {
    const proof = await proveRecord(data, record, `${dir}/second.txt`);
    writeFileSync(`${dir}/proof.json`, JSON.stringify(proof));
    const checked = (await checkProof(`${dir}/proof.json`, `${dir}/key.txt`)) as CheckedRecord;
    assert.equal(checked.record, record);
    assert.equal(checked.content, undefined);
    writeFileSync(`${dir}/lie.json`, JSON.stringify({ ...proof, record: record === 1 ? 2 : record - 1 }));
    await assert.rejects(
      checkProof(`${dir}/lie.json`, `${dir}/key.txt`),
      /is not in the log of the checkpoint/,
    );
    // Decoding passes over line ends, which a reader of the answer does not.
    const lie = `${proof.hash}\nRecord 5 with hash EVIL`;
    for (const forged of [
      { hash: lie },
      { path: [lie, ...proof.path.slice(1)] },
      { hash: proof.hash.slice(0, -1) },
    ]) {
      writeFileSync(`${dir}/forged.json`, JSON.stringify({ ...proof, ...forged }));
      await assert.rejects(
        checkProof(`${dir}/forged.json`, `${dir}/key.txt`),
        /A hash in the proof is not 32 bytes in base64/,
      );
    }
    await checkProof(`${dir}/proof.json`, `${dir}/key.txt`, { checkpoint: `${dir}/second.txt` });
    // The exchange signed both; a holder of the first one can prove it.
    await assert.rejects(
      checkProof(`${dir}/proof.json`, `${dir}/key.txt`, { checkpoint: `${dir}/first.txt` }),
      /is not in the log of the checkpoint/,
    );
  }
  mkdirSync(`${dir}/a+b`);
  cpSync(`${dir}/key.txt`, `${dir}/a+b/key.txt`);
  await checkProof(`${dir}/proof.json`, `${dir}/a+b/key.txt`);
  await assert.rejects(
    proveRecord(data, first.size + 1, `${dir}/first.txt`),
    /The checkpoint covers records 1 to \d+, not record \d+/,
  );
  const given = ['--record', '7', '--checkpoint', `${dir}/second.txt`];
  const printed = await run(['log', 'prove', data, ...given]);
  assert.equal(printed.code, 0, printed.err);
  writeFileSync(`${dir}/proof.json`, printed.out);
  const held = ['--key', `${dir}/key.txt`, '--checkpoint', `${dir}/second.txt`];
  const checked = await run(['log', 'check-proof', `${dir}/proof.json`, ...held]);
  assert.match(checked.out, /^Record 7 with hash /, checked.err);
  const refused = await run(['log', 'check-proof', `${dir}/lie.json`, '--key', `${dir}/key.txt`]);
  assert.deepEqual([refused.code, /is not in the log/.test(refused.err)], [4, true]);
});

test('a proof shows the content of its record, and an altered proof is rejected', async (t) => {
  const { dir, data, seq } = await stoppedVenue(t);
  const write = (proof: object): void => writeFileSync(`${dir}/proof.json`, JSON.stringify(proof));
  const check = () => checkProof(`${dir}/proof.json`, `${dir}/key.txt`) as Promise<CheckedRecord>;
  const proofs = [];
  for (const record of [1, 7]) {
    const proof = await proveRecord(data, record, `${dir}/second.txt`, true);
    proofs.push(proof);
    write(proof);
    const dumped: DumpedCommand[] = [];
    for await (const each of dumpLog(nodeDisk, data, { fromSeq: record, throughSeq: record }))
      dumped.push(each);
    const { content } = await check();
    assert.deepEqual(
      content?.commands,
      dumped.map(({ command }) => command),
    );
    assert.equal(content?.time, new Date(dumped[0].time).toISOString());
  }
  // The exchange shows a customer a different record than the proved one.
  const [one, other] = proofs;
  const bytes = Buffer.from(one.content!, 'base64');
  for (const lie of [
    other.content!,
    bytes.subarray(1).toString('base64'),
    Buffer.concat([bytes, Buffer.of(0)]).toString('base64'),
    Buffer.from(bytes).fill(255, 100).toString('base64'),
    '',
  ]) {
    write({ ...one, content: lie });
    await assert.rejects(check(), /The content in the proof is not that of record 1/);
  }
  write(one);
  const printed = await run(['log', 'check-proof', `${dir}/proof.json`, '--key', `${dir}/key.txt`]);
  assert.match(
    printed.out,
    /^Record 1 with hash .*\nIt was written at 20.*Z and contains:\n\{"kind":"/,
    printed.err,
  );
  for (const [text, why] of [
    ['not a note', /This is not a checkpoint/],
    [`bourse/x\n${seq + 1}\nroot\n\n`, /the log has only \d+: its end was cut off/],
  ] as const) {
    writeFileSync(`${dir}/strange.txt`, text);
    await assert.rejects(proveRecord(data, 1, `${dir}/strange.txt`), why);
  }
});

test('a proof to the holder of an earlier checkpoint shows that the log continues it', async (t) => {
  const { dir, data, first, second } = await stoppedVenue(t);
  const proof = await proveContinuation(data, `${dir}/first.txt`, `${dir}/second.txt`);
  writeFileSync(`${dir}/proof.json`, JSON.stringify(proof));
  const kept = { since: `${dir}/first.txt`, checkpoint: `${dir}/second.txt` };
  const checked = await checkProof(`${dir}/proof.json`, `${dir}/key.txt`, kept);
  assert.deepEqual([(checked as { since?: number }).since, checked.size], [first.size, second.size]);

  // The holder of the same key also signs another history of the same length.
  const signer = new CheckpointSigner(
    openCheckpoint(first.note, readFileSync(`${dir}/key.txt`, 'utf8')).origin,
    new SecretBox(Buffer.from(env.BOURSE_SECRET_KEY, 'hex')).derive(
      `checkpoints ${first.note.split('\n')[0]}`,
    ),
  );
  writeFileSync(`${dir}/forked.txt`, signer.sign(first.size, Buffer.alloc(32, 1)));
  await assert.rejects(
    checkProof(`${dir}/proof.json`, `${dir}/key.txt`, { ...kept, since: `${dir}/forked.txt` }),
    /does not continue that of/,
  );
  await assert.rejects(
    proveContinuation(data, `${dir}/forked.txt`, `${dir}/second.txt`),
    /do not match the checkpoint: nothing can be proved/,
  );
  await assert.rejects(proveContinuation(data, `${dir}/second.txt`, `${dir}/first.txt`), /Swap them/);
  const files = ['--since', kept.since, '--checkpoint', kept.checkpoint];
  const made = await run(['log', 'prove', data, ...files]);
  writeFileSync(`${dir}/proof.json`, made.out);
  const printed = await run(['log', 'check-proof', `${dir}/proof.json`, '--key', `${dir}/key.txt`, ...files]);
  assert.match(
    printed.out,
    /^The log bourse\/\S+ of \d+ records continues the checkpoint of \d+ records\./,
    printed.err,
  );
  assert.equal((await run(['log', 'prove', data, '--checkpoint', kept.checkpoint])).code, 2);
});

test('a restored or forked log continues under a new origin, and its checkpoints name the old one', async (t) => {
  const { dir, data, first, key } = await stoppedVenue(t);
  await backUp(data, `${dir}/backup`);
  await restoreBackup(`${dir}/backup`, `${dir}/restored`, { seq: first.size });
  await forkDirectory(data, first.size, `${dir}/forked`);
  for (const made of ['restored', 'forked']) {
    const running = await openVenue(`${dir}/${made}`);
    try {
      await trade(running, 9);
      const { note } = await take(running);
      const [origin] = note.split('\n');
      const [before] = first.note.split('\n');
      assert.notEqual(origin, before);
      assert.ok(note.split('\n').includes(`restored-from ${before} ${first.size}`), made);
      // Also signed with the key of the other log, so that nobody else can claim to continue it.
      assert.throws(() => openCheckpoint(note, key), /which was restored from .*Get the key of/);
      const forged = note.replace(/\n[^\n]*\n$/, '\n');
      assert.throws(() => openCheckpoint(forged, key), /Nobody signed this note/);
    } finally {
      await running.close();
    }
  }
});

test('each restore or fork of one sandbox snapshot is a log of its own', async (t) => {
  const sandbox = await sandboxFor(t);
  const originOf = async (baseUrl: string): Promise<string> =>
    (await (await fetch(`${baseUrl}/transparency/key`)).text()).split('+')[0];
  const { baseUrl } = sandbox.running.connection;
  const origins = [await originOf(baseUrl)];
  const { id } = await sandbox.call('POST', '/snapshots');
  for (let round = 0; round < 2; round++) {
    await sandbox.call('POST', `/snapshots/${id}/restore`);
    origins.push(await originOf(baseUrl));
  }
  for (const from of [id, 3, undefined]) {
    const given = from === undefined ? {} : { from };
    const fork = await sandbox.call<{ baseUrl: string }>('POST', '/forks', given);
    origins.push(await originOf(fork.baseUrl));
  }
  assert.equal(new Set(origins).size, origins.length, origins.join(' '));
});

test('a start fails with the reason if the secret or the log does not match the file of checkpoints', async (t) => {
  const { data } = await stoppedVenue(t);
  const path = `${data}/checkpoints`;
  const kept = readFileSync(path, 'utf8');
  const other = { ...env, BOURSE_SECRET_KEY: 'ef'.repeat(32) };
  await assert.rejects(open({ data, flags: { venue: true }, env: other }), {
    name: 'WrongDirectory',
    message: /were signed with a different secret than that of secretKey or secretKeyFile/,
  });
  const last = kept.trimEnd().split('\n').at(-1)!;
  const row = JSON.parse(last) as { roots: string[] };
  row.roots[0] = Buffer.alloc(32, 1).toString('base64');
  writeFileSync(path, kept.replace(last, JSON.stringify(row)));
  await assert.rejects(
    openVenue(data),
    /is damaged: its last checkpoint does not match the tree stored with it/,
  );
  rmSync(path);
  const lines: string[] = [];
  const running = await open({ data, flags: { venue: true }, env, logLines: (line) => lines.push(line) });
  try {
    const key = (await textOf(running, 'key')).trim();
    const warned = lines.filter((line) => line.includes('checkpoints was missing'));
    assert.equal(warned.length, 1);
    assert.ok(warned[0].includes(key), 'the warning has the new key');
  } finally {
    await running.close();
  }
});

test('a line cut off by a kill or a full disk loses only its own checkpoint', async (t) => {
  const { data, second, key } = await stoppedVenue(t);
  const kept = readFileSync(`${data}/checkpoints`, 'utf8');
  const last = kept.trimEnd().split('\n').at(-1)!;
  for (const part of [`\n${last.slice(0, 1)}`, `\n${last}`]) {
    writeFileSync(`${data}/checkpoints`, kept);
    appendFileSync(`${data}/checkpoints`, part);
    for (const seed of [3, 4]) {
      const running = await openVenue(data);
      try {
        assert.equal(await textOf(running, 'key'), key);
        await trade(running, seed);
        assert.ok(openCheckpoint((await take(running)).note, key).size > second.size);
      } finally {
        await running.close();
      }
    }
  }
});

test('a log that does not continue the last checkpoint is not signed', async (t) => {
  const { dir, data, first, second, seq } = await stoppedVenue(t);
  await backUp(data, `${dir}/backup`);
  await restoreBackup(`${dir}/backup`, `${dir}/short`, { seq: first.size });
  const other = `${dir}/other`;
  const running = await openVenue(other);
  for (const seed of [1, 5, 6, 7]) await trade(running, seed);
  await growBeyond(running, seq);
  await running.close();
  for (const [name, found] of [
    ['short', `but the log has only ${first.size}`],
    ['other', 'but the log has different ones'],
  ] as const) {
    cpSync(`${data}/checkpoints`, `${dir}/${name}/checkpoints`);
    const begun = await openVenue(`${dir}/${name}`);
    try {
      const { status, body } = await new Operator(begun).post('/v1/checkpoints', {});
      assert.equal(status, 409);
      assert.equal((body as { code: string }).code, 'log-rewritten');
      assert.ok((body as { msg: string }).msg.includes(found), JSON.stringify(body));
      assert.ok(Number((await textOf(begun, 'checkpoint')).split('\n')[1]) >= second.size);
    } finally {
      await begun.close();
    }
  }
});

test('a sandbox that moves its own clock continues its checkpoints after a kill', async (t) => {
  const dir = makeDirectory(t);
  const args = ['--data', `${dir}/data`, '--market', 'calm', '--clock', 'x20'];
  let size = 0;
  for (let round = 0; round < 2; round++) {
    const { connection, stop } = await serve(t, args);
    const response = await fetch(`${connection.operatorUrl}/v1/checkpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${connection.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'a test' }),
    });
    assert.equal(response.status, 200);
    const taken = (await response.json()) as Taken;
    assert.ok(taken.size > size);
    size = taken.size;
    writeFileSync(`${dir}/note.txt`, taken.note);
    writeFileSync(`${dir}/key.txt`, await (await fetch(`${connection.baseUrl}/transparency/key`)).text());
    await stop('SIGKILL');
    cpSync(`${dir}/data`, `${dir}/copy`, { recursive: true });
    assert.equal(await faultOf(dir, await findWorld(`${dir}/copy`), 'note'), null);
    rmSync(`${dir}/copy`, { recursive: true });
  }
});
