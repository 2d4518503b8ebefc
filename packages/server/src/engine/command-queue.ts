/**
 * Commands that wait for their record, with those who wait for them, as arrays side by side: a waiting command costs
 * its promise and three places in arrays. Bounded in count and bytes by the sequencer, which asks before it adds.
 */

import type { Command } from '@bourse/core';
import type { Answer } from './exchange-port.ts';
import { commandBytes } from '../log/command-size.ts';

export interface Batch {
  readonly commands: Command[];
  readonly resolves: ((answer: Answer) => void)[];
  readonly rejects: ((error: Error) => void)[];
}

const emptyBatch = (): Batch => ({ commands: [], resolves: [], rejects: [] });

export class CommandQueue {
  #batch = emptyBatch();
  #bytes = 0;

  get count(): number {
    return this.#batch.commands.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(command: Command, bytes: number): Promise<Answer> {
    this.#batch.commands.push(command);
    this.#bytes += bytes;
    return new Promise<Answer>(this.#await);
  }

  /** One executor for all promises: it is called at once, right after its command was added. */
  readonly #await = (resolve: (answer: Answer) => void, reject: (error: Error) => void): void => {
    this.#batch.resolves.push(resolve);
    this.#batch.rejects.push(reject);
  };

  /** The oldest that wait, within both bounds but never none; usually everything. */
  take(countMax: number, bytesMax: number): Batch {
    const all = this.#batch;
    if (all.commands.length <= countMax && this.#bytes <= bytesMax) {
      this.#batch = emptyBatch();
      this.#bytes = 0;
      return all;
    }
    let count = 0;
    let bytes = 0;
    while (count < Math.min(countMax, all.commands.length)) {
      const next = commandBytes(all.commands[count]);
      if (count > 0 && bytes + next > bytesMax) break;
      bytes += next;
      count++;
    }
    this.#bytes -= bytes;
    this.#batch = {
      commands: all.commands.slice(count),
      resolves: all.resolves.slice(count),
      rejects: all.rejects.slice(count),
    };
    return {
      commands: all.commands.slice(0, count),
      resolves: all.resolves.slice(0, count),
      rejects: all.rejects.slice(0, count),
    };
  }
}
