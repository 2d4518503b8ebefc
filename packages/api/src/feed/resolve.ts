/** Resolves the topic of a subscription to its channels: all of them or none. */

import { INTERVAL_NAMES, isInterval } from '@bourse/engine';
import type { Catalogue } from '../views/catalogue.ts';
import { FrameError } from './frame-errors.ts';
import { isTopicName, TOPICS, type TopicName } from './topics/topics.ts';

/** Error messages repeat at most this many characters of the requested topic. */
const ECHO_LENGTH_MAX = 200;
export const ALL = 'all';

export interface Asker {
  /** -1 without a user. */
  readonly user: number;
  readonly topicsPerCallMax: number;
}

export function resolveTopic(
  topic: unknown,
  catalogue: Catalogue,
  asker: Asker,
): readonly ChannelAddress[] | FrameError {
  if (topic === undefined || topic === null || topic === '') return new FrameError('topic-missing');
  if (typeof topic !== 'string') return new FrameError('topic-invalid');
  const colon = topic.indexOf(':');
  const name = colon < 0 ? topic : topic.slice(0, colon);
  if (!isTopicName(name)) return unknown(topic);
  const { access, argument } = TOPICS[name];
  if (argument === 'none' && colon >= 0) return unknown(topic);
  if (access === 'private') {
    return asker.user < 0 ? new FrameError('login-required') : [{ name, key: asker.user, text: name }];
  }
  if (colon < 0) return new FrameError('topic-invalid');
  const parts = [...new Set(topic.slice(colon + 1).split(','))];
  if (parts.length > asker.topicsPerCallMax) {
    return new FrameError('topics-per-call', { max: asker.topicsPerCallMax });
  }
  const addresses: ChannelAddress[] = [];
  for (const part of parts) {
    const key = keyOf(name, part, catalogue);
    if (key === undefined) return unknown(`${name}:${part}`);
    addresses.push({ name, key, text: `${name}:${part}` });
  }
  return addresses;
}

function keyOf(name: TopicName, part: string, catalogue: Catalogue): number | string | undefined {
  const { argument } = TOPICS[name];
  if (argument === 'symbol-interval') return candleKeyOf(part, catalogue);
  const symbol = catalogue.symbol(part)?.symbol;
  if (symbol !== undefined) return symbol;
  if (argument === 'symbol-or-all' && part === ALL) return ALL;
  const isMarket =
    argument === 'symbol-or-market' && catalogue.symbols().some(({ market }) => market === part);
  return isMarket ? part : undefined;
}

function candleKeyOf(part: string, catalogue: Catalogue): number | undefined {
  const at = part.lastIndexOf('_');
  const interval = part.slice(at + 1);
  const symbol = catalogue.symbol(part.slice(0, Math.max(at, 0)))?.symbol;
  return symbol === undefined || !isInterval(interval)
    ? undefined
    : candleKey(symbol, INTERVAL_NAMES.indexOf(interval));
}

export const candleKey = (symbol: number, interval: number): number =>
  symbol * INTERVAL_NAMES.length + interval;

const unknown = (topic: string): FrameError =>
  new FrameError('topic-unknown', { topic: topic.slice(0, ECHO_LENGTH_MAX).toWellFormed() });

/** Identifies a channel: by symbol number, user number, or another argument of the topic. */
export interface ChannelAddress {
  readonly name: TopicName;
  readonly key: number | string;
  /** The topic as messages carry it. */
  readonly text: string;
}
