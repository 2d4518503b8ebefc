/** A sequencer of a small market on a log in memory, whose records become durable when a test says so. */

import assert from 'node:assert/strict';
import { Exchange } from '@bourse/core';
import { Digest } from '../../engine/src/digest.ts';
import { Unavailable } from '../../engine/src/exchange-port.ts';
import { Sequencer } from '../../engine/src/sequencer.ts';
import type { SequencerLimits, SequencerParts } from '../../engine/src/sequencer-parts.ts';
import type { Clock } from '../../engine/src/io/clock.ts';
import { ManualClock } from './manual-clock.ts';
import { openMarket } from './market.ts';
import { MemoryLog } from './memory-log.ts';
import { submit } from './submit.ts';

export async function open(
  limits: Partial<SequencerLimits> = {},
  parts: Pick<SequencerParts, 'clockJumpMsMax' | 'onClock'> = {},
) {
  const clock = new ManualClock();
  return { clock, ...(await openWith(clock, limits, parts)) };
}

export async function openWith(
  clock: Clock,
  limits: Partial<SequencerLimits> = {},
  parts: Pick<SequencerParts, 'clockJumpMsMax' | 'onClock'> = {},
) {
  const log = new MemoryLog();
  const exchange = new Exchange();
  exchange.keepDone = true;
  const stops: Error[] = [];
  const sequencer = new Sequencer({
    log,
    exchange,
    clock,
    digest: new Digest(),
    limits,
    ...parts,
    onStop: (why) => stops.push(why),
  });
  for (const command of openMarket()) await submit(sequencer, command);
  log.isAutomatic = false;
  return { log, exchange, sequencer, stops };
}

/** Checks that a command was refused for this reason. */
export const refusedAs = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof Unavailable);
  assert.equal(error.reason, reason);
  return true;
};
