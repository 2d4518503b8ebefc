/** Holds a log to what was published of it, and proves single records to people who do not have the log. */

import {
  type Checkpoint,
  GrowingTree,
  logReaderIn,
  nodeDisk,
  openCheckpoint,
  ProofMaker,
  readText,
  rootOfProof,
} from '@bourse/engine';
import type { LogReport } from './log-verify.ts';

const HASH_BYTES = 32;

/** A proof in a file; bytes are in base64. */
export interface RecordProof {
  readonly record: number;
  /** Chain hash of the record. */
  readonly hash: string;
  readonly path: readonly string[];
  /** As it was published. */
  readonly checkpoint: string;
}

/** The proof or the log does not fit the checkpoint; the sentence says what. */
export class ProofUnfit extends Error {
  override readonly name = 'ProofUnfit';
}

/** The checkpoint in a file, if that key signed it; `key` is the key itself, or a file that has it. */
export async function readCheckpoint(path: string, key: string): Promise<Checkpoint> {
  return openCheckpoint(await readText(path), await keyOf(key));
}

async function keyOf(text: string): Promise<string> {
  // A path may have plus signs, too.
  return /^[^\s+]+\+[0-9a-f]{8}\+\S+$/.test(text.trim()) ? text : await readText(text);
}

/** What is wrong, in one sentence; null if the records that the checkpoint counts are those of the log. */
export async function faultAgainst(
  dir: string,
  { firstSeq, lastSeq }: Pick<LogReport, 'firstSeq' | 'lastSeq'>,
  { size, root }: Checkpoint,
): Promise<string | null> {
  if (firstSeq > 1) {
    return `The log begins with record ${firstSeq}: it can be held to a checkpoint from the first record on only.`;
  }
  if (lastSeq < size) {
    return `The checkpoint counts ${size} records, and the log has ${lastSeq}: its end was cut off.`;
  }
  const tree = new GrowingTree();
  for await (const hash of hashesOf(dir, size)) tree.add(hash);
  if (Buffer.from(root).equals(tree.root())) return null;
  return `The first ${size} records are not those of the checkpoint: the log was rewritten.`;
}

async function* hashesOf(dir: string, size: number): AsyncGenerator<Uint8Array> {
  const log = logReaderIn(nodeDisk, dir);
  try {
    yield* log.hashes(1, size);
  } finally {
    await log.close();
  }
}

/** Of record `record` under the checkpoint in the file. */
export async function proveRecord(dir: string, record: number, path: string): Promise<RecordProof> {
  const checkpoint = await readText(path);
  const size = Number(checkpoint.split('\n')[1]);
  if (!(record >= 1 && record <= size)) {
    throw new ProofUnfit(`The checkpoint counts the records 1 to ${size}; record ${record} is none of them.`);
  }
  const maker = new ProofMaker(record - 1, size);
  let seq = 0;
  let own = '';
  for await (const hash of hashesOf(dir, size)) {
    if (++seq === record) own = base64(hash);
    maker.add(hash);
  }
  const proof = maker.proof();
  if (base64(proof.root) !== checkpoint.split('\n')[2]) {
    throw new ProofUnfit(`The first ${size} records are not those of the checkpoint: nothing can be proved.`);
  }
  return { record, hash: own, path: proof.path.map(base64), checkpoint };
}

/**
 * Without the log. With `kept`, a file with a checkpoint that the verifier has from elsewhere, the record must be under
 * that one; otherwise under the one in the proof. Throws ProofUnfit, and NoteUnfit where the key did not sign it.
 */
export async function checkProof(
  path: string,
  key: string,
  kept?: string,
): Promise<Checkpoint & Pick<RecordProof, 'record' | 'hash'>> {
  const { record, hash, path: steps, checkpoint } = parse(await readText(path));
  const signed = openCheckpoint(kept === undefined ? checkpoint : await readText(kept), await keyOf(key));
  const own = hashOf(hash);
  const found = rootOfProof(own, { index: record - 1, size: signed.size, path: steps.map(hashOf) });
  if (found !== null && Buffer.from(signed.root).equals(found)) {
    return { ...signed, record, hash: base64(own) };
  }
  throw new ProofUnfit(`Record ${record} with this hash is not in the log that the checkpoint is of.`);
}

function parse(text: string): RecordProof {
  try {
    const proof = JSON.parse(text) as RecordProof;
    const isText = [proof.hash, proof.checkpoint, ...proof.path].every((each) => typeof each === 'string');
    if (isText && Number.isSafeInteger(proof.record)) return proof;
  } catch {
    // Said below.
  }
  throw new ProofUnfit('This is no proof: `bourse log prove` makes one.');
}

/** Only the one text that those bytes have: decoding passes over line ends and whatever else is no base64. */
function hashOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === HASH_BYTES && base64(bytes) === text) return bytes;
  throw new ProofUnfit(`A hash in the proof is not ${HASH_BYTES} bytes in base64.`);
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
