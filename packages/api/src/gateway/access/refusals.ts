/**
 * The latest rejected requests of each user, so that support sees what the user saw. In memory only, because traffic is
 * not logged: they are lost at a restart, and not visible at other nodes of a cluster.
 */

const PER_USER_MAX = 100;
/** Users with the most recent rejections; at most 70 MB. */
const USERS_MAX = 1_000;
const TEXT_LENGTH_MAX = 500;
const TARGET_LENGTH_MAX = 200;

export interface RefusedRequest {
  /** Exchange time. */
  readonly time: number;
  readonly transport: 'http' | 'order-entry';
  readonly method: string;
  /** The path without its query, or the operation. */
  readonly target: string;
  readonly status: number;
  /** The response body. */
  readonly text: string;
}

export class Refusals {
  /** Ordered by latest rejection, oldest first. */
  readonly #byUser = new Map<number, RefusedRequest[]>();

  note(user: number, request: RefusedRequest): void {
    if (user < 0) return;
    const own = this.#byUser.get(user) ?? [];
    if (own.length >= PER_USER_MAX) own.shift();
    own.push({
      ...request,
      target: request.target.slice(0, TARGET_LENGTH_MAX),
      text: request.text.slice(0, TEXT_LENGTH_MAX),
    });
    this.#byUser.delete(user);
    this.#byUser.set(user, own);
    if (this.#byUser.size <= USERS_MAX) return;
    for (const oldest of this.#byUser.keys()) {
      this.#byUser.delete(oldest);
      break;
    }
  }

  /** Newest first. */
  of(user: number): readonly RefusedRequest[] {
    return (this.#byUser.get(user) ?? []).toReversed();
  }
}
