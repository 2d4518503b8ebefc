/**
 * Whether somebody uses the console. Its own refreshes must not keep alive the session of an operator who has left: calls
 * without input in the last minute are marked, and the exchange does not count them as a use.
 */

const ATTENDED_MS = 60_000;
let inputAt = Number.NEGATIVE_INFINITY;

for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  window.addEventListener(kind, () => void (inputAt = performance.now()), { capture: true, passive: true });

export const isUnattended = (): boolean => performance.now() - inputAt > ATTENDED_MS;
