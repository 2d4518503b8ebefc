/** What any command may carry, users as they stand, and deposit addresses. */

import { inFile, type Mutant } from './mutant.ts';

export const REQUEST_MUTANTS: readonly Mutant[] = [
  ...inFile('access/once-ids.ts', [
    {
      name: 'request id free in its last millisecond',
      rule: 'O1',
      find: 'this.untils.value(row) >= time)',
      replace: 'this.untils.value(row) > time)',
    },
    {
      name: 'request id free only when its stretch is over',
      rule: 'O1',
      find: 'row !== NO_ROW && this.untils.value(row) >= time',
      replace: 'row !== NO_ROW',
    },
    {
      name: 'request may come a moment after its time',
      rule: 'O1',
      find: 'until < time ||',
      replace: 'until < time - 1 ||',
    },
    {
      name: 'request may be remembered for longer than a minute',
      rule: 'O1',
      find: 'until > time + AHEAD_MS_MAX)',
      replace: 'until > time + AHEAD_MS_MAX + 1)',
    },
    {
      name: 'request id that is taken again keeps its earlier time',
      rule: 'O1',
      find: 'this.untils.setValue(row, until);',
      replace: '',
    },
    {
      name: 'request ids of this stretch forgotten at its beginning',
      rule: 'O1',
      find: 'this.oldest < now && left > 0',
      replace: 'this.oldest <= now && left > 0',
    },
  ]),
  ...inFile('exchange.ts', [
    {
      name: 'a refused request may be tried again',
      rule: 'O1',
      find: 'if (!execute(state, command)) state.outcomes.other(perform(state, command));',
      replace: [
        'if (!execute(state, command)) state.outcomes.other(perform(state, command));',
        "  const isRefused = state.outcomes.decode().at(-1)?.kind === 'rejected';",
        '  if (command.once && isRefused) {',
        "    const ids = state.onceIds['untils'];",
        '    const row = ids.find(0, command.once.id);',
        '    if (row > 0) ids.setValue(row, 0);',
        '  }',
      ].join('\n'),
    },
    {
      name: 'a frozen user places a batch',
      rule: 'U',
      find: 'state.users.unknown(user) ?? state.users.frozen(user, state.rules);',
      replace: 'state.users.unknown(user);',
    },
  ]),
  ...inFile('administration.ts', [
    {
      name: 'by is not checked',
      rule: 'O2',
      find: "checkPrintable('by', by, 0, BY_LENGTH_MAX) ?? ",
      replace: '',
    },
    {
      name: 'why is a letter too long',
      rule: 'O2',
      find: 'WHY_LENGTH_MAX = 256',
      replace: 'WHY_LENGTH_MAX = 257',
    },
    {
      name: 'why must be printable',
      rule: 'O2',
      find: "checkLength('why', why, 0, WHY_LENGTH_MAX)",
      replace: "checkPrintable('why', why, 0, WHY_LENGTH_MAX)",
    },
  ]),
  ...inFile('access/users.ts', [
    {
      name: 'tier of thirteen',
      rule: 'U',
      find: 'tier > TIER_MAX',
      replace: 'tier > TIER_MAX + 1',
    },
    {
      name: 'a change of the tier thaws',
      rule: 'U',
      find: 'frozen = user.frozen }',
      replace: 'frozen = false }',
    },
  ]),
  ...inFile('matching/draft.ts', [
    {
      name: 'a frozen user places orders',
      rule: 'U',
      find: 'standing === FROZEN || ',
      replace: '',
    },
    {
      name: 'a sub-account of a frozen master trades on',
      rule: 'U',
      find: '(standing === MASTER_FROZEN && state.rules >= 6)',
      replace: 'false',
    },
  ]),
  ...inFile('matching/alter.ts', [
    {
      name: 'a frozen user alters orders',
      rule: 'U',
      find: 'firstOf(state.users.frozen(command.user, state.rules), ',
      replace: 'firstOf(null, ',
    },
  ]),
  ...inFile('ledger/transfer.ts', [
    {
      name: 'money leaves a frozen sub-account',
      rule: 'U',
      find: '(fromUser === undefined ? null : state.users.frozen(fromUser, state.rules)) ??',
      replace: '',
    },
  ]),
  ...inFile('ledger/addresses.ts', [
    {
      name: 'one address for all currencies',
      rule: 'M',
      find: '`${user} ${currency}`',
      replace: '`${user} ${currency > -1}`',
    },
  ]),
  ...inFile('ledger/give-address.ts', [
    {
      name: 'a second address for the same chain',
      rule: 'M',
      find: 'if (before && !isReplaced) {',
      replace: 'if (before?.address === address && !isReplaced) {',
    },
    {
      name: 'an address where deposits are closed',
      rule: 'M',
      find: '?.isDepositEnabled ?? false;',
      replace: '!== undefined;',
    },
    {
      name: 'an address for two users',
      rule: 'M',
      find: 'if (owner !== undefined && owner !== user)',
      replace: 'if (false)',
    },
    {
      name: 'an index of a key twice',
      rule: 'M',
      find: 'if (index !== undefined && index !== next)',
      replace: 'if (index !== undefined && index > next)',
    },
    {
      name: 'a list with an address that somebody has',
      rule: 'M',
      find: 'const isKnown = state.addresses.ownerOf(place) !== undefined || ',
      replace: 'const isKnown = ',
    },
  ]),
  ...inFile('snapshot/snapshot.ts', [
    {
      name: 'snapshot forgets the ids of requests',
      rule: 'Snapshot',
      find: 'onceIds: state.onceIds.list(state.time),',
      replace: 'onceIds: [],',
    },
    {
      name: 'snapshot forgets the addresses',
      rule: 'Snapshot',
      find: 'addresses: state.addresses.list(),',
      replace: 'addresses: [],',
    },
    {
      name: 'restoring thaws everybody',
      rule: 'Snapshot',
      find: 'state.users.restore(user);',
      replace: 'state.users.restore({ ...user, frozen: false });',
    },
  ]),
];
