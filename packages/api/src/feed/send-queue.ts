/**
 * The outbound queue of one feed connection, flushed in one write when the connection is scheduled. Frames are built
 * then, so queued messages cost no memory of their own. They still count toward the limits on queued bytes, because a
 * connection that subscribes to more than this thread can send is as slow as one that does not read.
 */

import type { Outlet } from '../sockets/outlet.ts';
import type { Worker, WorkScheduler } from '../sockets/work-scheduler.ts';
import type { Batch, Subscription } from './channels.ts';

interface Queued {
  readonly subscription: Subscription;
  readonly batch: Batch;
}

export class SendQueue implements Worker {
  readonly network: string;
  readonly #scheduler: WorkScheduler;
  readonly #outlet: Outlet;
  readonly #isOpen: () => boolean;
  #queued: Queued[] = [];
  #bytes = 0;
  #isAdded = false;
  /** The queue exceeds its bound. The connection is closed when it is scheduled, because closing takes time too. */
  #isFull = false;

  constructor(scheduler: WorkScheduler, outlet: Outlet, network: string, isOpen: () => boolean) {
    this.#scheduler = scheduler;
    this.#outlet = outlet;
    this.#isOpen = isOpen;
    this.network = network;
  }

  enqueue(subscription: Subscription, batch: Batch): void {
    if (this.#isFull) return;
    this.#queued.push({ subscription, batch });
    this.#bytes += batch.bytes;
    if (this.#isAdded) return;
    this.#isAdded = true;
    this.#scheduler.add(this);
  }

  work(): boolean {
    this.#isAdded = false;
    if (this.#isFull) {
      this.#outlet.cut();
      return false;
    }
    const queued = this.#queued;
    this.#queued = [];
    this.#bytes = 0;
    this.#outlet.hold(0);
    const frames: Buffer[] = [];
    for (const { subscription, batch } of queued) {
      const { channel, tunnel } = subscription;
      // Skip subscribers that have left the channel in the meantime.
      if (channel.subscriptions.has(subscription)) frames.push(batch.framesIn(tunnel));
    }
    if (frames.length > 0 && this.#isOpen()) this.#outlet.write(frames);
    return false;
  }

  postponed(): void {
    if (this.#isFull || this.#outlet.hold(this.#bytes)) return;
    this.#isFull = true;
    this.#queued = [];
  }
}
