/** The shared part of all fuzzers: the server, the counts and the failures. */

import type { TestServer } from '@bourse/test-kit/server.ts';
import type { Effects } from './effects.ts';

const KEPT_MAX = 20;

export class Lane {
  readonly server: TestServer;
  readonly effects: Effects;
  readonly counts: Record<string, number> = {};
  readonly failures: string[] = [];

  constructor(server: TestServer, effects: Effects) {
    this.server = server;
    this.effects = effects;
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  fail(kind: string, what: string): void {
    if (this.failures.length < KEPT_MAX) this.failures.push(`${kind}: ${what}`);
  }
}
