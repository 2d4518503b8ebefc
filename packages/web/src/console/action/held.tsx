/** A call under policy: it became a proposal, and others have to approve it. */

import { Link } from 'wouter';
import { timeOf } from '../operator/time.ts';

export interface Held {
  readonly proposalId: string;
  readonly hash: string;
  readonly expires: number;
}

/** Undefined where the call was carried out. */
export function heldOf(answer: unknown): Held | undefined {
  if (typeof answer !== 'object' || answer === null || !('proposalId' in answer)) return undefined;
  // Proposals themselves, in the answer of an approval, have a status.
  return 'status' in answer ? undefined : (answer as unknown as Held);
}

export interface HeldNoteProps {
  readonly held: Held;
  readonly onLeave: () => void;
}

export function HeldNote({ held, onLeave }: HeldNoteProps) {
  return (
    <div role="status" className="rounded-md bg-warning-tint p-3 text-xs">
      <p className="font-medium text-warning">Proposed: nothing has changed yet.</p>
      <p className="mt-1 text-muted">
        The policy requires the approval of others. They have until {timeOf(held.expires).slice(0, 16)} UTC.
      </p>
      <Link
        href={`/console/proposals/${held.proposalId}`}
        onClick={onLeave}
        className="mt-2 inline-block font-medium text-accent hover:underline"
      >
        See the proposal
      </Link>
    </div>
  );
}
