import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as ws from 'ws';
import { textFrames } from '../../src/sockets/outlet.ts';

/** Exported by the library, but missing in its types. */
const { Sender } = ws as unknown as {
  Sender: { frame(data: Buffer, options: object): Buffer[] };
};

/** The protocol's own library, as a server: one final text frame without a mask. */
function frameOf(text: string): Buffer {
  const options = { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true };
  return Buffer.concat(Sender.frame(Buffer.from(text), options));
}

/** On both sides of every length at which the head grows; characters of one to four bytes. */
const TEXTS = [
  '',
  ...[125, 126, 65_535, 65_536].map((length) => 'a'.repeat(length)),
  'é',
  'ÿ',
  '€',
  '😀',
  '\u0080',
  'é'.repeat(62),
  'é'.repeat(63),
  `${'a'.repeat(124)}é`,
  '€'.repeat(21_845),
  '€'.repeat(21_846),
];

describe('text frames', () => {
  it('match the protocol, whatever their content and length', () => {
    for (const text of TEXTS) assert.deepEqual(textFrames([text]), frameOf(text), text.slice(0, 10));
  });

  it('of several texts are concatenated', () => {
    assert.deepEqual(textFrames(TEXTS), Buffer.concat(TEXTS.map(frameOf)));
  });
});
