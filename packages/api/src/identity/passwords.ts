/**
 * Password hashes: argon2id in one worker thread with a bounded queue. Never on libuv's pool, where the log syncs: four
 * sign-ins would delay every order.
 *
 * A verifier is `argon2id.memory.passes.salt.hash`, memory in KiB.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { HashTask } from './hash-task.ts';
import { networkOf } from '../gateway/access/ip-addresses.ts';
import { identityRefusal } from './identity-errors.ts';

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
