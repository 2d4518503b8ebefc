/**
 * Counts what really happened. A run proves nothing about what never occurred in it, so every command kind,
 * rejection, end of an order, flag and event is listed beforehand, and a count of zero fails the run.
 */

import {
  type Command,
  type Event,
  type FinishedCommand,
  type OrderReceived,
  type Outcome,
  REJECTION_CODES,
  type RejectionCode,
  type SelfTradeMode,
  type TimeInForce,
} from '@bourse/core';
import { COMMAND_KINDS } from './commands.ts';

type Group = Map<string, number>;

const DONE_REASONS: Record<Extract<Event, { kind: 'order-done' }>['reason'], true> = {
  filled: true,
  requested: true,
  altered: true,
  switch: true,
  expired: true,
  ioc: true,
  fok: true,
  'post-only': true,
  'price-protection': true,
  'self-trade': true,
  'book-end': true,
  'funds-end': true,
  oco: true,
  delisted: true,
  operator: true,
};

/** Without people: see commands.ts. */
const EVENT_KINDS: Record<Exclude<Event['kind'], 'person-changed' | 'operators-changed'>, true> = {
  'order-received': true,
  'order-opened': true,
  trade: true,
  'order-reduced': true,
  'order-done': true,
  'book-changed': true,
  'balance-changed': true,
  'currency-set': true,
  'currency-removed': true,
  'symbol-set': true,
  'symbol-removed': true,
  'auction-set': true,
  'auction-ended': true,
  'pause-set': true,
  'schedule-changed': true,
  'fees-set': true,
  'fees-removed': true,
  'limits-set': true,
  'user-added': true,
  'user-changed': true,
  'key-set': true,
  'key-removed': true,
  'address-set': true,
  'deposit-set': true,
  'correction-made': true,
  'questionnaire-set': true,
  'transfer-made': true,
  'withdrawal-set': true,
  'switch-set': true,
  'candles-imported': true,
  'stop-placed': true,
  'stop-done': true,
  'oco-placed': true,
  'oco-done': true,
};

/**
 * Events about people, operators and their work. Neither the naive exchange nor the scenario language supports them;
 * other tests cover them.
 */
export const REJECTIONS_OF_PEOPLE: readonly RejectionCode[] = [
  'person-unknown',
  'session-unknown',
  'person-taken',
  'person-locked',
  'proof-spent',
  'step-up-needed',
  'withdrawals-locked',
  'address-not-listed',
  'person-not-empty',
  'not-in-queue',
  'assigned',
  'not-assigned',
  'operator-unknown',
  'root-closed',
  'role',
  'last-admin',
  'operators-in-all',
  'proposal-unknown',
  'own-proposal',
  'not-proposer',
  'approved-already',
  'proposal-closed',
  'expired',
  'proposals-in-all',
];

/**
 * Random worlds rarely or never reach these; scenarios do. The named ones need a hundred sub-accounts of one user, ten
 * keys, or a thousand entries.
 */
const OUT_OF_REACH: ReadonlySet<string> = new Set([
  'sub-accounts-per-user',
  'keys-per-user',
  'address-rules-in-all',
  'schedule-full',
  ...REJECTIONS_OF_PEOPLE,
]);

const BALANCE_CAUSES: Record<Extract<Event, { kind: 'balance-changed' }>['cause'], true> = {
  hold: true,
  release: true,
  trade: true,
  deposit: true,
  transfer: true,
  'withdrawal-hold': true,
  'withdrawal-release': true,
  withdrawal: true,
  correction: true,
};

const OTHER = [
  'reduced requested',
  'reduced self-trade',
  'stop triggered',
  'stop rejected',
  'stop left over',
  'stop requested',
  'stop oco',
  'stop delisted',
  'stop operator',
  'oco traded',
  'oco triggered',
  'oco cancelled',
  'once accepted',
  'by and why accepted',
  'user frozen',
  'user thawed',
  'user frozen for trading',
  'user frozen for withdrawals',
  'user closed',
  'deposit waiting',
  'deposit done',
  'deposit returned',
  'deposit reversed',
  'reversed deposit',
  'reversed withdrawal',
  'reversed correction',
  'questionnaire pending',
  'questionnaire success',
  'questionnaire fail',
  'withdrawal processing',
  'withdrawal paying',
  'withdrawal sent',
  'withdrawal failed',
  'withdrawal cancelled',
  'switch set',
  'switch off',
  'market open',
  'market cancel-only',
  'market halted',
  'market post-only',
  'market auction',
  'market delisted',
  'auction extended',
  'auction traded',
  'auction no-cross',
  'auction outside-band',
  'auction cancelled',
  'schedule scheduled',
  'schedule removed',
  'schedule done',
  'schedule refused',
  'market halted from the first',
  'withdrawal with its fee included',
  'done rested',
  'done never rested',
  'client id',
  'tags',
  'remark',
  'waits for an unfinished order',
  'unfinished place-order',
  'unfinished place-orders',
  'unfinished alter-order',
  'finished order',
  'finished orders',
  'finished altered',
];

/** How orders end that continued in a later record. */
const CARRIED_ON = [
  'rests',
  'filled',
  'ioc',
  'post-only',
  'price-protection',
  'self-trade',
  'book-end',
  'funds-end',
];

/** The fast paths of the core. */
const FAST_PATHS = ['rested at once', 'cancelled untouched'] as const;

export class Coverage {
  readonly #groups = {
    'commands accepted': zeroes(COMMAND_KINDS),
    'commands refused': zeroes(COMMAND_KINDS),
    rejections: zeroes(REJECTION_CODES.filter((code) => !OUT_OF_REACH.has(code))),
    'order ends': zeroes(Object.keys(DONE_REASONS)),
    events: zeroes(Object.keys(EVENT_KINDS)),
    'balance causes': zeroes(Object.keys(BALANCE_CAUSES)),
    fills: zeroes(FILL_KINDS),
    'self-trades': zeroes(SELF_TRADE_KINDS),
    'other things': zeroes(OTHER),
    'limit orders': zeroes(LIMIT_KINDS),
    'market orders': zeroes(MARKET_KINDS),
    'fast paths': zeroes(FAST_PATHS),
    'carried on': zeroes(CARRIED_ON),
  };
  /** Active orders: the name under which an end is counted depends on how the order began. */
  readonly #orders = new Map<number, OrderReceived>();
  #incoming: OrderReceived | undefined;

  /** Another world begins, with its own order ids. */
  beginWorld(): void {
    this.#orders.clear();
  }

  record(
    commands: readonly Command[],
    outcomes: readonly Outcome[],
    events: readonly Event[],
    finished: readonly FinishedCommand[],
  ): void {
    for (const { outcome } of finished) this.#finished(outcome);
    for (let index = 0; index < commands.length; index += 1) {
      this.#command(commands[index] as Command, outcomes[index] as Outcome);
    }
    for (const event of events) this.#event(event);
    if (commands.length === 0) this.#leftOver(events);
  }

  /** Counts the latest record's use of the fast paths, from its batch of events. */
  fastPaths({ rested, cancelled }: { readonly rested: number; readonly cancelled: number }): void {
    add(this.#groups['fast paths'], 'rested at once', rested);
    add(this.#groups['fast paths'], 'cancelled untouched', cancelled);
  }

  /** The fast paths that were taken less often than this, as `name: count`. */
  rarelyTaken(min: number): string[] {
    return [...this.#groups['fast paths']]
      .filter(([, count]) => count < min)
      .map(([name, count]) => `${name}: ${count}`);
  }

  /** In a record without commands, only leftover stop orders trigger, because time alone moves no price. */
  #leftOver(events: readonly Event[]): void {
    const other = this.#groups['other things'];
    for (const event of events) if (event.kind === 'stop-done') add(other, 'stop left over');
  }

  /** The names that never occurred, as `group: name`. */
  zeros(): string[] {
    return Object.entries(this.#groups).flatMap(([title, group]) =>
      [...group].filter(([, count]) => count === 0).map(([name]) => `${title}: ${name}`),
    );
  }

  /** Every count, or with `short` only how many names a group has and the rarest of them. */
  table(short = false): string {
    const lines: string[] = [];
    for (const [title, group] of Object.entries(this.#groups)) {
      const rows = [...group];
      const total = rows.reduce((sum, [, count]) => sum + count, 0);
      const rarest = rows.reduce((least, row) => (row[1] < least[1] ? row : least), rows[0] ?? ['', 0]);
      lines.push(`${title}: ${total} in ${rows.length} kinds, rarest ${rarest[0]} ${rarest[1]}`);
      if (!short) lines.push(...columns(rows));
    }
    return lines.join('\n');
  }

  #finished(outcome: Outcome): void {
    add(this.#groups['other things'], `finished ${outcome.kind}`);
    if (outcome.kind === 'order')
      add(this.#groups['carried on'], outcome.done === '' ? 'rests' : outcome.done);
  }

  #command(command: Command, outcome: Outcome): void {
    const { kind, once } = command;
    if (outcome.kind === 'waits') {
      add(this.#groups['other things'], 'waits for an unfinished order');
      return;
    }
    if (outcome.kind === 'unfinished') add(this.#groups['other things'], `unfinished ${kind}`);
    if (outcome.kind === 'rejected') {
      add(this.#groups.rejections, outcome.rejection.code);
      // Any command can be repeated, which says nothing about its own checks.
      if (outcome.rejection.code !== 'request-repeated') add(this.#groups['commands refused'], kind);
      return;
    }
    if (once !== undefined) add(this.#groups['other things'], 'once accepted');
    if (command.kind === 'add-symbol' && command.state === 'halted')
      add(this.#groups['other things'], 'market halted from the first');
    if (command.kind === 'request-withdrawal' && command.feeIncluded)
      add(this.#groups['other things'], 'withdrawal with its fee included');
    if ('by' in command) add(this.#groups['other things'], 'by and why accepted');
    add(this.#groups['commands accepted'], kind);
    if (outcome.kind !== 'orders') return;
    for (const each of outcome.outcomes) {
      if (each.kind === 'rejected') add(this.#groups.rejections, each.rejection.code);
    }
  }

  #event(event: Event): void {
    add(this.#groups.events, event.kind);
    const other = this.#groups['other things'];
    switch (event.kind) {
      case 'balance-changed':
        add(this.#groups['balance causes'], event.cause);
        break;
      case 'order-received':
        this.#received(event);
        break;
      case 'trade': {
        const incoming = this.#orders.get(event.incoming.order);
        const resting = this.#orders.get(event.resting.order);
        // In an auction both are makers, and any two kinds of orders meet.
        if (event.incoming.liquidity === event.resting.liquidity) break;
        if (incoming && resting) add(this.#groups.fills, fillKind(incoming, resting));
        break;
      }
      case 'order-reduced':
        add(other, event.reason === 'requested' ? 'reduced requested' : 'reduced self-trade');
        if (event.reason === 'self-trade') this.#selfTrade(event.order, 'reduced');
        break;
      case 'order-done':
        add(this.#groups['order ends'], event.reason);
        add(other, event.rested ? 'done rested' : 'done never rested');
        if (event.reason === 'self-trade') this.#selfTrade(event.order, 'done');
        this.#orders.delete(event.order);
        break;
      case 'stop-done':
        add(other, `stop ${event.reason}`);
        break;
      case 'oco-done':
        add(other, `oco ${event.reason}`);
        break;
      case 'user-changed':
        add(other, event.frozen ? 'user frozen' : 'user thawed');
        if (event.freeze) add(other, `user frozen for ${event.freeze.level}`);
        if (event.closed) add(other, 'user closed');
        break;
      case 'deposit-set':
        add(other, `deposit ${event.state}`);
        if (event.reversed) add(other, 'deposit reversed');
        break;
      case 'correction-made':
        if (event.reverses) add(other, `reversed ${event.reverses.kind}`);
        break;
      case 'questionnaire-set':
        add(other, `questionnaire ${event.state}`);
        break;
      case 'withdrawal-set':
        add(other, `withdrawal ${event.state}`);
        break;
      case 'switch-set':
        add(other, event.triggerAt > 0 ? 'switch set' : 'switch off');
        break;
      case 'auction-set':
        if (event.isExtended) add(other, 'auction extended');
        break;
      case 'schedule-changed':
        add(other, `schedule ${event.what}`);
        break;
      case 'auction-ended':
        add(other, `auction ${event.result}`);
        break;
      case 'symbol-set':
        add(other, `market ${event.state}`);
        break;
    }
  }

  #received(event: OrderReceived): void {
    this.#orders.set(event.order, event);
    this.#incoming = event;
    const group = this.#groups[event.type === 'limit' ? 'limit orders' : 'market orders'];
    add(group, orderKind(event));
    if (event.clientId !== '') add(this.#groups['other things'], 'client id');
    if (event.tags !== '') add(this.#groups['other things'], 'tags');
    if (event.remark !== '') add(this.#groups['other things'], 'remark');
  }

  #selfTrade(order: number, what: 'done' | 'reduced'): void {
    const hit = this.#orders.get(order);
    // The latest order received is the one that is matching.
    if (hit && this.#incoming) add(this.#groups['self-trades'], selfTradeKind(this.#incoming, hit, what));
  }
}

function zeroes(names: readonly string[]): Group {
  return new Map(names.map((name) => [name, 0]));
}

function add(group: Group, name: string, count = 1): void {
  group.set(name, (group.get(name) ?? 0) + count);
}

const COLUMNS = 3;

function columns(rows: readonly (readonly [string, number])[]): string[] {
  const cells = rows.map(([name, count]) => `  ${name.padEnd(28)}${String(count).padStart(8)}`);
  const lines: string[] = [];
  for (let index = 0; index < cells.length; index += COLUMNS) {
    lines.push(cells.slice(index, index + COLUMNS).join(''));
  }
  return lines;
}

// Names for the combinations of flags that must all occur: of orders, of fills, of self-trades.

const SIDES = ['buy', 'sell'] as const;
const LOOKS = ['plain', 'hidden', 'iceberg'] as const;
const MODES: readonly SelfTradeMode[] = ['', 'CN', 'CO', 'CB', 'DC'];
const TIMES: readonly TimeInForce[] = ['GTC', 'GTT', 'IOC', 'FOK'];

type Look = (typeof LOOKS)[number];

function look(order: OrderReceived): Look {
  if (order.hidden) return 'hidden';
  return order.iceberg ? 'iceberg' : 'plain';
}

function modeName(mode: SelfTradeMode): string {
  return mode === '' ? '--' : mode;
}

function orderKind(order: OrderReceived): string {
  const end = `${modeName(order.stp)} ${order.side}`;
  if (order.type === 'market') return `${order.size > 0 ? 'by-size' : 'by-funds'} ${end}`;
  return `${order.timeInForce} ${order.postOnly ? 'post-only ' : ''}${look(order)} ${end}`;
}

/** Every limit order as it counts after acceptance: IOC and FOK are never post-only, FOK is always CN. */
const LIMIT_KINDS: readonly string[] = TIMES.flatMap((time) =>
  (time === 'GTC' || time === 'GTT' ? ['', 'post-only '] : ['']).flatMap((postOnly) =>
    LOOKS.flatMap((looks) =>
      MODES.filter((mode) => time !== 'FOK' || mode === 'CN').flatMap((mode) =>
        SIDES.map((side) => `${time} ${postOnly}${looks} ${modeName(mode)} ${side}`),
      ),
    ),
  ),
);

const MARKET_KINDS: readonly string[] = ['by-size', 'by-funds'].flatMap((by) =>
  MODES.filter((mode) => mode !== 'DC').flatMap((mode) =>
    SIDES.map((side) => `${by} ${modeName(mode)} ${side}`),
  ),
);

function fillKind(incoming: OrderReceived, resting: OrderReceived): string {
  const name =
    incoming.type === 'market' ? 'market' : `${incoming.postOnly ? 'post-only ' : ''}${look(incoming)}`;
  return `${name} meets ${look(resting)}`;
}

/** A post-only order never trades with an ordinary one. */
const FILL_KINDS: readonly string[] = [
  ...['market', ...LOOKS].flatMap((incoming) => LOOKS.map((resting) => `${incoming} meets ${resting}`)),
  ...LOOKS.flatMap((incoming) =>
    ['hidden', 'iceberg'].map((resting) => `post-only ${incoming} meets ${resting}`),
  ),
];

/** The effect of self-trade prevention on one of the two orders; `incoming` determines the mode. */
function selfTradeKind(incoming: OrderReceived, order: OrderReceived, what: 'done' | 'reduced'): string {
  return `${modeName(incoming.stp)} ${order === incoming ? 'incoming' : look(order)} ${what}`;
}

const SELF_TRADE_KINDS: readonly string[] = [
  'CN incoming done',
  ...LOOKS.map((resting) => `CO ${resting} done`),
  ...['incoming', ...LOOKS].map((order) => `CB ${order} done`),
  ...['incoming', ...LOOKS].flatMap((order) => [`DC ${order} done`, `DC ${order} reduced`]),
];
