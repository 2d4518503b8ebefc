/** Sends orders to an engine process as fast as it replies, each with its own client id, and tracks their results. */

import type { Command, PlaceOrder } from '@bourse/core';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import { type EngineProcess, NoAnswer } from './engine-process.ts';

const USERS = 4;
const AT_ONCE = 64;

export interface Acknowledged {
  readonly command: PlaceOrder;
  readonly clientId: string;
  readonly seq: number;
  /** 0 if it was rejected. */
  readonly order: number;
}

export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** Sent, but the process ended or stopped before it replied. */
  unanswered: PlaceOrder[] = [];
  refused = 0;
  readonly #random: Random;
  #sent = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async openMarket(engine: EngineProcess): Promise<void> {
    await Promise.all(openMarket(USERS).map((command: Command) => engine.ask({ command })));
  }

  /** Until the process ends or `isOver` returns true. */
  async run(engine: EngineProcess, isOver: () => boolean): Promise<void> {
    const caller = async (): Promise<void> => {
      while (!isOver()) if (!(await this.send(engine, this.#draw()))) return;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
  }

  /** False if there will be no more replies. */
  async send(engine: EngineProcess, command: PlaceOrder): Promise<boolean> {
    try {
      const { outcome, seq = 0, unavailable } = await engine.ask({ command });
      if (unavailable === 'stopped') this.unanswered.push(command);
      else if (unavailable !== undefined || outcome === undefined) this.refused += 1;
      else {
        const id = outcome.kind === 'order' ? outcome.order : 0;
        this.acknowledged.push({ command, clientId: command.clientId as string, seq, order: id });
      }
      return unavailable !== 'stopped';
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.unanswered.push(command);
      return false;
    }
  }

  #draw(): PlaceOrder {
    const random = this.#random;
    this.#sent += 1;
    const side = random.chance(0.5) ? 'buy' : 'sell';
    // Half of them end at once, to give history some work.
    const more = random.chance(0.5) ? { timeInForce: 'IOC' as const } : {};
    const price = 1000 + 10 * random.below(20);
    return order(random.below(USERS), side, price, 1 + random.below(500), {
      clientId: `k${this.#sent}`,
      ...more,
    });
  }
}
