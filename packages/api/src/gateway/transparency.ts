/** The public transparency endpoints: checkpoints of the log, liabilities, and the key that signs them. */

import type { FastifyInstance } from 'fastify';

const PAGE = 100;

export interface PublishedCheckpoint {
  /** Number of records it covers. */
  readonly size: number;
  readonly time: number;
  /** The signed note. */
  readonly note: string;
}

/** The exchange's liabilities to its users as of a record. */
export interface PublishedLiabilities {
  readonly id: string;
  /** The log's name. */
  readonly origin: string;
  readonly record: number;
  /** Time of the record. */
  readonly time: number;
  readonly currencies: readonly {
    readonly currency: string;
    readonly decimals: number;
    /** `units` as a decimal amount. */
    readonly sum: string;
    readonly units: string;
    /** Base64. */
    readonly root: string;
  }[];
  /** The checkpoint at the record; one line commits to `currencies`. */
  readonly checkpoint: string;
}

/** Bytes are base64. */
export interface LiabilityProof {
  readonly id: string;
  readonly record: number;
  readonly time: number;
  readonly origin: string;
  readonly user: string;
  /** Excludes currencies in which the user had no balance. */
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

/** The limit on kept publications is reached. */
export class LiabilitiesFull extends Error {
  override readonly name = 'LiabilitiesFull';
}

export interface Transparency {
  /** The public key for verifiers, in one line. */
  readonly key: string;
  readonly newest: PublishedCheckpoint | undefined;
  /** Checkpoints of more than `size` records, oldest first. Exceeds `count` only for checkpoints of the same size. */
  after(size: number, count: number): readonly PublishedCheckpoint[];
  take(): Promise<PublishedCheckpoint>;
  readonly liabilities: {
    /** Publications before record `before`, newest first, at most 100. */
    published(before?: number): readonly PublishedLiabilities[];
    /** Rejects with LiabilitiesFull. */
    take(): Promise<PublishedLiabilities>;
    /** Returns null if no publication with this id is kept. */
    proofOf(id: string, user: number): Promise<LiabilityProof | null>;
  };
  /** The source of verify-liabilities.mjs. */
  verifier(): Promise<string>;
}

/** On a cluster node, which has no `transparency`, every path returns 404. */
export function serveTransparency(app: FastifyInstance, transparency: Transparency | undefined): void {
  if (!transparency) {
    const msg = 'A cluster node takes no checkpoints and publishes no liabilities.';
    app.get('/transparency/*', (_, reply) => reply.code(404).send({ code: 'no-checkpoints', msg }));
    return;
  }
  app.get('/transparency/key', (_, reply) => reply.type('text/plain').send(`${transparency.key}\n`));
  app.get('/transparency/checkpoint', (_, reply) => {
    const { newest } = transparency;
    if (newest) return reply.type('text/plain; charset=utf-8').send(newest.note);
    return reply
      .code(404)
      .send({ code: 'no-checkpoint', msg: 'No checkpoint was taken yet. Try again later.' });
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
  msg: `${name}: expected a number of records, such as 1200.`,
});
