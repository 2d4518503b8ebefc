/**
 * A mirror in a separate process, with small transactions: SOURCE URL ROWS [SEQ MS]. MS milliseconds after it has
 * reached record SEQ it kills itself: a kill from outside would depend on scheduling.
 */

import { Mirror } from '../../../mirror/src/mirror.ts';
import { PostgresStore } from '../../../mirror/src/postgres-store.ts';
import { openSource } from './mirrored-log.ts';

const LOOK_MS = 2;

const [where = '', url = '', rows = '', killedAt = 'Infinity', killedAfterMs = '0'] = process.argv.slice(2);
const source = await openSource(where);
const store = await PostgresStore.open(url);
const mirror = await Mirror.open({ source, store, rowsMax: Number(rows) });
const looking = setInterval(() => {
  if (mirror.seq < Number(killedAt)) return;
  clearInterval(looking);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(killedAfterMs));
}, LOOK_MS);
await mirror.catchUp();
clearInterval(looking);
await store.close();
await source.close();
