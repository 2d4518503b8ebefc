import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { deriveClusterKeys } from '../src/authentication.ts';
import { JetStreamLog } from '../src/stream/jetstream-log.ts';
import { type ClusterAddress, connectTo } from '../src/stream/nats-link.ts';
import { NatsStream } from '../src/stream/nats-stream.ts';
import { type AppendResult, RecordMac, type RecordStream } from '../src/stream/record-stream.ts';
import { StreamReader } from '../src/stream/stream-reader.ts';
import { nodeClock } from '../../engine/src/io/clock.ts';
import { LogConflict, LogFull } from '../../engine/src/log/command-log.ts';
import { readAll, recordOf, testLog } from '@bourse/test-kit/contracts.ts';

const skip = await whySkipped();
let test1: TestLogServers;
let count = 0;

before(async () => {
  if (!skip) test1 = await startLogServers(1);
});
after(async () => {
  if (!skip) await test1.close();
});

const newAddress = (): ClusterAddress => ({ servers: test1.servers.urls, stream: `test-${++count}` });

async function openStream(address: ClusterAddress, bytesMax = 0): Promise<NatsStream> {
  const connection = await connectTo(address, 'test');
  return NatsStream.open({ connection, address, replicas: 1, bytesMax });
}

const { records: key } = deriveClusterKeys('a7'.repeat(32), 'test');
const mac = new RecordMac(key);

const open = async (address: ClusterAddress): Promise<JetStreamLog> =>
  JetStreamLog.open({ stream: await openStream(address), clock: nodeClock, mac });

if (skip) test('a log in a stream', { skip }, () => undefined);
else {
  testLog('a stream of a real server', async () => {
    const address = newAddress();
    let current = await open(address);
    return {
      log: current,
      givesUp: true,
      async reopen() {
        await current.close();
        current = await open(address);
        return current;
      },
    };
  });

  describe('a log in a stream', () => {
    test('is not opened with another key, which would see no record and begin a second exchange', async () => {
      const address = newAddress();
      const log = await open(address);
      for (let seq = 1; seq <= 3; seq++) await log.append(recordOf(seq)).durable;
      await log.close();
      const { records: other } = deriveClusterKeys('b8'.repeat(32), 'test');
      const stream = await openStream(address);
      await assert.rejects(
        JetStreamLog.open({ stream, clock: nodeClock, mac: new RecordMac(other) }),
        /No record of the stream was written with this secret key/,
      );
      await stream.close();
      const again = await open(address);
      assert.equal(again.lastSeq, 3);
      await again.close();
    });

    test('of several writers after one record, one succeeds, and the others get an error and continue from the log', async () => {
      const address = newAddress();
      const logs = await Promise.all(Array.from({ length: 5 }, () => open(address)));
      for (let seq = 1; seq <= 20; seq++) {
        const results = await Promise.allSettled(
          logs.map((log, at) => log.append(recordOf(seq, { time: 1000 + 10 * seq + at })).durable),
        );
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
        for (const [at, result] of results.entries()) {
          if (result.status === 'fulfilled') continue;
          assert.ok(result.reason instanceof LogConflict);
          assert.throws(() => logs[at].append(recordOf(seq)), LogConflict);
          logs[at].resume();
          while (logs[at].lastSeq < seq) await logs[at].readNew();
        }
      }
      const [first, ...others] = await Promise.all(logs.map((log) => readAll(log, 1, 20)));
      for (const each of others) assert.deepEqual(each, first);
      for (const log of logs) await log.close();
    });

    test("an append without a response is resolved: the record is there once, or another writer's is", async () => {
      const address = newAddress();
      const stream = await openStream(address);
      const faults: ('lost-answer' | 'lost' | 'other')[] = [];
      const other = await open(address);
      const frail: RecordStream = {
        messageBytesMax: stream.messageBytesMax,
        bounds: () => stream.bounds(),
        end: () => stream.end(),
        read: (from) => stream.read(from),
        find: (kind, from) => stream.find(kind, from),
        removeBelow: (at) => stream.removeBelow(at),
        leaveServer: () => stream.leaveServer(),
        close: () => stream.close(),
        async append(kind, bytes, behind): Promise<AppendResult> {
          const fault = faults.shift();
          if (fault === 'other') await other.append(recordOf(other.lastSeq + 1, { time: 9000 })).durable;
          if (fault === 'lost-answer') await stream.append(kind, bytes, behind);
          return fault === undefined ? stream.append(kind, bytes, behind) : 'unknown';
        },
      };
      const log = await JetStreamLog.open({ stream: frail, clock: nodeClock, mac });
      for (const [fault, seq] of [
        ['lost-answer', 1],
        ['lost', 2],
        ['lost-answer', 3],
      ] as const) {
        faults.push(fault);
        await log.append(recordOf(seq)).durable;
        assert.equal(log.lastSeq, seq);
      }
      while (other.lastSeq < 3) await other.readNew();
      faults.push('other');
      await assert.rejects(log.append(recordOf(4)).durable, LogConflict);
      assert.equal(log.lastSeq, 3);
      assert.deepEqual(
        await readAll(other, 1, 9),
        [1, 2, 3, 4].map((seq) => recordOf(seq, seq === 4 ? { time: 9000 } : {})),
      );
      await log.close();
      await other.close();
    });

    test('a late append without a response is found, even if the stream reported meanwhile that it is full', async (context) => {
      const stream = await openStream(newAddress());
      const attempts: ('late' | 'full')[] = ['late', 'full'];
      let late: (() => Promise<AppendResult>) | null = null;
      let wasFull = false;
      const frail: RecordStream = {
        messageBytesMax: stream.messageBytesMax,
        bounds: () => stream.bounds(),
        end: () => stream.end(),
        async read(from) {
          const found = await stream.read(from);
          // Only now does the first attempt reach the servers: after the next one was rejected and its message was not
          // found.
          if (wasFull && late) await late();
          if (wasFull) late = null;
          return found;
        },
        find: (kind, from) => stream.find(kind, from),
        removeBelow: (at) => stream.removeBelow(at),
        leaveServer: () => stream.leaveServer(),
        close: () => stream.close(),
        async append(kind, bytes, behind): Promise<AppendResult> {
          const attempt = attempts.shift();
          if (attempt === 'late') {
            late = () => stream.append(kind, bytes, behind);
            return 'unknown';
          }
          if (attempt === undefined) return stream.append(kind, bytes, behind);
          wasFull = true;
          return 'full';
        },
      };
      const log = await JetStreamLog.open({ stream: frail, clock: nodeClock, mac });
      context.after(() => log.close());
      await log.append(recordOf(1)).durable;
      await log.append(recordOf(2)).durable;
      assert.deepEqual(await readAll(log, 1, 9), [recordOf(1), recordOf(2)]);
    });

    test('a full stream rejects records, discards none, and has space again when old ones are removed', async () => {
      const address = newAddress();
      const log = await JetStreamLog.open({
        stream: await openStream(address, 100_000),
        clock: nodeClock,
        mac,
      });
      const large = (seq: number) =>
        recordOf(seq, { commands: [{ kind: 'add-user', name: 'x'.repeat(9000) }] });
      let seq = 0;
      await assert.rejects(async () => {
        for (;;) {
          await log.append(large(seq + 1)).durable;
          seq++;
        }
      }, LogFull);
      assert.equal(log.lastSeq, seq);
      assert.ok(seq >= 5);
      await assert.rejects(log.append(large(seq + 1)).durable, LogFull);
      assert.equal((await readAll(log, 1, 99)).length, seq);
      await log.removeBelow(seq - 1);
      await log.append(large(seq + 1)).durable;
      await log.close();
    });

    test('a record above the size limit of the servers is rejected before anything is sent', async () => {
      const log = await open(newAddress());
      const huge = recordOf(1, { commands: [{ kind: 'add-user', name: 'x'.repeat(9 << 20) }] });
      assert.throws(() => log.append(huge), RangeError);
      await log.append(recordOf(1)).durable;
      await log.close();
    });

    test('a read that no server answers ends when the stream is closed', async () => {
      const stream = await openStream(newAddress());
      const server = test1.servers.process(0)!;
      server.kill('SIGSTOP');
      try {
        const reading = stream.read(1).then(
          () => 'read',
          ({ message }: Error) => message,
        );
        await stream.close();
        assert.equal(await reading, 'The connection to the log servers was closed.');
      } finally {
        server.kill('SIGCONT');
      }
    });

    test('a concurrent reader waits for records that are not written yet', async () => {
      const address = newAddress();
      const log = await open(address);
      const reader = await StreamReader.open({ stream: await openStream(address), clock: nodeClock, mac });
      const reading = readAll(reader, 1, 3);
      for (let seq = 1; seq <= 3; seq++) await log.append(recordOf(seq)).durable;
      assert.deepEqual(await reading, [recordOf(1), recordOf(2), recordOf(3)]);
      await reader.close();
      await log.close();
    });
  });
}
