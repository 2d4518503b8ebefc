/** The faults of one world, as the gateway and the feed use them. */

import type { Faults } from '@bourse/api';
import { FeedRuleFaults } from './feed-faults.ts';
import { OrderAliases } from './late-port.ts';
import { type RequestFaultsOptions, RequestRuleFaults } from './request-faults.ts';

export class SandboxFaults implements Faults {
  readonly requests: RequestRuleFaults;
  readonly feed: FeedRuleFaults;

  constructor(options: Omit<RequestFaultsOptions, 'aliases'>) {
    const aliases = new OrderAliases();
    this.requests = new RequestRuleFaults({ ...options, aliases });
    this.feed = new FeedRuleFaults(options.rules, aliases, options.services.clock);
  }

  release(): void {
    this.requests.release();
  }

  async close(): Promise<void> {
    this.feed.close();
    await this.requests.close();
  }
}
