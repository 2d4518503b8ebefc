/** What the thread of password hashes is asked for. */
export interface HashTask {
  readonly password: string;
  /** Base64url. */
  readonly salt: string;
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
}
