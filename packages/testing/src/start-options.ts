import type { Connection, MarketPreset } from './types.ts';

export interface StartOptions {
  /** `quiet` unless said: books are empty, and whatever happens is the test's own doing. */
  readonly market?: MarketPreset;
  /** `real` unless said; `manual`, or a speed such as `x10`. */
  readonly clock?: string;
  /** 1 unless said. */
  readonly seed?: number;
  /** Exchange time to begin at. */
  readonly time?: number;
  /** A directory with recorded markets. */
  readonly recordings?: string;
  /** Any other setting of the server by its name, such as `{ logLevel: 'warn' }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** An exchange that was started, and how it ends. */
export interface Started {
  readonly connection: Connection;
  close(): Promise<void>;
}

/** What the process beside the test sends, once. */
export type BesideReply =
  | { readonly connection: Connection }
  | { readonly error: { readonly name: string; readonly message: string } };
