/** What the list of events keeps of requests. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from '../src/watch/events.ts';
import { RequestList, watchedRequest, watchedSize } from '../src/watch/requests.ts';

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

test('events of requests with long bodies are kept up to a number of bytes, and the newest stay', () => {
  const events = new EventLog();
  const requests = new RequestList();
  requests.subscribe((entry) => events.add(watchedRequest(entry), watchedSize(entry)));
  for (let seq = 1; seq <= 5000; seq++) {
    requests.add({
      seq,
      time: seq,
      wallTime: seq,
      user: null,
      apiKey: null,
      dialect: 'family',
      transport: 'http',
      route: '/api/v1/hf/orders',
      method: 'POST',
      path: '/api/v1/hf/orders',
      query: '',
      body: 'x'.repeat(seq % 2 === 0 ? BODY : 100),
      status: 200,
      answer: '{"code":"200000"}',
      durationUs: 1,
    });
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
