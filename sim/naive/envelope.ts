/** The envelope of any command: an id for replay protection, and the audit fields. */

import type { Command } from '../../packages/core/src/commands/commands.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import { checkInteger, checkText } from './refusal.ts';
import type { State } from './state.ts';

const ADMINISTRATIVE: readonly string[] = [
  'add-currency',
  'change-currency',
  'remove-currency',
  'add-symbol',
  'change-symbol',
  'remove-symbol',
  'set-market-state',
  'begin-auction',
  'cancel-auction',
  'pause-exchange',
  'resume-exchange',
  'schedule-call',
  'unschedule-call',
  'set-fees',
  'remove-fees',
  'set-limits',
  'add-user',
  'change-user',
  'freeze-user',
  'unfreeze-user',
  'close-user',
  'add-user-note',
  'cancel-for-others',
  'add-key',
  'change-key',
  'remove-key',
  'add-address',
  'load-addresses',
  'report-deposit',
  'decide-questionnaire',
  'claim-withdrawal',
  'unclaim-withdrawal',
  'advance-withdrawal',
  'settle-withdrawal',
  'return-deposit',
  'reverse-movement',
  'move-money',
  'set-withdrawal-limits',
  'add-address-rule',
  'remove-address-rule',
  'report-wallet',
  'import-candles',
  'set-note',
  'publish-notice',
  'remove-notice',
];

/** At the start of a record, expired ids are forgotten. */
export function forgetOnceIds(state: State): void {
  for (const [id, until] of state.onceIds) if (until < state.time) state.onceIds.delete(id);
}

/** Remembers the id of a command, whether or not the command is then rejected. */
export function checkEnvelope(state: State, command: Command): Rejection | null {
  const { once } = command;
  if (once !== undefined) {
    if (state.onceIds.has(once.id)) return reject('request-repeated', { id: once.id });
    const wrong =
      checkText('once.id', once.id, 1, 64, 'printable') ??
      checkInteger('once.until', once.until, state.time, state.time + 60_000);
    if (wrong !== null) return wrong;
    state.onceIds.set(once.id, once.until);
  }
  if (!ADMINISTRATIVE.includes(command.kind)) return null;
  const { by = '', why = '' } = command as { by?: string; why?: string };
  return checkText('by', by, 0, 64, 'printable') ?? checkText('why', why, 0, 256, 'any');
}
