/** Verifies a log against its published checkpoints, and proves single records to people without the log. */

import {
  type Checkpoint,
  ConsistencyMaker,
  findEnd,
  GrowingTree,
  isConsistent,
  logDirectory,
  logReaderIn,
  Malformed,
  nodeDisk,
  openCheckpoint,
  ProofMaker,
  readFrame,
  readText,
  rootOfProof,
  segmentsAmong,
} from '@bourse/engine';
import { withoutSecrets } from './log-dump.ts';
import type { LogReport } from './log-verify.ts';

const HASH_BYTES = 32;

/** The file of an inclusion proof; bytes are base64. */
export interface RecordProof {
  readonly record: number;
  /** Chain hash of the record. */
  readonly hash: string;
  /** The previous chain hash and the record; only on request. */
  readonly content?: string;
  readonly path: readonly string[];
  /** The published note. */
  readonly checkpoint: string;
}

/** The proof that one checkpoint continues another. */
export interface ContinuationProof {
  readonly since: string;
  readonly path: readonly string[];
  readonly checkpoint: string;
}

/** The proof or the log does not match the checkpoint; the message says why. */
export class ProofUnfit extends Error {
  override readonly name = 'ProofUnfit';
}

/** Reads a checkpoint from a file and verifies its signature; `key` is the key itself or a file that contains it. */
export async function readCheckpoint(path: string, key: string): Promise<Checkpoint> {
  return openCheckpoint(await readText(path), await keyOf(key));
}

async function keyOf(text: string): Promise<string> {
  // A path may contain plus signs, too.
  return /^[^\s+]+\+[0-9a-f]{8}\+\S+$/.test(text.trim()) ? text : await readText(text);
}

/** Compares the log with the checkpoint. Returns an error message, or null if they match. */
export async function faultAgainst(
  dir: string,
  { firstSeq, lastSeq }: Pick<LogReport, 'firstSeq' | 'lastSeq'>,
  { size, root }: Checkpoint,
): Promise<string | null> {
  if (firstSeq > 1) {
    return `The log begins with record ${firstSeq}. Only a log from record 1 on can be compared with a checkpoint.`;
  }
  if (lastSeq < size) {
    return `The checkpoint covers ${size} records, but the log has only ${lastSeq}: its end was cut off.`;
  }
  const tree = new GrowingTree();
  for await (const hash of hashesOf(dir, size)) tree.add(hash);
  if (Buffer.from(root).equals(tree.root())) return null;
  return `The first ${size} records do not match the checkpoint: the log was rewritten.`;
}

async function* hashesOf(dir: string, size: number): AsyncGenerator<Uint8Array> {
  const log = logReaderIn(nodeDisk, dir);
  try {
    yield* log.hashes(1, size);
  } finally {
    await log.close();
  }
}

/** Proves that the checkpoint in file `path` covers the record. `hasContent` includes the record itself. */
export async function proveRecord(
  dir: string,
  record: number,
  path: string,
  hasContent = false,
): Promise<RecordProof> {
  const checkpoint = await readText(path);
  const { size, root } = headOf(checkpoint);
  if (!(record >= 1 && record <= size)) {
    throw new ProofUnfit(`The checkpoint covers records 1 to ${size}, not record ${record}.`);
  }
  const maker = new ProofMaker(record - 1, size);
  let seq = 0;
  let own = '';
  await eachHash(dir, size, (hash) => {
    if (++seq === record) own = base64(hash);
    maker.add(hash);
  });
  const proof = maker.proof();
  if (base64(proof.root) !== root) throw rewritten(size);
  const content = hasContent ? { content: base64(await frameOf(dir, record)) } : {};
  return { record, hash: own, ...content, path: proof.path.map(base64), checkpoint };
}

/** Proves that the checkpoint in file `path` continues the one in file `since`. */
export async function proveContinuation(
  dir: string,
  since: string,
  path: string,
): Promise<ContinuationProof> {
  const [before, checkpoint] = [await readText(since), await readText(path)];
  const [first, last] = [headOf(before), headOf(checkpoint)];
  if (first.size > last.size) {
    throw new ProofUnfit(
      `The earlier checkpoint covers ${first.size} records, but the later one only ${last.size}. Swap them.`,
    );
  }
  const maker = new ConsistencyMaker(first.size, last.size);
  const [shorter, longer] = [new GrowingTree(), new GrowingTree()];
  await eachHash(dir, last.size, (hash) => {
    maker.add(hash);
    longer.add(hash);
    if (shorter.size < first.size) shorter.add(hash);
  });
  for (const [tree, { root, size }] of [
    [shorter, first],
    [longer, last],
  ] as const) {
    if (base64(tree.root()) !== root) throw rewritten(size);
  }
  return { since: before, path: maker.path().map(base64), checkpoint };
}

const rewritten = (size: number): ProofUnfit =>
  new ProofUnfit(`The first ${size} records do not match the checkpoint: nothing can be proved.`);

/** Does not check the signature: the proof is made from the log itself. */
function headOf(checkpoint: string): { readonly size: number; readonly root: string } {
  const [, size = '', root = ''] = checkpoint.split('\n');
  if (!/^(0|[1-9]\d{0,14})$/.test(size)) {
    throw new ProofUnfit('This is not a checkpoint: its second line is not a number of records.');
  }
  return { size: Number(size), root };
}

async function eachHash(dir: string, size: number, take: (hash: Uint8Array) => void): Promise<void> {
  const log = logDirectory(dir);
  const last = segmentsAmong(await nodeDisk.list(log)).at(-1);
  const lastSeq = last === undefined ? 0 : (await findEnd(nodeDisk, log, last)).lastSeq;
  if (lastSeq < size) {
    throw new ProofUnfit(
      `The checkpoint covers ${size} records, but the log has only ${lastSeq}: its end was cut off.`,
    );
  }
  for await (const hash of hashesOf(dir, size)) take(hash);
}

async function frameOf(dir: string, record: number): Promise<Uint8Array> {
  const log = logReaderIn(nodeDisk, dir);
  try {
    return await log.frame(record);
  } finally {
    await log.close();
  }
}

export interface CheckedRecord extends Pick<Checkpoint, 'origin' | 'size'> {
  readonly record: number;
  readonly hash: string;
  /** The record without secrets; absent if the proof does not include it. */
  readonly content?: { readonly time: string; readonly commands: readonly unknown[] };
}

export interface CheckedContinuation extends Pick<Checkpoint, 'origin' | 'size'> {
  /** Number of records of the earlier checkpoint. */
  readonly since: number;
}

/** Checkpoints that the verifier obtained independently; they replace those in the proof. */
export interface KeptCheckpoints {
  readonly checkpoint?: string | undefined;
  readonly since?: string | undefined;
}

/** Verifies a proof without the log. Throws ProofUnfit, or NoteUnfit if the key did not sign a checkpoint. */
export async function checkProof(
  path: string,
  key: string,
  kept: KeptCheckpoints = {},
): Promise<CheckedRecord | CheckedContinuation> {
  const proof = parse(await readText(path));
  const verifier = await keyOf(key);
  const signedOf = async (file: string | undefined, own: string): Promise<Checkpoint> =>
    openCheckpoint(file === undefined ? own : await readText(file), verifier);
  const signed = await signedOf(kept.checkpoint, proof.checkpoint);
  const steps = proof.path.map(hashOf);
  if (!('since' in proof)) {
    if (kept.since !== undefined)
      throw new ProofUnfit('--since applies only to continuation proofs; this is a proof of a record.');
    return checkRecord(proof, signed, steps);
  }
  const before = await signedOf(kept.since, proof.since);
  if (isConsistent(before, signed, steps)) {
    return { origin: signed.origin, size: signed.size, since: before.size };
  }
  throw new ProofUnfit(
    `The log of ${signed.size} records does not continue that of ${before.size}, or the proof belongs to other checkpoints.`,
  );
}

function checkRecord(
  { record, hash, content }: RecordProof,
  { origin, size, root }: Checkpoint,
  path: readonly Uint8Array[],
): CheckedRecord {
  const own = hashOf(hash);
  const found = rootOfProof(own, { index: record - 1, size, path });
  if (found === null || !Buffer.from(root).equals(found)) {
    throw new ProofUnfit(`Record ${record} with this hash is not in the log of the checkpoint.`);
  }
  const checked = { origin, size, record, hash: base64(own) };
  return content === undefined ? checked : { ...checked, content: contentOf(content, record, own) };
}

function contentOf(text: string, record: number, hash: Uint8Array): NonNullable<CheckedRecord['content']> {
  try {
    const read = readFrame(Buffer.from(text, 'base64'));
    if (Buffer.from(read.hash).equals(hash) && read.record.seq === record) {
      const { time, commands } = read.record;
      return { time: new Date(time).toISOString(), commands: commands.map(withoutSecrets) };
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
  throw new ProofUnfit(`The content in the proof is not that of record ${record}.`);
}

function parse(text: string): RecordProof | ContinuationProof {
  try {
    const proof = JSON.parse(text) as RecordProof & Partial<ContinuationProof>;
    const { since, content = '' } = proof;
    const texts = since === undefined ? [proof.hash, content] : [since];
    const isText = [...texts, proof.checkpoint, ...proof.path].every((each) => typeof each === 'string');
    if (isText && (since !== undefined || Number.isSafeInteger(proof.record))) return proof;
  } catch {
    // Rejected below.
  }
  throw new ProofUnfit('This is not a proof. Create one with `bourse log prove`.');
}

/** Accepts only canonical base64: decoding ignores line breaks and other characters outside the alphabet. */
function hashOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === HASH_BYTES && base64(bytes) === text) return bytes;
  throw new ProofUnfit(`A hash in the proof is not ${HASH_BYTES} bytes in base64.`);
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
