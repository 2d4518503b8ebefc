/** Opens and closes an exchange's checkpoints and liabilities together. */

import { fileURLToPath } from 'node:url';
import type { Transparency } from '@bourse/api';
import { readText } from '@bourse/engine';
import { type CheckpointOptions, Checkpoints, type TakenCheckpoint } from './checkpoints.ts';
import { Liabilities } from './liabilities.ts';

const VERIFIER = fileURLToPath(new URL('../tools/verify-liabilities.mjs', import.meta.url));

export class OpenTransparency implements Transparency {
  readonly liabilities: Liabilities;
  readonly #checkpoints: Checkpoints;

  private constructor(checkpoints: Checkpoints, liabilities: Liabilities) {
    this.#checkpoints = checkpoints;
    this.liabilities = liabilities;
  }

  static async open(options: CheckpointOptions): Promise<OpenTransparency> {
    const checkpoints = await Checkpoints.open(options);
    try {
      return new OpenTransparency(checkpoints, await Liabilities.open(options, checkpoints));
    } catch (error) {
      await checkpoints.discard();
      throw error;
    }
  }

  get key(): string {
    return this.#checkpoints.key;
  }

  get newest(): TakenCheckpoint | undefined {
    return this.#checkpoints.newest;
  }

  after(size: number, count: number): readonly TakenCheckpoint[] {
    return this.#checkpoints.after(size, count);
  }

  take(): Promise<TakenCheckpoint> {
    return this.#checkpoints.take();
  }

  verifier(): Promise<string> {
    return readText(VERIFIER);
  }

  /** Takes a last checkpoint. */
  async close(): Promise<void> {
    await this.liabilities.close();
    await this.#checkpoints.close();
  }

  /** Takes no last checkpoint, because the world is discarded or the start failed. */
  async discard(): Promise<void> {
    // Start ending both before awaiting either.
    await Promise.all([this.liabilities.close(), this.#checkpoints.discard()]);
  }
}
