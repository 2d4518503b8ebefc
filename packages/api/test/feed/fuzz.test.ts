import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { TOPIC_NAMES } from '../../src/feed/topics/topics.ts';
import { Traders } from './traders.ts';
import { fetchToken } from './feed-client.ts';

const SEED = 77;
const MESSAGES = 3000;
const RAW = 150;

const WORDS = [
  ...TOPIC_NAMES,
  ...TOPIC_NAMES.map((name) => `${name}:BTC-USDT`),

  'subscribe',
  'unsubscribe',
  'ping',
  'openTunnel',
  'closeTunnel',
  'welcome',
  '',
  ':',
  ',',
  'all',
  '__proto__',

  '/market/candles:BTC-USDT_1min',
  'BTC-USDT',
  '/market/ticker:all',
  '\ud800',
  '\0',
  'x'.repeat(3000),
  't1',

  '/account/balance:6',
  '/spotMarket/tradeOrders?user=1',
  'constructor',
  'toString',
];
const MEMBERS = [
  'id',
  'type',
  'topic',
  'response',
  'privateChannel',
  'tunnelId',
  'newTunnelId',
  'userId',
  '__proto__',
];

test(`fuzzed messages get a valid response or none, and never data of another user (seed ${SEED})`, () =>
  Traders.run(
    async (traders) => {
      const random = new Random(SEED);
      const pick = <T>(list: readonly T[]): T => list[random.below(list.length)];
      const value = (depth = 0): unknown => {
        const kind = random.below(depth > 2 ? 5 : 7);
        if (kind < 3) return pick(WORDS);
        if (kind === 3) return pick([0, -1, 1e308, 2 ** 53, true, false, null]);
        if (kind === 4) return pick(WORDS) + pick(WORDS);
        return kind === 5 ? [value(depth + 1)] : { [pick(MEMBERS)]: value(depth + 1) };
      };
      const message = (): string => {
        const whole = JSON.stringify(
          Object.fromEntries(
            Array.from({ length: random.below(6) }, () => [pick(MEMBERS), value()]).concat(
              random.below(2) === 0 ? [['type', pick(['subscribe', 'unsubscribe', 'openTunnel'])]] : [],
            ),
          ),
        );
        if (random.below(8) > 0) return whole;
        const at = random.below(whole.length + 1);
        return whole.slice(0, at) + pick(['"', '{', '\\', '', '\u0000']) + whole.slice(at + random.below(3));
      };
      const client = await traders.connect('carol');
      const stranger = await traders.connect();
      for (let i = 0; i < MESSAGES; i++) {
        const text = message();
        client.send(text);
        stranger.send(text);
        if (i % 100 === 0) {
          await traders.limit(traders.alice, 'sell', '50000', '0.001');
          await traders.limit(traders.bob, 'buy', '50000', '0.001');
        }
      }
      for (const each of [client, stranger]) {
        assert.equal((await each.ask({ type: 'ping' })).type, 'pong');
        const owned = each.frames.filter(({ channelType, userId }) => channelType === 'private' || userId);
        assert.deepEqual(owned, [], 'carol has no orders, and the stranger is nobody');
        assert.ok(each.frames.some(({ type }) => type === 'message'));
        assert.ok(each.frames.some(({ type }) => type === 'error'));
      }
    },
    { feedMessagesMax: 1e6, feedMessagesPerAddressMax: 1e6, feedTopicsMax: 1e5 },
  ));

test(`fuzzed bytes close only their own connection (seed ${SEED})`, () =>
  Traders.run(async (traders) => {
    const random = new Random(SEED);
    const { token } = await fetchToken(traders.server.url);
    const witness = await traders.listen(undefined, '/market/match:BTC-USDT');
    for (let i = 0; i < RAW; i++) {
      await new Promise<void>((resolve) => {
        const socket = connect({ port: traders.server.port, host: '127.0.0.1' });
        const head =
          `GET /feed?token=${i % 3 === 0 ? token : `${token}%00`} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n` +
          `Connection: Upgrade\r\nSec-WebSocket-Version: ${i % 7 === 0 ? 12 : 13}\r\n` +
          `Sec-WebSocket-Key: ${i % 5 === 0 ? 'short' : randomBytes(16).toString('base64')}\r\n\r\n`;
        const frames = Buffer.from(Array.from({ length: 4 + random.below(200) }, () => random.below(256)));
        // Often a plausible beginning: a text frame, masked or not, or a control frame.
        frames[0] = [0x81, 0x01, 0x80, 0x89, 0x88, 0xc1, 0x8a, frames[0]][random.below(8)];
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
        socket.on('data', () => undefined);
        socket.write(head);
        socket.end(frames);
        setTimeout(() => socket.destroy(), 5000).unref();
      });
    }
    await traders.limit(traders.alice, 'sell', '50000', '0.001');
    await traders.limit(traders.bob, 'buy', '50000', '0.001');
    await witness.message('/market/match:BTC-USDT');
    await witness.close();
    const end = Date.now() + 20_000;
    while (traders.server.feed.connections > 0) {
      assert.ok(Date.now() < end, `${traders.server.feed.connections} connections are left`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }));
