// Notices of operators, their public list, and a scheduled change of increments.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { clientOf, Operator, openFor } from './exchange.ts';
import { run } from './process.ts';

type Row = Record<string, unknown>;

test('/announcements lists a notice from its publication time on, with the change that it announces', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const anyone = clientOf(running, 'alice');
  const read = async (path: string): Promise<Row[]> => {
    const { status, json, text } = await anyone.get(path);
    assert.equal(status, 200, text);
    return (json.data as { readonly items: Row[] }).items;
  };
  const control = async (path: string, body: object): Promise<void> => {
    const { sandboxUrl, operatorToken } = running.connection as unknown as Record<string, string>;
    const answer = await fetch(sandboxUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  const advance = (ms: number) => control('/clock/advance', { ms });
  await control('/clock', { mode: 'manual' });
  const incrementOf = async (): Promise<unknown> => {
    const { json } = await anyone.get('/api/v2/symbols');
    return (json as unknown as Row[]).find(({ symbol }) => symbol === 'BTC-USDT')!['priceIncrement'];
  };
  assert.deepEqual(await read('/api/v3/announcements'), []);
  const now = await running.engine.read(({ time }) => time);
  const before = await incrementOf();
  const notice = {
    title: 'Coarser prices',
    text: 'In an hour.',
    type: 'product-updates',
    symbol: 'BTC-USDT',
    priceIncrement: '1',
    effectiveAt: now + 3_600_000,
    reason: 'test',
  };
  const published = await operator.post('/v1/notices', notice);
  assert.equal(published.status, 200, JSON.stringify(published.body));
  await operator.post('/v1/notices', { title: 'Later', publishAt: now + 7_200_000, reason: 'test' });

  const [item, ...others] = await read('/api/v3/announcements?annType=latest-announcements&lang=en_US');
  assert.deepEqual(others, [], 'one that is published later is not there yet');
  const { cTime, ...shown } = item!;
  assert.equal(typeof cTime, 'number');
  assert.deepEqual(shown, {
    annId: 1,
    annTitle: 'Coarser prices',
    annType: ['latest-announcements', 'product-updates'],
    annDesc: 'In an hour.',
    language: 'en_US',
    annUrl: '',
    change: {
      symbol: 'BTC-USDT',
      priceIncrement: '1',
      quoteIncrement: null,
      effectiveTime: now + 3_600_000,
      status: 'scheduled',
    },
  });
  assert.deepEqual(await read('/api/v1/announcements'), [item]);
  assert.deepEqual(await read('/api/v3/announcements?annType=delistings'), []);
  assert.deepEqual(await read(`/api/v3/announcements?startTime=${now + 3_600_000}`), []);
  assert.equal(await incrementOf(), before);

  await advance(3_500_000);
  assert.equal(await incrementOf(), before, 'not before its time');
  await advance(200_000);
  assert.equal(await incrementOf(), '1', 'and then by itself');
  const [done] = await read('/api/v3/announcements');
  assert.equal((done!['change'] as Row)['status'], 'done');
  await advance(3_600_000);
  assert.equal((await read('/api/v3/announcements')).length, 2, 'the later one is there now');

  const listed = (await operator.get('/v1/notices')).body as Row[];
  assert.deepEqual(
    listed.map(({ noticeId, title }) => [noticeId, title]),
    [
      ['2', 'Later'],
      ['1', 'Coarser prices'],
    ],
  );
});

test('an invalid notice is rejected with an error that says what is valid, and a notice can be removed', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const refused = async (body: Row, status: number, saying: RegExp) => {
    const answer = await operator.post('/v1/notices', { title: 'x', reason: 'test', ...body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(String((answer.body as Row)['msg']), saying);
  };
  const change = { symbol: 'BTC-USDT', priceIncrement: '1', effectiveAt: 4_102_444_800_000 };
  await refused({ title: '' }, 400, /title/);
  await refused({ type: 'gossip' }, 400, /type/);
  await refused({ symbol: 'BTC-USDT' }, 400, /belong together/);
  await refused({ ...change, symbol: 'NO-SUCH' }, 404, /NO-SUCH/);
  await refused({ ...change, priceIncrement: '0' }, 400, /priceIncrement/);
  await refused({ ...change, effectiveAt: 5 }, 400, /milliseconds/);
  const { body } = await operator.post('/v1/notices', { title: 'x', ...change, reason: 'test' });
  const { noticeId } = body as Record<string, string>;
  assert.equal((await operator.send('DELETE', `/v1/notices/${noticeId}?reason=test`)).status, 200);
  assert.equal((await operator.send('DELETE', `/v1/notices/${noticeId}?reason=test`)).status, 404);
  assert.deepEqual((await operator.get('/v1/notices')).body, []);
});

test('bourse notices publishes, lists and removes notices', async (t) => {
  const running = await openFor(t);
  const file = `${makeDirectory(t)}/connection.json`;
  writeFileSync(file, JSON.stringify(running.connection));
  const bourse = (...args: string[]) => run(['notices', ...args, '--connect', file]);
  const change = ['--symbol', 'BTC-USDT', '--price-increment', '1'];
  const publish = (title: string, ...args: string[]) => bourse('publish', title, ...args, '--reason', 'test');
  const published = await publish(
    'Coarser prices',
    ...change,
    '--effective-at',
    '2099-01-01T00:00:00Z',
    '--text',
    'In many years.',
    '--json',
  );
  assert.equal(published.code, 0, published.err);
  const { noticeId, text, change: announced } = JSON.parse(published.out) as Row;
  assert.equal(text, 'In many years.');
  assert.deepEqual(announced, {
    symbol: 'BTC-USDT',
    effectiveAt: '2099-01-01T00:00:00.000Z',
    priceIncrement: '1',
    quoteIncrement: null,
    status: 'scheduled',
  });
  const later = await publish('Later', '--publish-at', '2099-01-01T00:00:00Z', '--type', 'delistings');
  assert.equal(later.code, 0, later.err);
  const { out: table } = await bourse('list');
  assert.match(table, /^noticeId +publishAt +type +title +symbol +effectiveAt +status$/m);
  assert.match(table, /Coarser prices +BTC-USDT +2099-01-01T00:00:00\.000Z +scheduled$/m);
  assert.match(table, /^\S+ +2099-01-01T00:00:00\.000Z +delistings +Later /m);
  const { json } = await clientOf(running, 'alice').get('/api/v3/announcements');
  assert.deepEqual(
    (json.data as { readonly items: Row[] }).items.map(({ annTitle }) => annTitle),
    ['Coarser prices'],
  );

  for (const [args, code, says] of [
    [['--effective-at', 'tomorrow', ...change], 2, /--effective-at: 'tomorrow' is not a time/],
    [['--publish-at', '25:00'], 2, /--publish-at: '25:00' is not a time/],
    [['--symbol', 'BTC-USDT'], 1, /belong together/],
    [['--type', 'gossip'], 1, /type/],
  ] as const) {
    const wrong = await publish('x', ...args);
    assert.deepEqual([wrong.code, wrong.out], [code, ''], wrong.err);
    assert.match(wrong.err, says);
  }

  const remove = () => bourse('remove', String(noticeId), '--reason', 'postponed', '--json');
  assert.deepEqual(JSON.parse((await remove()).out), { noticeId, removed: true });
  const again = await remove();
  assert.equal(again.code, 1);
  assert.match(again.err, /there is no notice/);
  assert.equal((JSON.parse((await bourse('list', '--json')).out) as Row[]).length, 1);
});
