/** Waiting for an event, and the error if it does not arrive. */

import type { Control } from './control.ts';
import type { ExpectedEvent, ExpectOptions, WatchedEvent } from './types.ts';

const WITHIN_MS = 5000;

/** The expected event did not arrive in time. */
export class ExpectationFailed extends Error {
  override readonly name = 'ExpectationFailed';
  /** Events of the kind that arrived, best match first. */
  readonly closest: readonly WatchedEvent[];

  constructor(message: string, closest: readonly WatchedEvent[]) {
    super(message);
    this.closest = closest;
  }
}

type Met =
  | { readonly met: true; readonly event: WatchedEvent }
  | { readonly met: false; readonly closest: readonly WatchedEvent[] };

export async function expectEvent(
  control: Control,
  event: ExpectedEvent,
  { withinMs = WITHIN_MS, clock = 'wall', from }: ExpectOptions,
): Promise<WatchedEvent> {
  const met = await control.post<Met>('/expect', { event, withinMs, clock, from });
  if (met.met) return met.event;
  const { kind, where = {} } = event;
  const [nearest] = met.closest;
  throw new ExpectationFailed(
    `No ${kind} with ${JSON.stringify(where)} within ${withinMs} ms; ` +
      (nearest === undefined ? `no ${kind} at all.` : `closest: ${JSON.stringify(nearest)}.`),
    met.closest,
  );
}
