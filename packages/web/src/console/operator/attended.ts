/**
 * Whether somebody is at the console. It refreshes itself, which must not keep the session of an operator who has left:
 * calls without any input in the minute before say so, and the exchange does not count them as a use.
 */

const ATTENDED_MS = 60_000;
let inputAt = Number.NEGATIVE_INFINITY;

for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  window.addEventListener(kind, () => void (inputAt = performance.now()), { capture: true, passive: true });

export const isUnattended = (): boolean => performance.now() - inputAt > ATTENDED_MS;
