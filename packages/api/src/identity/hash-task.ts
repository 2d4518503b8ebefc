/** A task for the password thread. */
export interface HashTask {
  readonly password: string;
  /** Base64url. */
  readonly salt: string;
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
}
