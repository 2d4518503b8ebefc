/**
 * An engine in its own process, for tests that kill it. `node engine-process.ts DIR [keep-segments]` opens the
 * engine, prints `{"ready":{...}}`, takes one request a line on stdin and prints one answer a line, in any order:
 *
 *   {"id":1,"command":{...}}     -> {"id":1,"seq":9,"time":...,"outcome":{...}} or {"id":1,"unavailable":"stopped"}
 *   {"id":2,"order":17}          -> {"id":2,"active":{...}|null,"done":{...}|null,"history":{...}|null}
 *   {"id":3,"hash":true}         -> {"id":3,"seq":9,"hash":"..."}
 *   {"id":4,"snapshot":true}     -> {"id":4,"seq":9,"bytes":...,"hash":"..."}
 *   {"id":5,"caughtUp":true}     -> {"id":5,"checkpoint":9}
 *
 * A bigint is written as digits followed by `n`, in both directions. The end of stdin closes the engine.
 */

import { createInterface } from 'node:readline';
import type { Command } from '@bourse/core';
import type { Engine } from '../../engine/src/engine.ts';
import { Unavailable } from '../../engine/src/exchange-port.ts';
import { openDirectoryEngine } from './test-engine.ts';
import { submit } from './submit.ts';

interface Request {
  readonly id: number;
  readonly command?: Command;
  readonly order?: number;
  readonly hash?: boolean;
  readonly snapshot?: boolean;
  readonly caughtUp?: boolean;
}

const print = (value: unknown) =>
  process.stdout.write(
    `${JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field))}\n`,
  );

const parse = (line: string): Request =>
  JSON.parse(line, (_, field: unknown) =>
    typeof field === 'string' && /^-?\d+n$/.test(field) ? BigInt(field.slice(0, -1)) : field,
  ) as Request;

async function answer(engine: Engine, request: Request): Promise<object> {
  const { command, order, hash, snapshot, caughtUp } = request;
  if (command) return submit(engine, command);
  if (hash) return engine.read((exchange) => ({ seq: exchange.seq, hash: exchange.hash() }));
  if (snapshot) return engine.snapshot();
  if (caughtUp) {
    await engine.historyCaughtUp();
    return { checkpoint: engine.history.checkpoint };
  }
  if (order === undefined) throw new Error('a request has a command, order, hash, snapshot or caughtUp');
  const inMemory = await engine.read((exchange) => ({
    active: exchange.order(order),
    done: exchange.doneOrder(order),
  }));
  return { ...inMemory, history: engine.history.order(order) };
}

const [dir, keep] = process.argv.slice(2);
if (!dir) throw new Error('node engine-process.ts DIR [keep-segments]');
const engine = await openDirectoryEngine(
  dir,
  {
    followPauseMs: 20,
    segmentBytes: 1 << 18,
    keepSegments: keep === 'keep-segments',
    onStop: (why) => print({ stopped: why.message }),
  },
  { snapshotRecords: 500 },
);
print({ ready: engine.start });
const waiting = new Set<Promise<unknown>>();
for await (const line of createInterface({ input: process.stdin })) {
  const request = parse(line);
  const done = answer(engine, request).then(
    (value) => print({ id: request.id, ...value }),
    (error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
      print({ id: request.id, unavailable: error.reason });
    },
  );
  waiting.add(done);
  void done.finally(() => waiting.delete(done));
}
await Promise.all(waiting);
await engine.close();
print({ closed: true });
