/**
 * Prints the rules of every record of a stream as JSON: `node record-rules.ts URL THROUGH-SEQUENCE`. It runs in a
 * separate process, because a build reads only the rules that it knows, and a test may request those of a newer build.
 */

import { deriveClusterKeys } from '../src/authentication.ts';
import { connectTo } from '../src/stream/nats-link.ts';
import { NatsStream } from '../src/stream/nats-stream.ts';
import { RecordMac } from '../src/stream/record-stream.ts';
import { StreamReader } from '../src/stream/stream-reader.ts';
import { nodeClock } from '../../engine/src/io/clock.ts';
import { SANDBOX_SECRET_KEY } from '../../sandbox/src/seed.ts';

const [url = '', throughSeq] = process.argv.slice(2);
const address = { servers: [url], stream: 'bourse' };
const connection = await connectTo(address, 'test');
const stream = await NatsStream.open({ connection, address, replicas: 0 });
const { records: key } = deriveClusterKeys(SANDBOX_SECRET_KEY, address.stream);
const reader = await StreamReader.open({ stream, clock: nodeClock, mac: new RecordMac(key) });
const rules: number[] = [];
for await (const record of reader.read(1, Number(throughSeq))) rules.push(record.rules ?? 1);
await reader.close();
console.log(JSON.stringify(rules));
process.exit(0);
