/** The keyring with many people: a sign-up appends one row, and erasing rewrites the file without the row. */

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkKeyStore } from '@bourse/test-kit/contracts.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import { KeyFile, Keyring, KEYRING_FILE } from '../../src/identity/keyring.ts';
import { VenueKeys } from '../../src/identity/venue-keys.ts';

const keys = new VenueKeys(new SecretBox(Buffer.alloc(32, 7)));
const everybody = (): boolean => true;
/** More than 16 MiB of rows. */
const PEOPLE = 140_000;

test('the key file passes the tests of every key store', async (context) => {
  const path = join(makeDirectory(context), KEYRING_FILE);
  await checkKeyStore(await KeyFile.open(path, everybody), () => KeyFile.open(path, everybody));
});

test('a sign-up appends one row, regardless of the number of people', async (context) => {
  const path = join(makeDirectory(context), KEYRING_FILE);
  const keyring = new Keyring(keys, await KeyFile.open(path, everybody));
  await keyring.add('p-first');
  const { ino, size } = statSync(path);
  await Promise.all(Array.from({ length: 100 }, (_, at) => keyring.add(`p-${at}`)));
  assert.equal(statSync(path).ino, ino, 'the file was not written anew');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const file = await KeyFile.open(path, everybody);
  assert.equal(file.size, 101);
  assert.ok(statSync(path).size < size * 102);
  const sealed = (await keyring.find('p-42'))!.seal('name', 'ada');
  const again = new Keyring(keys, file);
  assert.equal((await again.find('p-42'))!.open('name', sealed), 'ada');
  const stranger = new Keyring(new VenueKeys(new SecretBox(Buffer.alloc(32, 8))), file);
  await assert.rejects(stranger.find('p-42'), /written with another secretKey/);
});

test('more than 16 MiB of rows are read', async (context) => {
  const path = join(makeDirectory(context), KEYRING_FILE);
  const wrapped = keys.wrap(Buffer.alloc(32, 1), 'p-known');
  const rows = Array.from({ length: PEOPLE }, (_, at) => `p-${String(at).padStart(24, '0')} ${wrapped}\n`);
  writeFileSync(path, [...rows, `p-known ${wrapped}\n`].join(''));
  assert.ok(statSync(path).size > 1 << 24);
  const file = await KeyFile.open(path, (person) => person === 'p-known');
  assert.equal(file.size, 1);
  assert.equal(readFileSync(path, 'utf8'), `p-known ${wrapped}\n`, 'rows that a crash left over are gone');
});

test('a removed person leaves no trace in the file, and a torn row damages no other row', async (context) => {
  const path = join(makeDirectory(context), KEYRING_FILE);
  const keyring = new Keyring(keys, await KeyFile.open(path, everybody));
  await Promise.all(['p-1', 'p-2', 'p-3'].map((person) => keyring.add(person)));
  const row = readFileSync(path, 'utf8')
    .split('\n')
    .find((each) => each.startsWith('p-2 '))!;
  await Promise.all([keyring.add('p-4'), keyring.remove('p-2'), keyring.add('p-5')]);
  assert.ok(!readFileSync(path, 'utf8').includes(row.slice(4)));
  // A kill in the middle of a write: the row was never used.
  appendFileSync(path, 'p-torn abc');
  await new Keyring(keys, await KeyFile.open(path, everybody)).add('p-6');
  const third = new Keyring(keys, await KeyFile.open(path, everybody));
  const lost = await third.load(['p-1', 'p-2', 'p-3', 'p-4', 'p-5', 'p-6', 'p-torn']);
  assert.deepEqual(lost, ['p-2', 'p-torn']);
});
