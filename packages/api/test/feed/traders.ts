/** A server with two traders and helpers, for tests of the feed's messages about orders. */

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Command, Outcome } from '@bourse/core';
import Schema from 'typebox/schema';
import type { FeedLimits } from '../../src/feed/limits.ts';
import { TOPICS, type TopicName } from '../../src/feed/topics/topics.ts';
import { Client, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { type Data, dataOf, FeedClient, type Frame } from './feed-client.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const QUOTAS = { spot: 1_000_000, manage: 1_000_000, public: 1_000_000 };
const ROOMY = { feedConnectsPerUserMax: 1000, feedConnectsPerAddressMax: 10_000, feedMessagesMax: 10_000 };

export class Traders {
  readonly server: TestServer;
  readonly alice: Client;
  readonly bob: Client;

  private constructor(server: TestServer) {
    this.server = server;
    this.alice = new Client(server.url, 'alice');
    this.bob = new Client(server.url, 'bob');
  }

  static async run(
    body: (traders: Traders) => Promise<void>,
    limits: Partial<FeedLimits> = {},
  ): Promise<void> {
    const server = await startServer({ quotas: QUOTAS, feed: { ...ROOMY, ...limits } });
    try {
      await body(new Traders(server));
    } finally {
      await server.close();
    }
  }

  listen(who: string | undefined, ...topics: string[]): Promise<FeedClient> {
    return this.connect(who).then(async (client) => {
      await client.subscribe(...topics);
      return client;
    });
  }

  connect(who?: string): Promise<FeedClient> {
    return FeedClient.connect(this.server.url, who);
  }

  async place(who: Client, order: Data): Promise<string> {
    const { status, json, text } = await who.post('/api/v1/hf/orders', { symbol: 'BTC-USDT', ...order });
    assert.equal(status, 200, text);
    return (json.data as { orderId: string }).orderId;
  }

  limit(who: Client, side: string, price: string, size: string, more: Data = {}): Promise<string> {
    return this.place(who, { type: 'limit', side, price, size, ...more });
  }

  async submit(command: Command): Promise<Outcome> {
    const { outcome } = await submit(this.server.services.port, command);
    assert.notEqual(outcome.kind, 'rejected', inspect(outcome));
    return outcome;
  }

  userNumber(name: string): number {
    const user = this.server.services.catalogue.users().find((each) => each.name === name);
    assert.ok(user, name);
    return user.number;
  }

  symbolNumber(code: string): number {
    return this.server.services.catalogue.symbol(code)?.symbol ?? -1;
  }
}

interface Variants {
  readonly properties?: object;
  readonly anyOf?: readonly { readonly properties: object }[];
}

const checks = new Map(
  Object.entries(TOPICS).map(([name, { data }]) => [name as TopicName, Schema.Compile(data)] as const),
);

/** Fails unless the data has exactly the members that the topic documents. */
export function checkData(frame: Frame): Data {
  const name = (frame.topic ?? '').split(':')[0] as TopicName;
  const data = dataOf(frame);
  const [isRight, errors] = checks.get(name)!.Errors(data);
  assert.ok(isRight, `${name}: ${JSON.stringify(errors)} ${JSON.stringify(data)}`);
  const { anyOf, properties } = TOPICS[name].data as unknown as Variants;
  const variants = anyOf ?? [{ properties: properties ?? {} }];
  const isPromised = variants.some((variant) =>
    Object.keys(data).every((member) => Object.hasOwn(variant.properties, member)),
  );
  assert.ok(isPromised, `${name} has one of ${Object.keys(data).join(', ')} too many`);
  return data;
}

export const BTC = 'BTC-USDT';
