/** Renders again when the signal tells, at most once a frame. */

import { useSyncExternalStore } from 'react';
import type { FrameSignal } from './frame-signal.ts';

export function useFrames(signal: FrameSignal): number {
  return useSyncExternalStore(signal.subscribe, signal.painted);
}
