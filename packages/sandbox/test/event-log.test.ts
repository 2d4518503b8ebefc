/** What the list of events stores of requests. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from '../src/watch/events.ts';
import { type NewRequest, RequestList, watchedRequest, watchedSize } from '../src/watch/requests.ts';

const MIB = 2 ** 20;
const BODY = 60_000;

function keptOf(events: EventLog): { count: number; bytes: number } {
  let [count, bytes] = [0, 0];
  for (let place = 0; ; ) {
    const piece = events.pieceAt(place);
    if (piece === null) return { count, bytes };
    for (const { body } of piece.events) bytes += String(body).length;
    count += piece.events.length;
    place = piece.next;
  }
}

const requestOf = (seq: number, texts: Partial<NewRequest>): NewRequest => ({
  seq,
  time: seq,
  wallTime: seq,
  user: null,
  apiKey: null,
  dialect: 'family',
  transport: 'http',
  route: 'place-order',
  method: 'POST',
  path: '/api/v1/hf/orders',
  query: '',
  body: '',
  status: 200,
  answer: '{"code":"200000"}',
  durationUs: 1,
  ...texts,
});

test('events of requests with long bodies are kept up to a number of bytes, and the newest stay', () => {
  const events = new EventLog();
  const requests = new RequestList();
  requests.subscribe((entry) => events.add(watchedRequest(entry), watchedSize(entry)));
  for (let seq = 1; seq <= 5000; seq++) {
    requests.add(requestOf(seq, { body: 'x'.repeat(seq % 2 === 0 ? BODY : 100) }));
  }
  const { count, bytes } = keptOf(events);
  assert.ok(bytes <= 50 * MIB, `${bytes} bytes of bodies are kept`);
  assert.ok(count >= 500, `${count} events are kept`);
  const piece = events.pieceAt(events.placeAfter(4999));
  assert.deepEqual(
    piece?.events.map(({ seq }) => seq),
    [5000],
  );
});

const LONG = 'x'.repeat(BODY);
for (const [name, texts] of Object.entries({
  path: { path: `/${LONG}` },
  key: { apiKey: LONG },
  'signed text': { signed: { expected: LONG } },
})) {
  test(`a long ${name} counts towards the bytes that lists of requests and events keep`, () => {
    const events = new EventLog();
    const requests = new RequestList();
    requests.subscribe((entry) => events.add(watchedRequest(entry), watchedSize(entry)));
    for (let seq = 1; seq <= 2000; seq++) requests.add(requestOf(seq, texts));

    const [newest] = requests.list(() => true, undefined, 1);
    assert.ok(JSON.stringify(newest).length > BODY, 'the newest is complete');
    const first = JSON.stringify(requests.list(() => true, 0, 1000));
    assert.ok(first.length <= MIB + 1000 * 1000, `a list has ${first.length} bytes`);
    const kept = requests.list(() => true, 0, 1000);
    for (let piece = kept; piece.length > 0; kept.push(...piece)) {
      piece = requests.list(() => true, kept.at(-1)!.id, 1000);
    }
    assert.equal(kept.length, 2000);
    const long = kept.filter((entry) => JSON.stringify(entry).length > BODY).length;
    assert.ok(long * BODY <= 64 * MIB, `${long} entries are complete`);

    const { count } = keptOf(events);
    assert.ok(count * BODY <= 50 * MIB, `${count} events are kept`);
  });
}
