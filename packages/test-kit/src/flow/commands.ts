/** Draws the next command and its envelope. Orders make up most, because most rules are about them. */

import type { Administration, Command, IdentityCommand, Once, OperatorCommand } from '@bourse/core';
import { Weighted } from '../random.ts';
import * as access from './access-commands.ts';
import * as addresses from './access-commands.ts';
import { badText } from './breakage.ts';
import * as kept from './market-commands.ts';
import * as markets from './market-commands.ts';
import { remember } from './model.ts';
import * as money from './money-commands.ts';
import * as rules from './money-commands.ts';
import * as orders from './order-commands.ts';
import * as reference from './reference-commands.ts';
import type { Draw, Scene } from './scene.ts';

/**
 * Excludes people and operators, which the naive exchange does not have. They are checked against their own models, in
 * packages/core/test/people and packages/core/test/operators.
 */
type DrawnKind = Exclude<Command['kind'], IdentityCommand['kind'] | OperatorCommand['kind']>;

const KINDS: Record<DrawnKind, readonly [weight: number, draw: Draw]> = {
  'place-order': [70, orders.placeOrder],
  'place-orders': [3, orders.placeOrders],
  'test-order': [2, orders.testOrder],
  'place-stop-order': [5, orders.placeStopOrder],
  'place-oco-order': [2, orders.placeOcoOrder],
  'cancel-order': [35, orders.cancelOrder],
  'cancel-stop-order': [1, orders.cancelStopOrder],
  'cancel-oco-order': [0.4, orders.cancelOcoOrder],
  'cancel-orders': [0.4, orders.cancelOrders],
  'reduce-order': [3.5, orders.reduceOrder],
  'alter-order': [5, orders.alterOrder],
  'set-switch': [0.5, orders.setSwitch],
  'add-address': [0.5, addresses.addAddress],
  'load-addresses': [0.15, addresses.loadAddresses],
  'ask-address': [0.1, addresses.askAddress],
  'report-deposit': [3.5, money.reportDeposit],
  'submit-questionnaire': [0.8, money.submitQuestionnaire],
  'decide-questionnaire': [0.8, money.decideQuestionnaire],
  transfer: [4.5, money.transfer],
  'request-withdrawal': [0.8, money.requestWithdrawal],
  'cancel-withdrawal': [0.4, money.cancelWithdrawal],
  'claim-withdrawal': [0.7, money.claimWithdrawal],
  'unclaim-withdrawal': [0.2, money.unclaimWithdrawal],
  'advance-withdrawal': [0.3, money.advanceWithdrawal],
  'settle-withdrawal': [0.7, money.settleWithdrawal],
  'return-deposit': [0.3, money.returnDeposit],
  'reverse-movement': [0.5, money.reverseMovement],
  'move-money': [0.4, money.moveMoney],
  'set-withdrawal-limits': [0.3, rules.setWithdrawalLimits],
  'add-address-rule': [0.3, rules.addAddressRule],
  'remove-address-rule': [0.2, rules.removeAddressRule],
  'report-wallet': [0.15, rules.reportWallet],
  'add-currency': [0.12, reference.addCurrency],
  'change-currency': [0.2, reference.changeCurrency],
  'remove-currency': [0.3, reference.removeCurrency],
  'add-symbol': [0.15, reference.addSymbol],
  'change-symbol': [0.7, reference.changeSymbol],
  'remove-symbol': [0.4, reference.removeSymbol],
  'set-market-state': [0.8, markets.setMarketState],
  'begin-auction': [0.7, markets.beginAuction],
  'cancel-auction': [0.15, markets.cancelAuction],
  'pause-exchange': [0.08, markets.pauseExchange],
  'resume-exchange': [0.08, markets.resumeExchange],
  'schedule-call': [0.4, markets.scheduleCall],
  'unschedule-call': [0.2, markets.unscheduleCall],
  'set-fees': [0.4, reference.setFees],
  'remove-fees': [0.2, reference.removeFees],
  'set-limits': [0.25, reference.setLimits],
  'add-user': [0.2, access.addUser],
  'change-user': [0.4, access.changeUser],
  'freeze-user': [0.4, access.freezeUser],
  'unfreeze-user': [0.2, access.unfreezeUser],
  'close-user': [0.2, access.closeUser],
  'add-user-note': [0.1, access.addUserNote],
  'cancel-for-others': [0.5, orders.cancelForOthers],
  'add-key': [0.2, access.addKey],
  'change-key': [0.2, access.changeKey],
  'remove-key': [0.15, access.removeKey],
  'import-candles': [0.2, kept.importCandles],
  'set-note': [0.2, kept.setNote],
  'publish-notice': [0.3, reference.publishNotice],
  'remove-notice': [0.2, reference.removeNotice],
};

export const COMMAND_KINDS = Object.keys(KINDS) as readonly DrawnKind[];

/** Rare kinds have many checks and few chances to meet them, so they are broken more often. */
const RARE_WEIGHT = 1;

const REOPEN_PROBABILITY = 0.05;
const RESUME_PROBABILITY = 0.2;
const THAW_PROBABILITY = 0.02;

const MIX = new Weighted(Object.values(KINDS).map((kind) => [kind[0], kind] as const));

export function drawCommand(scene: Scene, breakage: number): Command {
  return wrap(scene, drawBare(scene, breakage), breakage);
}

function drawBare(scene: Scene, breakage: number): Command {
  if (scene.random.chance(THAW_PROBABILITY)) {
    const command = access.thaw(scene);
    if (command !== undefined) return command;
  }
  if (scene.random.chance(scene.model.isPaused ? RESUME_PROBABILITY : REOPEN_PROBABILITY)) {
    const command = markets.reopen(scene);
    if (command !== undefined) return command;
  }
  const [weight, draw] = MIX.pick(scene.random);
  return draw(scene, scene.random.chance(weight <= RARE_WEIGHT ? breakage * 2.5 : breakage));
}

// The envelope of a command: an id for replay protection and, for operators' commands, the audit fields.

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

function wrap(scene: Scene, command: Command, breakage: number): Command {
  const { random } = scene;
  let wrapped = command;
  if (Object.hasOwn(ADMINISTRATIVE, command.kind) && random.chance(AUDITED_PROBABILITY)) {
    const by = random.chance(breakage) ? badText(random, 64) : random.pick(['', 'operator', 'another']);
    const why = 'ö'.repeat(random.chance(breakage) ? 257 : random.pick([0, 12, 256]));
    wrapped = { ...wrapped, by, why } as Command;
  }
  return random.chance(ONCE_PROBABILITY) ? { ...wrapped, once: drawOnce(scene, breakage) } : wrapped;
}

/** A new id, or an earlier one with the same or another time. */
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
