/**
 * npm run bench:feed [-- --json] [-- --turns N] [-- --readers N]
 *
 * Messages delivered to many readers of one topic, compared with a plain send loop of the same texts, alternating
 * within one run: first single trades from eight clients, then twenty at a time. Then the delay from the response to
 * an order to its message.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Burst, Child, type Report } from './messages.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '3' },
    readers: { type: 'string', default: '1000' },
    orders: { type: 'string', default: '1000' },
  },
});
const turns = Number(values.turns);
const readerCount = Number(values.readers);

const BAR = 8;
const SINGLE = { kind: 'burst', messages: 240, together: 1, clients: 8, aheadMax: 48 } as const;
const MANY = { kind: 'burst', messages: 400, together: 20, clients: 1, aheadMax: 200 } as const;

const show = (name: string, text: string) => console.log(`${name.padEnd(38)} ${text}`);
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1];

const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
const children: Child[] = [];

async function start(file: URL, argument = ''): Promise<{ child: Child; url: string }> {
  const child = new Child(file, argument);
  children.push(child);
  const { url = '' } = await child.next('ready');
  return { child, url };
}

/** Messages per second delivered to all readers together. */
async function run(server: Child, readers: Child, burst: Burst): Promise<number> {
  const off = readers.on(({ kind, messages = 0 }: Report) => {
    if (kind === 'progress') server.send({ kind: 'progress', messages });
  });
  const done = readers.ask({ kind: 'count', messages: burst.messages });
  await server.ask(burst);
  const { seconds = 0, texts = [] } = await done;
  off();
  if (!hasTexts) {
    writeFileSync(join(dir, 'texts'), texts.join('\n'));
    hasTexts = true;
  }
  return (burst.messages * readerCount) / seconds;
}

let hasTexts = false;

async function token(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/bullet-public`, { method: 'POST' });
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}

try {
  const exchange = await start(new URL('./exchange.ts', import.meta.url), join(dir, 'data'));
  const ours = await start(new URL('./readers.ts', import.meta.url));
  await ours.child.ask({
    kind: 'open',
    url: `${exchange.url}/feed?token=${await token(exchange.url)}`,
    readers: readerCount,
  });
  await run(exchange.child, ours.child, MANY);
  const plain = await start(new URL('./plain.ts', import.meta.url), join(dir, 'texts'));
  const theirs = await start(new URL('./readers.ts', import.meta.url));
  await theirs.child.ask({ kind: 'open', url: `${plain.url}/feed`, readers: readerCount });
  await run(plain.child, theirs.child, SINGLE);

  const compare = async (burst: Burst) => {
    const feed: number[] = [];
    const loop: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      feed.push(await run(exchange.child, ours.child, burst));
      loop.push(await run(plain.child, theirs.child, burst));
    }
    const ratios = feed.map((each, i) => each / loop[i]);
    return { perSecond: median(feed), plain: median(loop), ratio: median(ratios), ratios };
  };
  const single = await compare(SINGLE);
  const each = single.ratios.map((one) => one.toFixed(2)).join(' ');
  show(
    `to ${whole(readerCount)} readers, single trades`,
    `${whole(single.perSecond)}/s, send loop ${whole(single.plain)}/s`,
  );
  show('ratio', `${single.ratio.toFixed(2)} (${each}); bar ${BAR}`);
  const many = await compare(MANY);
  show(`${MANY.together} trades at a time`, `${whole(many.perSecond)}/s, send loop ${whole(many.plain)}/s`);
  show('ratio', many.ratio.toFixed(2));

  const latency = {
    kind: 'latency',
    url: exchange.url,
    feedUrl: `${exchange.url.replace('http', 'ws')}/feed`,
    orders: Number(values.orders),
  } as const;
  const crowded = await theirs.child.ask(latency);
  show(
    `answer to message, ${whole(readerCount)} readers`,
    `p50 ${crowded.p50Ms?.toFixed(2)} ms, p99 ${crowded.p99Ms?.toFixed(2)} ms`,
  );
  await ours.child.end();
  children.splice(children.indexOf(ours.child), 1);
  const alone = await theirs.child.ask(latency);
  show(
    'answer to message, no other readers',
    `p50 ${alone.p50Ms?.toFixed(2)} ms, p99 ${alone.p99Ms?.toFixed(2)} ms`,
  );
  if (values.json) {
    const { p50Ms, p99Ms } = alone;
    console.log(
      JSON.stringify({
        ratio: single.ratio,
        single,
        many,
        latency: { p50Ms, p99Ms, crowdedP50Ms: crowded.p50Ms, crowdedP99Ms: crowded.p99Ms },
      }),
    );
  }
} finally {
  for (const child of children) await child.end();
  rmSync(dir, { recursive: true, force: true });
}
