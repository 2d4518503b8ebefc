/**
 * The feed: turns records of the log into messages for subscribers. Records arrive when they are durable, before
 * their callers get responses; the messages are written at the end of the event loop iteration. Without subscribers,
 * a record costs one check per event.
 */

import type { Event, Exchange, MarketEvent } from '@bourse/core';
import type { FastifyInstance } from 'fastify';
import type { Published } from '@bourse/engine';
import { FEED_PATH, type FeedTokens } from '../gateway/access/feed-tokens.ts';
import type { GatewayParts } from '../gateway/gateway.ts';
import type { Services } from '../gateway/services.ts';
import { asyncApi } from './asyncapi.ts';
import { AuctionTopic } from './topics/auction-topic.ts';
import { BalanceTopic, DepositTopic } from './topics/account-topics.ts';
import { CandleTopic } from './topics/candle-topic.ts';
import { type Channel, Channels } from './channels.ts';
import { DepthTopics, Level2Topic } from './topics/depth-topics.ts';
import { Entrance } from './entrance.ts';
import { Level3Topic } from './topics/level3-topic.ts';
import type { FeedFaults } from '../gateway/faults.ts';
import type { FeedLimits } from './limits.ts';
import { MatchTopic, TickerTopics } from './topics/ticker-topics.ts';
import { OrderTopics, StopTopic } from './topics/order-topics.ts';
import { RecordOrders } from './topics/record-orders.ts';
import { SnapshotTopic } from './topics/snapshot-topic.ts';
import { WorkScheduler } from '../sockets/work-scheduler.ts';

export interface FeedOptions {
  readonly services: Services;
  readonly tokens: FeedTokens;
  readonly limits: FeedLimits;
  /** Omitted on a venue. */
  readonly faults?: FeedFaults | undefined;
}

export class Feed {
  readonly #options: FeedOptions;
  readonly #channels: Channels;
  readonly #entrance: Entrance;
  readonly #tickers: TickerTopics;
  readonly #snapshots: SnapshotTopic;
  readonly #depths: DepthTopics;
  readonly #level2: Level2Topic;
  readonly #level3: Level3Topic;
  readonly #matches: MatchTopic;
  readonly #auctions: AuctionTopic;
  readonly #candles: CandleTopic;
  readonly #orders: OrderTopics;
  readonly #balances: BalanceTopic;
  readonly #deposits: DepositTopic;
  readonly #stops: StopTopic;
  /** Symbols of the current record. */
  readonly #touched = new Set<number>();

  private constructor(options: FeedOptions, exchange: Exchange) {
    const { services, limits, tokens } = options;
    const scheduler = new WorkScheduler(services.clock.machine);
    const channels = new Channels(services.clock, scheduler, options.faults);
    this.#options = options;
    this.#channels = channels;
    this.#tickers = new TickerTopics(channels, services);
    this.#snapshots = new SnapshotTopic(channels, services);
    this.#depths = new DepthTopics(channels, services);
    this.#level2 = new Level2Topic(channels, services);
    this.#level3 = new Level3Topic(channels, services);
    this.#matches = new MatchTopic(channels, services);
    this.#auctions = new AuctionTopic(channels, services);
    this.#candles = new CandleTopic(channels, services, scheduler);
    this.#orders = new OrderTopics(channels, services);
    this.#balances = new BalanceTopic(channels, services);
    this.#deposits = new DepositTopic(channels, services);
    this.#stops = new StopTopic(channels, services, exchange);
    const { catalogue, sessionKeys, clock } = services;
    const { faults } = options;
    const staleness = (): string | undefined => services.position?.staleness;
    this.#entrance = new Entrance(
      {
        channels,
        scheduler,
        catalogue,
        sessionKeys,
        clock,
        limits,
        faults,
        staleness,
        firstMessages: this.#firstMessages,
      },
      tokens,
    );
  }

  /** Follows all records from now on. Create the views first. */
  static follow(options: FeedOptions): Promise<Feed> {
    const { port } = options.services;
    return port.read((exchange) => {
      const feed = new Feed(options, exchange);
      port.subscribe((published, now) => feed.#take(published, now));
      return feed;
    });
  }

  /** An extension of the gateway: the feed and its document. Connections are closed before the server. */
  readonly attach = (app: FastifyInstance, { context, upgrades, metrics, documents }: GatewayParts): void => {
    const { limits } = this.#options;
    upgrades.register(FEED_PATH, this.#entrance.take);
    metrics.gauge('bourse_feed_connections', 'Connections to the feed.', () => this.connections);
    metrics.gauge(
      'bourse_feed_subscriptions',
      'Topics listened to, over all connections.',
      () => this.subscriptions,
    );
    metrics.gauge(
      'bourse_feed_slow_readers',
      'Connections that were cut off so far.',
      () => this.#entrance.cut,
    );
    metrics.gauge(
      'bourse_feed_waiting_bytes',
      'Bytes that wait for readers, over all connections.',
      () => this.waitingBytes,
    );
    metrics.gauge(
      'bourse_feed_waiting_bytes_most',
      'The most bytes that have waited for one reader since the start.',
      () => this.#entrance.waitingBytesMost,
    );
    documents.add('/asyncapi.json', {
      type: 'application/json',
      make: () => JSON.stringify(asyncApi(limits)),
    });
    app.addHook('preClose', async () => {
      for (const topics of [this.#tickers, this.#snapshots, this.#depths, this.#auctions]) topics.stop();
      await this.#entrance.close(context.closing);
    });
  };

  get connections(): number {
    return this.#entrance.count;
  }

  get subscriptions(): number {
    return this.#channels.subscriptions;
  }

  /** Sum over all readers. */
  get waitingBytes(): number {
    return this.#entrance.waitingBytes;
  }

  #take(published: Published, exchange: Exchange): void {
    const { time } = published;
    if (this.#channels.subscriptions === 0) {
      const { marketEvents } = published;
      for (let at = 0; at < marketEvents.length; at++) this.#note(marketEvents[at], time);
      return;
    }
    const { events } = published;
    const orders = new RecordOrders(published, exchange);
    for (let at = 0; at < events.length; at++) this.#publish(events[at], at, orders);
    this.#level2.end(time);
    this.#level3.take(events, orders, exchange);
    this.#candles.end(time);
    if (this.#touched.size === 0) return;
    for (const symbol of this.#touched) {
      this.#tickers.note(symbol);
      this.#snapshots.note(symbol);
      this.#depths.note(symbol);
      this.#auctions.note(symbol);
    }
    this.#touched.clear();
  }

  #publish(event: Event, at: number, orders: RecordOrders): void {
    switch (event.kind) {
      case 'book-changed':
        this.#touched.add(event.symbol);
        this.#level2.take(event);
        return;
      case 'balance-changed':
        this.#balances.take(event, at, orders);
        return;
      case 'deposit-set':
        this.#deposits.take(event, orders.time);
        return;
      case 'order-received':
        orders.receive(event);
        this.#orders.received(event, orders);
        return;
      case 'order-opened':
        this.#orders.opened(event, orders);
        return;
      case 'trade':
        this.#touched.add(event.symbol);
        this.#matches.take(event, orders);
        this.#candles.take(event, orders.seq, orders.time);
        this.#orders.traded(event, orders);
        return;
      case 'order-reduced':
        this.#orders.reduced(event, orders);
        return;
      case 'order-done':
        this.#orders.done(event, orders);
        return;
      default:
        this.#note(event, orders.time);
    }
  }

  /** Updates state that is needed even without subscribers. */
  #note(event: MarketEvent, time: number): void {
    if (event.kind === 'candles-imported') this.#candles.takePast(event.symbol);
    // Not delayed to the next interval: traders must learn at once that a market is halted.
    if (event.kind === 'symbol-set') this.#snapshots.publish(event.symbol);
    if (event.kind === 'pause-set') {
      for (const { symbol } of this.#options.services.catalogue.symbols()) this.#snapshots.publish(symbol);
    }
    if (event.kind === 'auction-set') this.#touched.add(event.symbol);
    else if (event.kind === 'auction-ended') this.#auctions.ended(event);
    if (event.kind === 'stop-placed') this.#stops.placed(event, time);
    else if (event.kind === 'stop-done') this.#stops.done(event, time);
    else if (event.kind === 'key-removed' || event.kind === 'key-set') this.#entrance.recheck(event.key);
  }

  readonly #firstMessages = (channel: Channel): readonly string[] | Promise<readonly string[]> => {
    switch (channel.address.name) {
      case '/market/ticker':
      case '/spotMarket/level1':
        return this.#tickers.firstMessages(channel);
      case '/market/snapshot':
        return this.#snapshots.firstMessages(channel);
      case '/spotMarket/level2Depth5':
      case '/spotMarket/level2Depth50':
        return this.#depths.firstMessages(channel);
      case '/market/auction':
        return this.#auctions.firstMessages(channel);
      case '/market/level2':
        return this.#level2.firstMessages(channel);
      case '/market/candles':
        return this.#candles.firstMessages(channel);
      default:
        return [];
    }
  };
}
