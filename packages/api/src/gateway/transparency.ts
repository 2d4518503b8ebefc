/** What outsiders hold the exchange to, for everybody: the checkpoints of its log and the key that they are signed with. */

import type { FastifyInstance } from 'fastify';

const PAGE = 100;

export interface PublishedCheckpoint {
  /** Records that it counts. */
  readonly size: number;
  readonly time: number;
  /** As it was signed. */
  readonly note: string;
}

export interface Transparency {
  /** For whoever verifies, in one line. */
  readonly key: string;
  readonly newest: PublishedCheckpoint | undefined;
  /** Of more records than `size`, the oldest first. */
  after(size: number, count: number): readonly PublishedCheckpoint[];
  take(): Promise<PublishedCheckpoint>;
}

export function serveTransparency(app: FastifyInstance, transparency: Transparency): void {
  app.get('/transparency/key', (_, reply) => reply.type('text/plain').send(`${transparency.key}\n`));
  app.get('/transparency/checkpoint', (_, reply) => {
    const { newest } = transparency;
    if (newest) return reply.type('text/plain; charset=utf-8').send(newest.note);
    return reply
      .code(404)
      .send({ code: 'no-checkpoint', msg: 'No checkpoint was taken yet. Ask again later.' });
  });
  app.get('/transparency/checkpoints', ({ query }, reply) => {
    const { after = '0' } = query as { readonly after?: string };
    if (typeof after !== 'string' || !/^\d{1,15}$/.test(after)) {
      const msg = 'after: the number of records of a checkpoint is expected, such as 1200.';
      return reply.code(400).send({ code: 'value-invalid', msg });
    }
    return reply.send({ items: transparency.after(Number(after), PAGE) });
  });
}
