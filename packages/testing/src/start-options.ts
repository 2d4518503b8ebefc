import type { Connection, MarketPreset } from './types.ts';

export interface StartOptions {
  /** Default `quiet`: empty books, so that only the test trades. */
  readonly market?: MarketPreset;
  /** Default `real`; or `manual`, or a speed such as `x10`. */
  readonly clock?: string;
  /** Default 1. */
  readonly seed?: number;
  /** Initial exchange time. */
  readonly time?: number;
  /** A directory with recorded markets. */
  readonly recordings?: string;
  /** Any other setting of the server by its name, such as `{ logLevel: 'warn' }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A started exchange, and how to stop it. */
export interface Started {
  readonly connection: Connection;
  close(): Promise<void>;
}

/** The one message that the child process sends. */
export type BesideReply =
  | { readonly connection: Connection }
  | { readonly error: { readonly name: string; readonly message: string } };
