/**
 * Loaded into the exchange's process before the exchange itself (`--import`): writes a heartbeat from the event loop
 * into shared memory, and starts the watchdog thread. FUZZ_PLANT breaks the exchange on purpose, to show that this is
 * detected.
 */

import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import { isMainThread, Worker } from 'node:worker_threads';

const BEAT_MS = 20;
const REQUEST = 'http.server.request.start';

interface Started {
  readonly request: IncomingMessage;
  readonly server: Server;
}

interface Parser {
  [ON_EXECUTE]: (taken: number | Error) => void;
  execute(bytes: Buffer): number | Error;
  getCurrentBuffer(): Buffer;
}

const ON_EXECUTE = 5;

/** The exchange's worker threads load this module too. */
if (isMainThread) {
  const beat = new Int32Array(new SharedArrayBuffer(4));
  // From the first request on, because loading the exchange takes seconds of CPU time on a slow machine.
  const begin = (): void => {
    diagnostics.unsubscribe(REQUEST, begin);
    Atomics.add(beat, 0, 1);
    setInterval(() => Atomics.add(beat, 0, 1), BEAT_MS).unref();
  };
  diagnostics.subscribe(REQUEST, begin);
  const cpuSecondsMax = Number(process.env['FUZZ_CPU_SECONDS'] ?? 10);
  const options = { workerData: { beat, cpuSecondsMax }, execArgv: [] };
  new Worker(new URL('./watchdog.ts', import.meta.url), options).unref();
  const plants = { loop: plantLoop, 'operator-loop': plantOperatorLoop, crash: plantCrash };
  const planted = plants[(process.env['FUZZ_PLANT'] ?? '') as keyof typeof plants];
  if (planted) diagnostics.subscribe(REQUEST, planted as diagnostics.ChannelListener);
}

/** Resumes a parser after a declined upgrade without checking whether it makes progress. */
function plantLoop({ request }: Started): void {
  if (request.headers.upgrade === undefined) return;
  const { parser } = request.socket as unknown as { readonly parser: Parser };
  const onExecute = parser[ON_EXECUTE];
  parser[ON_EXECUTE] = (taken) => {
    const bytes = parser.getCurrentBuffer();
    let end = taken;
    while (typeof end === 'number' && end < bytes.length) {
      const more = parser.execute(bytes.subarray(end));
      end = typeof more === 'number' ? end + more : more;
    }
    onExecute(end);
  };
}

let publicServer: Server | undefined;

/** The same on a venue, only behind the operators' listener: the run's first request, for a feed token, is public. */
function plantOperatorLoop(started: Started): void {
  publicServer ??= started.server;
  if (started.server !== publicServer) plantLoop(started);
}

function plantCrash({ request }: Started): void {
  if (request.headers.expect === undefined) return;
  queueMicrotask(() => {
    throw new Error('planted');
  });
}
