/** The envelope of a command: an id for replay protection and, for operators' commands, the audit fields. */

import type { Administration, Command, IdentityCommand, Once, OperatorCommand } from '@bourse/core';
import { badText } from './breakage.ts';
import { remember } from './model.ts';
import type { Scene } from './scene.ts';

const ONCE_PROBABILITY = 0.08;
const AUDITED_PROBABILITY = 0.4;
const AHEAD_MS_MAX = 60_000;

const ADMINISTRATIVE: Record<
  Exclude<Administration['kind'], IdentityCommand['kind'] | OperatorCommand['kind']>,
  true
> = {
  'add-currency': true,
  'change-currency': true,
  'remove-currency': true,
  'add-symbol': true,
  'change-symbol': true,
  'remove-symbol': true,
  'set-market-state': true,
  'begin-auction': true,
  'cancel-auction': true,
  'pause-exchange': true,
  'resume-exchange': true,
  'schedule-call': true,
  'unschedule-call': true,
  'set-fees': true,
  'remove-fees': true,
  'set-limits': true,
  'add-user': true,
  'change-user': true,
  'freeze-user': true,
  'unfreeze-user': true,
  'close-user': true,
  'add-user-note': true,
  'cancel-for-others': true,
  'add-key': true,
  'change-key': true,
  'remove-key': true,
  'add-address': true,
  'load-addresses': true,
  'report-deposit': true,
  'decide-questionnaire': true,
  'claim-withdrawal': true,
  'unclaim-withdrawal': true,
  'advance-withdrawal': true,
  'settle-withdrawal': true,
  'return-deposit': true,
  'reverse-movement': true,
  'move-money': true,
  'set-withdrawal-limits': true,
  'add-address-rule': true,
  'remove-address-rule': true,
  'report-wallet': true,
  'import-candles': true,
  'set-note': true,
  'publish-notice': true,
  'remove-notice': true,
};

export function wrap(scene: Scene, command: Command, breakage: number): Command {
  const { random } = scene;
  let wrapped = command;
  if (Object.hasOwn(ADMINISTRATIVE, command.kind) && random.chance(AUDITED_PROBABILITY)) {
    const by = random.chance(breakage) ? badText(random, 64) : random.pick(['', 'operator', 'another']);
    const why = 'ö'.repeat(random.chance(breakage) ? 257 : random.pick([0, 12, 256]));
    wrapped = { ...wrapped, by, why } as Command;
  }
  return random.chance(ONCE_PROBABILITY) ? { ...wrapped, once: drawOnce(scene, breakage) } : wrapped;
}

/** A new id, or one that was sent before, with its own time or another. */
function drawOnce(scene: Scene, breakage: number): Once {
  const { random, model, onceIds } = scene;
  const { time } = model;
  const before =
    onceIds.length > 0 && random.chance(0.5) ? random.pick(onceIds.slice(random.pick([-3, 0]))) : undefined;
  let id = before?.id ?? `once ${random.bits().toString(36)}`;
  const far = random.range(1000, AHEAD_MS_MAX);
  let until = time + random.pick([0, 1000, random.range(0, 5000), far, far, far]);
  if (before !== undefined && random.chance(0.5)) until = before.until;
  if (random.chance(breakage)) id = badText(random, 64);
  if (random.chance(breakage)) {
    until = random.pick([time - 1, time + AHEAD_MS_MAX, time + AHEAD_MS_MAX + 1, time + 0.5, Number.NaN, 0]);
  }
  if (Number.isInteger(until) && until >= time && until <= time + AHEAD_MS_MAX) {
    // Records that come at its last instant, and right after it.
    remember(model.instants, until);
    remember(model.instants, until + 1);
  }
  remember(onceIds, { id, until });
  return { id, until };
}
