/**
 * Whether the operator is present. The console's own refreshes must not keep the session of an absent operator alive, so
 * requests without user input in the last minute are marked, and the exchange does not count them as use.
 */

const ATTENDED_MS = 60_000;
let inputAt = Number.NEGATIVE_INFINITY;

for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  window.addEventListener(kind, () => void (inputAt = performance.now()), { capture: true, passive: true });

export const isUnattended = (): boolean => performance.now() - inputAt > ATTENDED_MS;
