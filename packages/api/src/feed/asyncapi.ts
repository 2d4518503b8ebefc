/** The feed as an AsyncAPI document, made from the same tables that serve it. */

import { FEED_PATH } from '../gateway/access/feed-tokens.ts';
import { FRAME_ERRORS } from './frame-errors.ts';
import type { FeedLimits } from './limits.ts';
import { ORDER_ENTRY_DOCUMENT } from '../order-entry/asyncapi.ts';
import { type Argument, TOPIC_NAMES, TOPICS, type TopicName } from './topics/topics.ts';

const ARGUMENTS: Readonly<Record<Argument, string>> = {
  symbol: ':{symbol}',
  'symbol-or-all': ':{symbol or all}',
  'symbol-or-market': ':{symbol or market}',
  'symbol-interval': ':{symbol}_{interval}',
  none: '',
};

const object = (properties: Readonly<Record<string, unknown>>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const text = { type: 'string' };
const flag = { type: 'boolean' };
const id = { type: ['string', 'integer'], description: 'Comes back as text.' };

export function asyncApi(limits: FeedLimits): Record<string, unknown> {
  const topics = TOPIC_NAMES.map((name) => [messageName(name), topicMessage(name)] as const);
  const messages = { ...CLIENT_MESSAGES, ...SERVER_MESSAGES, ...Object.fromEntries(topics) };
  const refs = (names: readonly string[]) =>
    names.map((name) => ({ $ref: `#/channels/feed/messages/${name}` }));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Bourse: the feed', version: '1.0.0', description: introduction(limits) },
    channels: {
      feed: {
        address: `${FEED_PATH}?token={token}&connectId={connectId}`,
        parameters: {
          token: { description: 'From POST /api/v1/bullet-public or /api/v1/bullet-private.' },
          connectId: { description: 'Comes back as the id of the welcome; made up when left out.' },
        },
        messages,
      },
      orderEntry: ORDER_ENTRY_DOCUMENT.channel,
    },
    operations: {
      ...ORDER_ENTRY_DOCUMENT.operations,
      hear: {
        action: 'receive',
        channel: { $ref: '#/channels/feed' },
        messages: refs(Object.keys(CLIENT_MESSAGES)),
      },
      tell: {
        action: 'send',
        channel: { $ref: '#/channels/feed' },
        messages: refs([...Object.keys(SERVER_MESSAGES), ...topics.map(([name]) => name)]),
      },
    },
    'x-errors': FRAME_ERRORS,
    'x-order-entry-errors': ORDER_ENTRY_DOCUMENT.errors,
    'x-limits': Object.fromEntries(Object.entries(limits).filter(([name]) => name.startsWith('feed'))),
  };
}

const CLIENT_MESSAGES = {
  ping: { summary: 'Asks for a pong.', payload: object({ id, type: { const: 'ping' } }) },
  subscribe: {
    summary: 'Listens to a topic; several symbols are written with commas. Answered if response is true.',
    payload: object(
      { id, type: { const: 'subscribe' }, topic: text, privateChannel: flag, response: flag, tunnelId: text },
      ['privateChannel', 'response', 'tunnelId'],
    ),
  },
  unsubscribe: {
    summary: 'Listens no longer.',
    payload: object(
      {
        id,
        type: { const: 'unsubscribe' },
        topic: text,
        privateChannel: flag,
        response: flag,
        tunnelId: text,
      },
      ['privateChannel', 'response', 'tunnelId'],
    ),
  },
  openTunnel: {
    summary: 'Opens a tunnel. Messages of topics subscribed with its id carry that id.',
    payload: object({ id, type: { const: 'openTunnel' }, newTunnelId: text, response: flag }, ['response']),
  },
  closeTunnel: {
    summary: 'Closes a tunnel with all its subscriptions.',
    payload: object({ id, type: { const: 'closeTunnel' }, tunnelId: text, response: flag }, ['response']),
  },
} as const;

const SERVER_MESSAGES = {
  welcome: {
    summary: 'The first message of a connection.',
    payload: object({ id: text, type: { const: 'welcome' } }),
  },
  ack: { summary: 'Done as asked.', payload: object({ id: text, type: { const: 'ack' } }) },
  pong: { summary: 'The answer to a ping.', payload: object({ id: text, type: { const: 'pong' } }) },
  error: {
    summary: 'Not done; the codes are under x-errors.',
    payload: object({ id: text, type: { const: 'error' }, code: { type: 'integer' }, data: text }),
  },
} as const;

/** `/market/level2` is `market-level2`. */
const messageName = (name: TopicName): string => name.slice(1).replaceAll('/', '-');

function topicMessage(name: TopicName): Record<string, unknown> {
  const { subject, access, argument, cadenceMs, summary, data } = TOPICS[name];
  const cadence = cadenceMs === 0 ? 'every record of the log' : `at most every ${cadenceMs} ms`;
  const owner = access === 'private' ? { userId: text, channelType: { const: 'private' } } : {};
  const properties = {
    type: { const: 'message' },
    topic: text,
    subject: text,
    ...owner,
    tunnelId: text,
    data,
  };
  return {
    title: name + ARGUMENTS[argument],
    summary,
    description: `${access}; ${cadence}; subject ${subject}`,
    payload: object(properties, ['tunnelId']),
  };
}

function introduction(limits: FeedLimits): string {
  return (
    `Get a token, connect, wait for the welcome, subscribe. Ping every ${limits.feedPingIntervalMs} ms. ` +
    'A book: buffer /market/level2, fetch the book over HTTP, leave out changes up to its sequence, apply the rest; ' +
    'each message starts after the end of the previous one.'
  );
}
