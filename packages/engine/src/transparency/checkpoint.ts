/**
 * Checkpoints: the signed size and Merkle root of the log. The format is C2SP's (tlog-checkpoint and signed-note), so
 * third-party witnesses and verifiers can read it.
 *
 *   origin
 *   size
 *   root in base64
 *   further lines, such as the time
 *
 *   — origin base64(key id, signature)
 */

import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/** The DER bytes that precede the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const ROOT_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** Signed-note algorithm byte of Ed25519. */
const ALGORITHM = Buffer.of(1);
const MARK = '— ';
/** Bounds untrusted input: a verifier reads notes from anybody. */
const NOTE_CHARACTERS_MAX = 100_000;

export interface Checkpoint {
  /** The log's name; contains no spaces or plus signs. */
  readonly origin: string;
  /** Number of records. */
  readonly size: number;
  readonly root: Uint8Array;
  /** Extension lines; their meaning is up to the origin. */
  readonly lines: readonly string[];
}

/** The note or the key is invalid, or they do not match; the message says why. */
export class NoteUnfit extends Error {
  override readonly name = 'NoteUnfit';
}

/** The log does not match its last checkpoint. */
export class LogRewritten extends Error {
  override readonly name = 'LogRewritten';
}

/** Signs checkpoints of one origin. */
export class CheckpointSigner {
  readonly origin: string;
  /** Name, id and public key in one line, for verifiers. */
  readonly verifierKey: string;
  readonly #key: KeyObject;
  readonly #id: Buffer;

  /** `seed`: 32 secret bytes. */
  constructor(origin: string, seed: Uint8Array) {
    requireName(origin);
    if (seed.length !== KEY_BYTES) throw new RangeError(`A seed has ${KEY_BYTES} bytes, not ${seed.length}.`);
    this.origin = origin;
    this.#key = createPrivateKey({
      key: Buffer.concat([PRIVATE_PREFIX, seed]),
      format: 'der',
      type: 'pkcs8',
    });
    const publicKey = createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
    this.#id = idOf(origin, publicKey);
    const key = Buffer.concat([ALGORITHM, publicKey]).toString('base64');
    this.verifierKey = `${origin}+${this.#id.toString('hex')}+${key}`;
  }

  sign(size: number, root: Uint8Array, lines: readonly string[] = []): string {
    const text = [this.origin, size, Buffer.from(root).toString('base64'), ...lines, ''].join('\n');
    return this.cosign(`${text}\n`, text);
  }

  /** Adds a signature over `text` to the note. */
  cosign(note: string, text = note.slice(0, note.lastIndexOf('\n\n') + 1)): string {
    const signature = Buffer.concat([this.#id, sign(null, Buffer.from(text), this.#key)]);
    return `${note}${MARK}${this.origin} ${signature.toString('base64')}\n`;
  }
}

/** Verifies the note's signature by that key and parses the note. Throws NoteUnfit. */
export function openCheckpoint(note: string, verifierKey: string): Checkpoint {
  const { name, id, key } = readVerifierKey(verifierKey);
  if (note.length > NOTE_CHARACTERS_MAX) throw new NoteUnfit('The note is too long to be a checkpoint.');
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) {
    throw new NoteUnfit('This is not a signed note: there is no empty line before the signatures.');
  }
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  const own = lines.map(readSignature).find((each) => each?.name === name && each.id.equals(id));
  if (!own) throw new NoteUnfit(`Nobody signed this note with the key ${name}+${id.toString('hex')}.`);
  if (!verify(null, Buffer.from(text), key, own.signature)) {
    throw new NoteUnfit(`The signature of ${name} is invalid: the note was changed or forged.`);
  }
  return readText(text, name);
}

function readText(text: string, name: string): Checkpoint {
  const [origin, size = '', root = '', ...lines] = text.slice(0, -1).split('\n');
  const bytes = Buffer.from(root, 'base64');
  if (origin !== name) {
    // Also signed with this key, so the exchange itself confirms that its log continues this one.
    const isRestored = lines.some((line) => line.startsWith(`restored-from ${name} `));
    const why = isRestored
      ? `, which was restored from ${name}. Get the key of ${origin}.`
      : `, but the key belongs to ${name}.`;
    throw new NoteUnfit(`The note belongs to ${origin}${why}`);
  }
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new NoteUnfit('The second line of a checkpoint must be the number of records.');
  }
  if (bytes.length !== ROOT_BYTES || bytes.toString('base64') !== root) {
    throw new NoteUnfit('The third line of a checkpoint must be the root: 32 bytes in base64.');
  }
  return { origin, size: Number(size), root: new Uint8Array(bytes), lines };
}

function readSignature(line: string): { name: string; id: Buffer; signature: Buffer } | undefined {
  const [, name, text] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== ID_BYTES + SIGNATURE_BYTES) return undefined;
  return { name, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) };
}

function readVerifierKey(text: string): { name: string; id: Buffer; key: KeyObject } {
  const [, name, id, key] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(key ?? '', 'base64');
  if (name === undefined || bytes.length !== ALGORITHM.length + KEY_BYTES || bytes[0] !== ALGORITHM[0]) {
    throw new NoteUnfit(
      'This is not a verifier key. Expected NAME+ID+KEY, as returned by /transparency/key.',
    );
  }
  const raw = bytes.subarray(ALGORITHM.length);
  if (idOf(name, raw).toString('hex') !== id) {
    throw new NoteUnfit('The verifier key is damaged: its id does not match its key.');
  }
  const made = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });
  return { name, id: Buffer.from(id, 'hex'), key: made };
}

function idOf(name: string, publicKey: Uint8Array): Buffer {
  const text = Buffer.concat([Buffer.from(`${name}\n`), ALGORITHM, publicKey]);
  return hash('sha256', text, 'buffer').subarray(0, ID_BYTES);
}

function requireName(name: string): void {
  if (!/^[^\s+]+$/.test(name))
    throw new RangeError(`'${name}' is not a valid log name: it contains spaces or plus signs.`);
}
