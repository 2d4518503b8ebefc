/** Signed notes: by the example of another implementation, and against changes of every character. */

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { CheckpointSigner, openCheckpoint } from '../../src/transparency/checkpoint.ts';

const seed = createHash('sha256').update('a seed').digest();
const root = createHash('sha256').update('a root').digest();
const signer = new CheckpointSigner('bourse.test/1f00', seed);

describe('a checkpoint', () => {
  test('contains what was signed', () => {
    const note = signer.sign(1234, root, ['time 2026-01-01T00:00:00.000Z']);
    const lines = note.split('\n');
    assert.deepEqual(lines.slice(0, 5), [
      'bourse.test/1f00',
      '1234',
      root.toString('base64'),
      'time 2026-01-01T00:00:00.000Z',
      '',
    ]);
    assert.match(lines[5], /^— bourse\.test\/1f00 [A-Za-z0-9+/]+=*$/);
    const { origin, size, root: found, lines: more } = openCheckpoint(note, signer.verifierKey);
    assert.deepEqual([origin, size, more], ['bourse.test/1f00', 1234, ['time 2026-01-01T00:00:00.000Z']]);
    assert.deepEqual(Buffer.from(found), root);
  });

  test('with any change is rejected', () => {
    const note = signer.sign(1234, root);
    for (let at = 0; at < note.length; at++) {
      const changed = note.slice(0, at) + (note[at] === 'A' ? 'B' : 'A') + note.slice(at + 1);
      assert.throws(
        () => openCheckpoint(changed, signer.verifierKey),
        { name: 'NoteUnfit' },
        `character ${at}`,
      );
    }
  });

  test('is signed in the format of other implementations', () => {
    const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const note =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
    // The signature is valid, but the signed text is not a checkpoint.
    assert.throws(
      () => openCheckpoint(note, key),
      /The note belongs to If you think .*, but the key belongs to PeterNeumann/,
    );
    assert.throws(
      () => openCheckpoint(note.replace('answer', 'Answer'), key),
      /The signature of PeterNeumann is invalid/,
    );
  });

  test('of another key or log is rejected, and other signatures are ignored', () => {
    const other = new CheckpointSigner('bourse.test/1f00', randomBytes(32));
    const elsewhere = new CheckpointSigner('elsewhere.test', seed);
    const note = signer.sign(7, root);
    assert.throws(() => openCheckpoint(note, other.verifierKey), /Nobody signed this note with the key/);
    assert.throws(() => openCheckpoint(note, elsewhere.verifierKey), /Nobody signed this note with the key/);
    const witness = elsewhere.sign(7, root).split('\n').at(-2)!;
    assert.equal(openCheckpoint(`${note}${witness}\n`, signer.verifierKey).size, 7);
  });

  test('invalid notes and keys are rejected with a message', () => {
    const note = signer.sign(7, root);
    for (const text of ['', 'x', 'x\n', note.slice(0, -1), note.replace('\n\n', '\n')]) {
      assert.throws(() => openCheckpoint(text, signer.verifierKey), { name: 'NoteUnfit' });
    }
    for (const key of ['', 'a+b+c', signer.verifierKey.replace('+', ' '), signer.verifierKey.slice(0, -4)]) {
      assert.throws(() => openCheckpoint(note, key), /verifier key/);
    }
    assert.throws(() => new CheckpointSigner('two words', seed), /is not a valid log name/);
    assert.throws(() => new CheckpointSigner('a', seed.subarray(1)), /A seed has 32 bytes, not 31/);
  });
});
