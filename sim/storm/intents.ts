/** The intents of the storm's users: each must take effect exactly once, however often it is sent. */

import { DIALECTS } from '../../packages/api/src/gateway/route.ts';
import { KEYS } from '../../packages/sandbox/src/users.ts';
import { randomUUID } from 'node:crypto';
import type { Random } from '@bourse/test-kit/random.ts';
import { hmac, type Signer, signRequest } from '@bourse/test-kit/wire/requests.ts';
import { WebSocket } from 'ws';

const keyOf = (name: string): Signer => KEYS.find((key) => key.name === name)!;
const ALICE = keyOf('alice');
const BOB = keyOf('bob');
const CAROL = keyOf('carol');
const [LITERAL, FAMILY] = DIALECTS as [(typeof DIALECTS)[number], (typeof DIALECTS)[number]];

const SYMBOL = 'BTC-USDT';
const PRICE = '20000';
/** The size of a sell: 0.2 USDT at that price, of which 0.0002 are the taker fee. */
const SIZE = '0.00001';
const SELL = { symbol: SYMBOL, type: 'limit', side: 'sell', price: PRICE, size: SIZE, timeInForce: 'IOC' };

export type Kind = 'named' | 'family' | 'unnamed' | 'batch' | 'transfer' | 'entry';

export interface Intent {
  readonly kind: Kind;
  /** The clientOid or, without one, the remark. */
  readonly name: string;
  readonly user: 'bob' | 'carol';
  readonly who: Signer;
  /** The fields of an order over order entry. */
  readonly order: object;
  /** Without a clientOid, a request that is signed again is a new intent. */
  readonly maySignAgain: boolean;
  /** The latest signed request. */
  bytes: Buffer;
  /** The signed timestamp, ahead of the clock. */
  signedAt: number;
  isSettled: boolean;
  /** Number of responses that acknowledged this very request. */
  done: number;
}

const KINDS: readonly Kind[] = [
  'named',
  'named',
  'family',
  'family',
  'unnamed',
  'batch',
  'transfer',
  'entry',
];

export function makeIntent(serial: number, random: Random): Intent {
  const kind = random.pick(KINDS);
  const name = `storm-${serial}`;
  const isBob = kind === 'transfer' || random.chance(0.5);
  const order = kind === 'unnamed' ? { ...SELL, remark: name } : { ...SELL, clientOid: name };
  const intent: Intent = {
    kind,
    name,
    user: isBob ? 'bob' : 'carol',
    who: isBob ? BOB : CAROL,
    order,
    maySignAgain: kind !== 'unnamed',
    bytes: Buffer.alloc(0),
    signedAt: 0,
    isSettled: false,
    done: 0,
  };
  sign(intent, 0);
  return intent;
}

/**
 * Close to the allowed clock skew, so that the signature stays valid for as long as possible, even after a slow
 * restart.
 */
const AHEAD_MS = 12_000;

/** `moreMs` makes two signatures of the same millisecond different. */
export function sign(intent: Intent, moreMs: number): void {
  intent.signedAt = Date.now() + AHEAD_MS + (moreMs % 1000);
  if (intent.kind === 'entry') return;
  const [dialect, path, body] = requestOf(intent);
  intent.bytes = signRequest(
    intent.who,
    dialect,
    'POST',
    path,
    Buffer.from(JSON.stringify(body)),
    intent.signedAt,
  ).bytes;
}

function requestOf({ kind, name, order }: Intent): [typeof LITERAL, string, object] {
  switch (kind) {
    case 'family':
      return [FAMILY, '/api/v1/hf/orders', order];
    case 'batch':
      return [LITERAL, '/api/v1/hf/orders/multi', { orderList: [order] }];
    case 'transfer': {
      const move = {
        currency: 'USDT',
        amount: '1',
        type: 'INTERNAL',
        fromAccountType: 'MAIN',
        toAccountType: 'TRADE',
      };
      return [LITERAL, '/api/v3/accounts/universal-transfer', { clientOid: name, ...move }];
    }
    default:
      return [LITERAL, '/api/v1/hf/orders', order];
  }
}

/** The order that all others sell to, large enough for any storm. */
export const bid = (): Buffer => {
  const order = {
    symbol: SYMBOL,
    type: 'limit',
    side: 'buy',
    price: PRICE,
    size: '10',
    clientOid: 'storm-bid',
  };
  return signRequest(ALICE, LITERAL, 'POST', '/api/v1/hf/orders', Buffer.from(JSON.stringify(order))).bytes;
};

export type Verdict = 'done' | 'client-id-used' | 'repeated' | 'stale' | 'unanswered' | 'unexpected';

/** The result of an intent according to a response; `text` is the body or the frame. */
export function verdictOf(text: string | null): Verdict {
  if (text === null) return 'unanswered';
  if (text.includes('"code":"400013"')) return 'repeated';
  if (text.includes('"code":"400002"')) return 'stale';
  if (text.includes('clientOidDuplicated')) return 'client-id-used';
  // In a successful batch an order may be rejected; those rejections are the two above. The response to a transfer is
  // only its id.
  if (/"code":"200(000)?"|^\{"orderId":"\w+"\}$/.test(text) && !text.includes('"success":false'))
    return 'done';
  return 'unexpected';
}

// An order entry session that sends without waiting, matches replies by id, and can be disconnected.

export class EntryLine {
  isClosed = false;
  readonly #ws: WebSocket;
  /** Pending requests by id, oldest first. */
  readonly #waiting = new Map<string, ((frame: string | null) => void)[]>();

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on('message', (data: Buffer) => this.#take(data.toString()));
    ws.on('close', () => this.#end());
  }

  /** Signs in. Rejects if the server is not reachable. */
  static open(port: number, who: Signer): Promise<EntryLine> {
    const time = String(Date.now());
    const query = new URLSearchParams({
      apikey: who.apiKey,
      sign: hmac(who.apiSecret, who.apiKey + time),
      passphrase: hmac(who.apiSecret, who.apiPassphrase),
      timestamp: time,
    });
    const ws = new WebSocket(`ws://127.0.0.1:${port}/v1/private?${query}`, { perMessageDeflate: false });
    return new Promise((resolve, reject) => {
      ws.on('error', reject);
      ws.once('close', () => reject(new Error('closed before the welcome')));
      ws.once('message', (challenge: Buffer) => {
        ws.send(hmac(who.apiSecret, challenge));
        ws.once('message', () => resolve(new EntryLine(ws)));
      });
    });
  }

  /** Null: the session ended first. */
  ask(args: object, id: string = randomUUID()): Promise<string | null> {
    if (this.isClosed) return Promise.resolve(null);
    return new Promise((resolve) => {
      const others = this.#waiting.get(id);
      if (others) others.push(resolve);
      else this.#waiting.set(id, [resolve]);
      this.#ws.send(JSON.stringify({ id, op: 'spot.order', args }));
    });
  }

  cut(): void {
    this.#ws.terminate();
    this.#end();
  }

  #take(frame: string): void {
    const { id } = JSON.parse(frame) as { id: string };
    const resolve = this.#waiting.get(id)?.shift();
    if (this.#waiting.get(id)?.length === 0) this.#waiting.delete(id);
    resolve?.(frame);
  }

  #end(): void {
    this.isClosed = true;
    for (const resolves of this.#waiting.values()) for (const resolve of resolves) resolve(null);
    this.#waiting.clear();
  }
}
