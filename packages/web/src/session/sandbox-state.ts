/** What a sandbox does that no venue would: a clock that stands or runs faster, and faults. Undefined at a venue. */

import { useQuery } from '@tanstack/react-query';
import { callSandbox, useIsSandbox } from './sandbox.ts';

export interface ClockState {
  readonly mode: 'real' | 'scaled' | 'manual';
  readonly speed: number;
  readonly time: number;
}

/** The control interface has no feed, so it is asked; what the page's own drawer changes is asked for at once. */
const ASKED_EVERY_MS = 1_000;
/** With another token than the published one it answers nothing but refusals. */
const REFUSED_MS = 30_000;

function useAsked<T>(path: string) {
  const isSandbox = useIsSandbox();
  return useQuery({
    queryKey: ['sandbox', path],
    queryFn: () => callSandbox<T>('GET', path),
    enabled: isSandbox === true,
    retry: false,
    refetchInterval: ({ state }) => (state.error === null ? ASKED_EVERY_MS : REFUSED_MS),
  }).data;
}

/** One short sentence for each thing that is not as at a venue. */
export function useSandboxNotes(): readonly string[] {
  const clock = useAsked<ClockState>('/clock');
  const faults = useAsked<readonly object[]>('/faults')?.length ?? 0;
  return [
    ...(clock?.mode === 'manual' ? ['Clock paused'] : []),
    ...(clock?.mode === 'scaled' ? [`Clock x${clock.speed}`] : []),
    ...(faults > 0 ? [`${faults} ${faults === 1 ? 'fault' : 'faults'} active`] : []),
  ];
}
