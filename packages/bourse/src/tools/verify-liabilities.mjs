#!/usr/bin/env node
// Verifies that an exchange's published liabilities include your balances. Needs only Node 18 or newer, and no network:
//
//   node verify-liabilities.mjs PROOF --root FILE [--key KEY] [--user ID] [--balance BTC=1.5]...
//
// PROOF is the response of GET .../liabilities/ID/proof, FILE that of GET /transparency/liabilities, KEY that of
// GET /transparency/key or a file that contains it. Give each balance that you know you had at that time with
// --balance; 0 for none. Exit code 0: the proof is valid. 1: it is not, and the message says why.
//
// It checks that a leaf names you and has your balance; that digests and sums lead from the leaf to the root, and no
// sum is negative or too large; that the exchange published this root and sum; and, with a key, that the exchange
// signed them together with the size and the root of its log.
//
// A leaf is SHA-256(0, HMAC-SHA256(nonce, text), sum), where text is "bourse liability", the name of the log, the
// record, the currency, the user and the units, each followed by a line feed. An inner node is SHA-256(1, digest and
// sum of the left child, digest and sum of the right child). Sums are 16 bytes, big-endian.

import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SUM_END = 1n << 128n;
/** A taller tree would have more leaves than there are people on earth. */
const STEPS_MAX = 64;
/** NAME+ID+KEY. Strict, because a path may contain plus signs, too. */
export const KEY = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/;
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export class ProofWrong extends Error {
  name = 'ProofWrong';
}

/**
 * @typedef {object} Verified
 * @property {string} origin name of the log
 * @property {number} record the last record whose effect is included
 * @property {string} user the user's id
 * @property {{ currency: string, balance: string, total: string }[]} balances the user's balance and all liabilities
 * @property {boolean} isSigned whether the signature was checked
 */

/**
 * Throws ProofWrong.
 *
 * @param {string} proofText the response with your proof
 * @param {string} rootText the response with the roots
 * @param {{ key?: string | undefined, user?: string | undefined, balances?: readonly string[] }} [options] `balances`:
 *   what the proof must contain, such as BTC=1.5
 * @returns {Verified}
 */
export function verifyLiabilities(proofText, rootText, { key, user, balances: expected = [] } = {}) {
  const answer = parse(proofText, 'The proof');
  const proof = answer.data ?? answer;
  const { origin, record, balances } = proof;
  if (!isLine(origin) || !Number.isSafeInteger(record) || !isLine(proof.user) || !Array.isArray(balances)) {
    throw new ProofWrong('The proof has no valid origin, record, user or balances.');
  }
  if (user !== undefined && user !== proof.user) {
    throw new ProofWrong(`The proof belongs to user ${proof.user}, not to ${user}.`);
  }
  const published = findPublished(parse(rootText, 'The file with the roots'), proof);
  const roots = readNote(published, proof, key);
  const verified = balances.map((each) => verifyBalance(each, proof, roots));
  if (new Set(verified.map(({ currency }) => currency)).size !== verified.length) {
    throw new ProofWrong('The proof contains a currency twice.');
  }
  for (const each of expected) compareBalance(each, verified, proof.user);
  if (verified.length === 0 && expected.length === 0) {
    throw new ProofWrong(
      `The proof contains no balance: according to the exchange, it owes user ${proof.user} nothing.`,
    );
  }
  return { origin, record, user: proof.user, balances: verified, isSigned: key !== undefined };
}

/** A proof that omits a currency is valid too, so compare the balances with those that the user knows. */
function compareBalance(text, verified, user) {
  const [, currency, amount] = /^([^=\s]{1,100})=(\d{1,60}(?:\.\d{1,60})?)$/.exec(text) ?? [];
  if (currency === undefined) throw new ProofWrong(`'${text}' is not CURRENCY=AMOUNT, such as BTC=1.5.`);
  const found = verified.find((each) => each.currency === currency)?.balance ?? '0';
  if (trimmed(found) === trimmed(amount)) return;
  throw new ProofWrong(`${currency}: the exchange counts ${found} for user ${user}, not ${amount}.`);
}

/** Strips leading and trailing zeros. */
function trimmed(amount) {
  const [whole, rest = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${rest.replace(/0+$/, '')}`;
}

function parse(text, what) {
  try {
    const parsed = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Rejected below.
  }
  throw new ProofWrong(`${what} is not JSON.`);
}

const isLine = (text) => typeof text === 'string' && /^[\x21-\x7e]{1,100}$/.test(text);
const isUnits = (text) =>
  typeof text === 'string' && /^(0|[1-9]\d{0,38})$/.test(text) && BigInt(text) < SUM_END;

function digestOf(text, what) {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (bytes.length === 32 && bytes.toString('base64') === text) return bytes;
  throw new ProofWrong(`${what} is not 32 bytes in base64.`);
}

function findPublished(answer, { record }) {
  const items = Array.isArray(answer.items) ? answer.items : [answer];
  const found = items.find((each) => each?.record === record);
  if (found && typeof found.checkpoint === 'string' && Array.isArray(found.currencies)) return found;
  throw new ProofWrong(`The file with the roots contains no publication of record ${record}.`);
}

/** The published roots by currency. Throws unless the note commits to them. */
function readNote({ checkpoint, currencies }, { origin, record }, key) {
  const end = checkpoint.lastIndexOf('\n\n');
  if (end < 0 || !checkpoint.endsWith('\n')) throw new ProofWrong('The checkpoint is not a signed note.');
  const text = checkpoint.slice(0, end + 1);
  if (key !== undefined) verifySignature(text, checkpoint.slice(end + 2), key, origin);
  const [name, size, , ...lines] = text.split('\n');
  if (name !== origin || size !== String(record)) {
    throw new ProofWrong(
      `The checkpoint covers ${size} records of ${name}, but the proof is for ${record} records of ${origin}.`,
    );
  }
  const rows = currencies.map((row) => {
    const { currency, decimals, units, root } = row ?? {};
    if (
      !isLine(currency) ||
      !Number.isSafeInteger(decimals) ||
      decimals < 0 ||
      decimals > 100 ||
      !isUnits(units)
    ) {
      throw new ProofWrong(
        'The file with the roots contains a currency without valid code, decimals or units.',
      );
    }
    return { currency, decimals, units, root: digestOf(root, `The root of ${currency}`) };
  });
  const list = rows.map(
    (each) => `${each.currency} ${each.decimals} ${each.units} ${each.root.toString('base64')}\n`,
  );
  const digest = createHash('sha256').update(list.join('')).digest('base64');
  const signed = lines.filter((line) => line.startsWith('liabilities '));
  // With two such lines, different users could be shown different roots under one checkpoint.
  if (signed.length !== 1)
    throw new ProofWrong(`The checkpoint has ${signed.length} liabilities lines; expected one.`);
  if (signed[0] !== `liabilities ${digest}`) {
    throw new ProofWrong('The roots do not match the signed checkpoint.');
  }
  const roots = new Map(rows.map((each) => [each.currency, each]));
  if (roots.size !== rows.length) throw new ProofWrong('The file with the roots contains a currency twice.');
  return roots;
}

function verifySignature(text, signatures, key, origin) {
  const [, name, id, encoded] = KEY.exec(key.trim()) ?? [];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  if (bytes.length !== 33 || bytes[0] !== 1) throw new ProofWrong('The key is not NAME+ID+KEY.');
  if (name !== origin) throw new ProofWrong(`The key belongs to ${name}, but the proof to ${origin}.`);
  const publicKey = createPublicKey({
    key: Buffer.concat([PUBLIC_PREFIX, bytes.subarray(1)]),
    format: 'der',
    type: 'spki',
  });
  const isSigned = signatures.split('\n').some((line) => {
    const [, by, signed] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? [];
    const signature = Buffer.from(signed ?? '', 'base64');
    if (by !== name || signature.length !== 68 || signature.subarray(0, 4).toString('hex') !== id)
      return false;
    return verify(null, Buffer.from(text), publicKey, signature.subarray(4));
  });
  if (!isSigned) throw new ProofWrong('The key did not sign this checkpoint.');
}

function verifyBalance(given, { origin, record, user }, roots) {
  const { currency, units, nonce, path } = given ?? {};
  const published = roots.get(currency);
  if (!published) throw new ProofWrong(`The exchange published no root of ${currency}.`);
  if (!isUnits(units)) throw new ProofWrong(`The balance of ${currency} is not a number of units: ${units}.`);
  if (!Array.isArray(path) || path.length > STEPS_MAX)
    throw new ProofWrong(`${currency}: the path is too long.`);
  const text = `bourse liability\n${origin}\n${record}\n${currency}\n${user}\n${units}\n`;
  const about = createHmac('sha256', digestOf(nonce, `${currency}: the nonce`))
    .update(text)
    .digest();
  let sum = BigInt(units);
  let digest = sha256(Buffer.of(0), about, bytesOf(sum));
  for (const step of path) {
    const { side, units: other, digest: sibling } = step ?? {};
    if (!isUnits(other) || (side !== 'left' && side !== 'right')) {
      throw new ProofWrong(
        `${currency}: a step of the path has no side, or its sum is negative or not a number.`,
      );
    }
    const own = [digest, bytesOf(sum)];
    const next = [digestOf(sibling, `${currency}: a digest of the path`), bytesOf(BigInt(other))];
    digest = sha256(Buffer.of(1), ...(side === 'left' ? [...next, ...own] : [...own, ...next]));
    sum += BigInt(other);
    if (sum >= SUM_END) throw new ProofWrong(`${currency}: the sums of the path are too large.`);
  }
  if (!digest.equals(published.root))
    throw new ProofWrong(`${currency}: the path does not lead to the root.`);
  if (sum !== BigInt(published.units)) {
    throw new ProofWrong(
      `${currency}: the sums lead to ${sum} units, but the exchange published ${published.units}.`,
    );
  }
  const show = (some) => decimal(some, published.decimals);
  return { currency, balance: show(units), total: show(published.units) };
}

function sha256(...parts) {
  const made = createHash('sha256');
  for (const part of parts) made.update(part);
  return made.digest();
}

function bytesOf(sum) {
  return Buffer.from(sum.toString(16).padStart(32, '0'), 'hex');
}

function decimal(units, decimals) {
  const digits = units.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/**
 * Formats the result as lines of text.
 *
 * @param {Verified} verified
 */
export function describeVerified({ origin, record, user, balances, isSigned }) {
  const lines = balances.map(
    ({ currency, balance, total }) =>
      `${currency}: your ${balance} is included in the ${total} that the exchange owes.`,
  );
  lines.push('The proof contains no other currency. If you had a balance in one, the exchange omitted it.');
  lines.unshift(`Log ${origin}, up to record ${record}. User ${user}: check that this is your user id.`);
  if (!isSigned) lines.push('The signature was not verified: give the key with --key.');
  return lines;
}

function main(args) {
  const options = {};
  const files = [];
  const balances = [];
  for (let at = 0; at < args.length; at++) {
    const [, name] = /^--(root|key|user|balance)$/.exec(args[at]) ?? [];
    if (name === 'balance') balances.push(args[++at] ?? '');
    else if (name) options[name] = args[++at];
    else files.push(args[at]);
  }
  if (files.length !== 1 || !options.root || files[0].startsWith('-')) {
    console.error(
      'Usage: node verify-liabilities.mjs PROOF --root FILE [--key KEY] [--user ID] [--balance BTC=1.5]...',
    );
    return 2;
  }
  try {
    const { root, key, user } = options;
    const read = (path) => readFileSync(path, 'utf8');
    const given = key === undefined || KEY.test(key) ? key : read(key);
    const verified = verifyLiabilities(read(files[0]), read(root), { key: given, user, balances });
    for (const line of describeVerified(verified)) console.log(line);
    return 0;
  } catch (error) {
    console.error(`Not proved. ${error.message}`);
    return 1;
  }
}

/** Whether Node was started with this file. */
function isMain() {
  try {
    return realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
  } catch {
    return false;
  }
}

if (isMain()) process.exitCode = main(process.argv.slice(2));
