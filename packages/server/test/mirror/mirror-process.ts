/** A mirror in a process of its own, with small transactions, for whoever wants to kill it: SOURCE URL ROWS. */

import { Mirror } from '../../src/mirror/mirror.ts';
import { PostgresStore } from '../../src/mirror/postgres-store.ts';
import { openSource } from './mirrored-log.ts';

/** The last record that it has mirrored. */
export type Told = number;

/** How often it says how far it is. */
const TELL_MS = 2;

const [where = '', url = '', rows = ''] = process.argv.slice(2);
const source = await openSource(where);
const store = await PostgresStore.open(url);
const mirror = await Mirror.open({ source, store, rowsMax: Number(rows) });
const telling = setInterval(() => process.send?.(mirror.seq), TELL_MS);
await mirror.catchUp();
clearInterval(telling);
await store.close();
await source.close();
process.disconnect?.();
