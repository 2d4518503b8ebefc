/** The check of promise 11 must be able to fail: here something between the feed and its clients breaks one message. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ofSize, shareOf } from '@bourse/test-kit/run-size.ts';
import type { TopicName } from '../../src/feed/topics/topics.ts';
import { checkFeed } from './feed-check.ts';
import type { Between } from './feed-check/connection.ts';
import type { Data, Frame } from './feed-client.ts';

const SEED = 7;
const MESSAGES = 6000;
/** The short run tries one in this many faults, and the first of the silent topics. */
const ONE_OF = ofSize(4, 1);
/** Of runs that wait in vain: long enough for topics that speak every two seconds. */
const VAIN_MS = 5000;

type Break = (frame: Frame, held: Frame[]) => readonly Frame[];

/** Breaks the message of this number among the topic's, or the first after it that `how` makes another of. */
function breakOne(name: TopicName, number: number, how: Break): Between {
  let count = 0;
  let isDone = false;
  const held: Frame[] = [];
  return (frame) => {
    if (isDone || frame.topic?.split(':')[0] !== name) return [frame];
    // A held message is delivered after the next message of the same topic and connection.
    if (held.length > 0) {
      if (frame.topic !== held[0].topic || frame.tunnelId !== held[0].tunnelId) return [frame];
      isDone = true;
      return [frame, ...held];
    }
    if (++count < number) return [frame];
    const broken = how(frame, held);
    isDone = held.length === 0 && !isDeepStrictEqual(broken, [frame]);
    return broken;
  };
}

const lose: Break = () => [];
const repeat: Break = (frame) => [frame, frame];
const delay: Break = (frame, held) => {
  held.push(frame);
  return [];
};
const alter =
  (change: (data: Record<string, never>) => void): Break =>
  (frame) => {
    const copy = structuredClone(frame);
    change(copy.data as unknown as Record<string, never>);
    return [copy];
  };
const set = (member: string, value: unknown): Break =>
  alter((data: Data) => {
    assert.ok(member in data, `${member} is there to be altered`);
    data[member] = value;
  });
const alterChange = (part: 0 | 1 | 2, value: string): Break =>
  alter((data) => {
    const { asks, bids } = data['changes'] as { asks: string[][]; bids: string[][] };
    (asks[0] ?? bids[0])[part] = value;
  });
const alterLevel: Break = alter((data) => {
  const { asks, bids } = data as unknown as { asks: string[][]; bids: string[][] };
  const level = asks[0] ?? bids[0];
  if (level !== undefined) level[1] = '7';
});

/** Message numbers are past the initial messages, except for the snapshot topic, which publishes too rarely. */
const FAULTS: readonly (readonly [TopicName, number, string, Break])[] = [
  ['/market/level2', 300, 'lost', lose],
  ['/market/level2', 300, 'repeated', repeat],
  ['/market/level2', 300, 'late', delay],
  ['/market/level2', 300, 'with another price', alterChange(0, '999.9')],
  ['/market/level2', 300, 'with another size', alterChange(1, '12.34')],
  ['/market/level2', 300, 'with another sequence', alterChange(2, '1')],
  ['/market/level2', 300, 'with another time', set('time', 1)],
  ['/spotMarket/level3', 300, 'lost', lose],
  ['/spotMarket/level3', 300, 'late', delay],
  ['/market/match', 50, 'lost', lose],
  ['/market/match', 50, 'late', delay],
  ['/market/match', 50, 'with another price', set('price', '1')],
  ['/market/match', 50, 'with another maker', set('makerOrderId', 'x')],
  ['/market/candles', 20, 'lost', lose],
  ['/market/candles', 20, 'with another close', alter((data) => ((data['candles'] as string[])[2] = '1'))],
  ['/market/ticker', 5, 'with another price', set('bestBid', '1')],
  ['/market/ticker', 5, 'of another moment', set('sequence', '1')],
  ['/market/snapshot', 2, 'with another volume', alter((data) => ((data['data'] as Data)['vol'] = 5))],
  ['/spotMarket/level1', 5, 'with another size', alter((data) => ((data['asks'] as string[])[1] = '7'))],
  ['/spotMarket/level1', 5, 'of another moment', set('timestamp', 1)],
  ['/spotMarket/level2Depth5', 5, 'with another size', alterLevel],
  ['/spotMarket/level2Depth50', 5, 'with another size', alterLevel],
  ['/spotMarket/level2Depth50', 5, 'without a side', set('bids', [])],
  ['/spotMarket/tradeOrders', 30, 'lost', lose],
  ['/spotMarket/tradeOrdersV2', 30, 'late', delay],
  ['/spotMarket/tradeOrdersV2', 30, 'with another size', set('remainSize', '77')],
  ['/spotMarket/tradeOrdersV2', 30, 'with another sum', set('filledSize', '77')],
  ['/spot/tradeFills', 10, 'lost', lose],
  ['/spot/tradeFills', 10, 'with another fee', set('fee', 1)],
  ['/account/balance', 30, 'lost', lose],
  ['/account/balance', 30, 'with another balance', set('available', '1')],
  ['/spotMarket/advancedOrders', 1, 'lost', lose],
  ['/spotMarket/advancedOrders', 1, 'with another price', set('stopPrice', '1')],
];

for (const [name, number, what, how] of shareOf(FAULTS, ONE_OF)) {
  test(`promise 11: the check notices one message of ${name} ${what} (seed ${SEED})`, async () => {
    let isBroken = false;
    const broken: Break = (frame, held) => {
      const frames = how(frame, held);
      isBroken ||= !isDeepStrictEqual(frames, [frame]);
      return frames;
    };
    const between = breakOne(name, number, broken);
    const run = checkFeed({ seed: SEED, messages: MESSAGES, between });
    await assert.rejects(run, (error: Error) => {
      assert.ok(isBroken, `nothing was broken, and it complained: ${error.message}`);
      return true;
    });
  });
}

const SILENT = ['/market/ticker', '/market/level2', '/spotMarket/advancedOrders'] as const;

for (const name of SILENT.slice(0, ofSize(1, SILENT.length))) {
  test(`promise 11: a run without messages of ${name} fails (seed ${SEED})`, async () => {
    const between: Between = (frame) => (frame.topic?.split(':')[0] === name ? [] : [frame]);
    const run = checkFeed({ seed: SEED, messages: MESSAGES, between, patienceMs: VAIN_MS });
    await assert.rejects(run, new RegExp(`in vain for .*${name}`));
  });
}

test('promise 11: a run in which nothing happened fails', async () => {
  await assert.rejects(checkFeed({ seed: SEED, messages: 0 }), /has said nothing/);
});
