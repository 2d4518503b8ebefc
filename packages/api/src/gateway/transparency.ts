/** What outsiders hold the exchange to, for everybody: checkpoints of its log, what it owes, and the key it signs with. */

import type { FastifyInstance } from 'fastify';

const PAGE = 100;

export interface PublishedCheckpoint {
  /** Records that it counts. */
  readonly size: number;
  readonly time: number;
  /** As it was signed. */
  readonly note: string;
}

/** What the exchange owed its users after a record. */
export interface PublishedLiabilities {
  readonly id: string;
  /** The log's name. */
  readonly origin: string;
  readonly record: number;
  /** Of the record. */
  readonly time: number;
  readonly currencies: readonly {
    readonly currency: string;
    readonly decimals: number;
    /** `units` in decimals. */
    readonly sum: string;
    readonly units: string;
    /** Base64. */
    readonly root: string;
  }[];
  /** The checkpoint of the record, with a line that commits to `currencies`. */
  readonly checkpoint: string;
}

/** Bytes are in base64. */
export interface LiabilityProof {
  readonly id: string;
  readonly record: number;
  readonly time: number;
  readonly origin: string;
  readonly user: string;
  /** Without currencies of which the user had nothing. */
  readonly balances: readonly {
    readonly currency: string;
    readonly balance: string;
    readonly units: string;
    readonly nonce: string;
    /** From the leaf to the root. */
    readonly path: readonly {
      readonly side: 'left' | 'right';
      readonly digest: string;
      readonly units: string;
    }[];
  }[];
}

/** So many trees are kept that no others are made. */
export class LiabilitiesFull extends Error {
  override readonly name = 'LiabilitiesFull';
}

export interface Transparency {
  /** For whoever verifies, in one line. */
  readonly key: string;
  readonly newest: PublishedCheckpoint | undefined;
  /** Of more records than `size`, the oldest first; more than `count` only where they have the same size. */
  after(size: number, count: number): readonly PublishedCheckpoint[];
  take(): Promise<PublishedCheckpoint>;
  readonly liabilities: {
    /** Of records before `before`, the newest first, 100 at most. */
    published(before?: number): readonly PublishedLiabilities[];
    /** Rejects with LiabilitiesFull. */
    take(): Promise<PublishedLiabilities>;
    /** Null where none of this id are kept. */
    proofOf(id: string, user: number): Promise<LiabilityProof | null>;
  };
  /** The source of verify-liabilities.mjs. */
  verifier(): Promise<string>;
}

/** A node of a cluster has none, and says so. */
export function serveTransparency(app: FastifyInstance, transparency: Transparency | undefined): void {
  if (!transparency) {
    const msg = 'A node of a cluster takes no checkpoints and publishes no liabilities.';
    app.get('/transparency/*', (_, reply) => reply.code(404).send({ code: 'no-checkpoints', msg }));
    return;
  }
  app.get('/transparency/key', (_, reply) => reply.type('text/plain').send(`${transparency.key}\n`));
  app.get('/transparency/checkpoint', (_, reply) => {
    const { newest } = transparency;
    if (newest) return reply.type('text/plain; charset=utf-8').send(newest.note);
    return reply
      .code(404)
      .send({ code: 'no-checkpoint', msg: 'No checkpoint was taken yet. Ask again later.' });
  });
  app.get('/transparency/checkpoints', ({ query }, reply) => {
    const { after = '0' } = query as { readonly after?: unknown };
    if (!isCount(after)) return reply.code(400).send(countExpected('after'));
    return reply.send({ items: transparency.after(Number(after), PAGE) });
  });
  app.get('/transparency/liabilities', ({ query }, reply) => {
    const { before } = query as { readonly before?: unknown };
    if (before !== undefined && !isCount(before)) return reply.code(400).send(countExpected('before'));
    const until = before === undefined ? undefined : Number(before);
    return reply.send({ items: transparency.liabilities.published(until) });
  });
  app.get('/transparency/verify-liabilities.mjs', async (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(await transparency.verifier()),
  );
}

const isCount = (text: unknown): text is string => typeof text === 'string' && /^\d{1,15}$/.test(text);

const countExpected = (name: string): object => ({
  code: 'value-invalid',
  msg: `${name}: a number of records is expected, such as 1200.`,
});
