/**
 * Passwords: their hashes and their strength. Hashes are argon2id, computed in one worker thread with a bounded queue.
 * Never on libuv's pool, where the log syncs: four sign-ins would delay every order.
 *
 * A verifier is `argon2id.memory.passes.salt.hash`, memory in KiB.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { networkOf } from '../gateway/access/ip-addresses.ts';
import type { HashTask } from './hash-worker.ts';
import { identityRefusal, type IdentityRefusal } from './identity-errors.ts';

const WORKER = new URL('./hash-worker.ts', import.meta.url);
const MEMORY_KIB = 19_456;
const PASSES = 2;
const SALT_BYTES = 16;
/** About ten seconds of work. */
const QUEUE_MAX = 256;
/** One network address may fill half of the queue. */
const QUEUE_PER_ADDRESS_MAX = QUEUE_MAX / 2;

interface Waiting {
  readonly task: HashTask;
  readonly address: string;
  readonly resolve: (hash: string) => void;
  readonly reject: (error: Error) => void;
}

class HashQueue {
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  readonly #waiting: Waiting[] = [];
  readonly #perAddress = new Map<string, number>();

  hash(task: HashTask, ip: string): Promise<string> {
    // One host usually controls a whole IPv6 network.
    const address = networkOf(ip);
    const mine = this.#perAddress.get(address) ?? 0;
    if (this.#waiting.length >= QUEUE_MAX || mine >= QUEUE_PER_ADDRESS_MAX) {
      throw identityRefusal('busy', 'Too many sign-ins are waiting. Try again in a few seconds.', {
        headers: { 'retry-after': '5' },
      });
    }
    this.#perAddress.set(address, mine + 1);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, address, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current || this.#waiting.length === 0) return;
    this.#current = this.#waiting.shift();
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(this.#current?.task, []);
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { name: 'passwords' });
    worker.on('message', (hash: string) => this.#end((waiting) => waiting.resolve(hash)));
    worker.on('error', (error) => {
      this.#worker = undefined;
      this.#end((waiting) => waiting.reject(error instanceof Error ? error : new Error(String(error))));
    });
    return worker;
  }

  #end(settle: (waiting: Waiting) => void): void {
    const waiting = this.#current;
    this.#current = undefined;
    // An idle worker must not keep the process alive.
    this.#worker?.unref();
    if (waiting) {
      const left = (this.#perAddress.get(waiting.address) ?? 1) - 1;
      if (left > 0) this.#perAddress.set(waiting.address, left);
      else this.#perAddress.delete(waiting.address);
      settle(waiting);
    }
    this.#next();
  }
}

/** One per process. */
const queue = new HashQueue();

const NOBODY = `argon2id.${MEMORY_KIB}.${PASSES}.${randomBytes(SALT_BYTES).toString('base64url')}.${randomBytes(32).toString('base64url')}`;

export async function makeVerifier(password: string, address: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const hash = await queue.hash({ password, salt, memory: MEMORY_KIB, passes: PASSES }, address);
  return `argon2id.${MEMORY_KIB}.${PASSES}.${salt}.${hash}`;
}

/** Returns false without a verifier, after the same time. */
export async function checkPassword(
  password: string,
  verifier: string | undefined,
  address: string,
): Promise<boolean> {
  const [, memory, passes, salt, wanted] = (verifier ?? NOBODY).split('.');
  const task = { password, salt: salt ?? '', memory: Number(memory), passes: Number(passes) };
  const hash = Buffer.from(await queue.hash(task, address));
  return timingSafeEqual(hash, Buffer.from(wanted ?? '')) && verifier !== undefined;
}

// Rejects weak passwords. Length counts, not composition: 15 characters, or 10 with a second factor. Lists of common
// passwords are too short for these lengths. So a password is reduced to its core (without case, substituted letters,
// and digits or signs at its ends), which is compared with the words that people build long passwords from.

const LENGTH_ALONE = 15;
const LENGTH_BESIDE_FACTOR = 10;
const LENGTH_MAX = 128;

const SUBSTITUTED: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['@', 'a'],
  ['$', 's'],
  ['!', 'i'],
]);

/** Rows of keyboards, the alphabet and digits, in both directions. */
const RUNS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((row) => [row, [...row].toReversed().join('')]);

const WORDS: ReadonlySet<string> = new Set(
  (
    'password passwort passw0rd passphrase mypassword thepassword changeme changemenow letmein letmeinnow welcome admin ' +
    'administrator root user guest login secret default test testing demo example sample exchange bourse bitcoin crypto ' +
    'ethereum trading trader money iloveyou ilovemyself loveyou princess sunshine football baseball basketball soccer ' +
    'superman batman spiderman pokemon starwars dragon monkey shadow master michael jennifer jessica ashley charlie ' +
    'thomas daniel andrew liverpool chelsea arsenal manchester barcelona google facebook computer internet samsung ' +
    'whatever trustno freedom killer hunter ranger cookie summer winter spring autumn monday friday january february ' +
    'correcthorsebatterystaple qwerty asdf zxcv abc abcd hello helloworld nothing something anything password password ' +
    'thisismypassword ilovebitcoin tothemoon satoshi satoshinakamoto blockchain'
  ).split(' '),
);

/** Throws with the reason if the password is weak. `email`: the person's, normalised. */
export function checkStrength(password: string, email: string, hasFactor: boolean): void {
  const lengthMin = hasFactor ? LENGTH_BESIDE_FACTOR : LENGTH_ALONE;
  const length = [...password].length;
  if (length < lengthMin) throw weak(`It has ${length} characters; at least ${lengthMin} are needed.`);
  if (length > LENGTH_MAX) throw weak(`It has ${length} characters; at most ${LENGTH_MAX} are accepted.`);
  const lower = password.toLowerCase();
  const [name = ''] = email.split('@');
  if (lower.includes(email) || (name.length >= 4 && lower.includes(name))) {
    throw weak('It contains the e-mail address.');
  }
  if (isCommon(lower)) throw weak('It is a common password.');
}

const weak = (reason: string): IdentityRefusal =>
  identityRefusal('weak', `This password is too weak. ${reason}`, { fields: { reason } });

function isCommon(lower: string): boolean {
  const letters = lower.replaceAll(/[\s._-]/g, '');
  if (isRepeated(letters) || isRun(letters)) return true;
  const bare = letters.replaceAll(/^[^a-z]+|[^a-z]+$/g, '');
  const translated = [...letters].map((letter) => SUBSTITUTED.get(letter) ?? letter).join('');
  return [bare, translated, translated.replaceAll(/^[^a-z]+|[^a-z]+$/g, ''), stripped(letters)].some(
    (core) => core === '' || WORDS.has(core) || isRun(core) || isRepeated(core) || isTwice(core),
  );
}

/** Drops digits and signs at the end, then replaces the remaining ones with the letters they stand for. */
function stripped(text: string): string {
  const bare = text.replaceAll(/[^a-z]+$/g, '');
  return [...bare].map((letter) => SUBSTITUTED.get(letter) ?? letter).join('');
}

/** One to five characters, repeated. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= 5 && period * 2 <= text.length; period++) {
    if (
      text ===
      text
        .slice(0, period)
        .repeat(Math.ceil(text.length / period))
        .slice(0, text.length)
    )
      return true;
  }
  return false;
}

const isRun = (text: string): boolean => text.length >= 4 && RUNS.some((run) => (run + run).includes(text));

/** Two common words in a row. */
function isTwice(text: string): boolean {
  for (let at = 3; at <= text.length - 3; at++) {
    if (WORDS.has(text.slice(0, at)) && (WORDS.has(text.slice(at)) || isRun(text.slice(at)))) return true;
  }
  return false;
}
