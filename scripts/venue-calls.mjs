// The calls of the operator API except those in people-calls.mjs, and what the exchange proves to the public, each with
// its test. test/docs.test.ts fails if a test does not exist, or a call has none.

const STARTUP = 'packages/bourse/test/startup';
const TOOLS = 'packages/bourse/test/tools';

const held = (file, title, ids) =>
  ids.map((id) => [id, { path: `${file.includes('/') ? file : `${STARTUP}/${file}`}.test.ts`, title }]);

/** Tests by call id, in the order of the page. */
export const VENUE_TESTS = new Map([
  // Money
  ...held('queues', 'what waits is found by transaction, address, user and age, assigned and released', [
    'list-deposits',
    'list-withdrawals',
    'assign-withdrawal',
    'release-withdrawal',
    'assign-deposit',
    'release-deposit',
  ]),
  ...held('queues', 'questionnaires wait in a queue of their own', [
    'list-questionnaires',
    'assign-questionnaire',
    'release-questionnaire',
  ]),
  ...held(
    'operator',
    'deposits: credited to MAIN at once, the same txId is the same deposit, another under it is refused',
    ['report-deposit', 'get-deposit'],
  ),
  ...held('back-office', 'a deposit that waits is returned, and credits nobody', ['return-deposit']),
  ...held(
    'operator',
    'questionnaires: money waits, a failed one may be tried again, an accepted one credits it',
    ['get-questionnaire', 'decide-questionnaire'],
  ),
  ...held('withdrawal-claims', 'only one claims, and nobody settles what was not claimed', [
    'claim-withdrawal',
    'unclaim-withdrawal',
  ]),
  ...held(
    'withdrawal-claims',
    'what an operator is paying cannot be cancelled, and settles with its transaction',
    ['get-withdrawal', 'settle-withdrawal'],
  ),
  ...held('queues', 'a custodian advances a payment step by step, and the user sees its transaction', [
    'advance-withdrawal',
  ]),
  ...held(
    'back-office',
    'a deposit for the wrong user is reversed and reported again; what was spent is not taken',
    ['correct', 'list-corrections', 'get-correction'],
  ),
  ...held(
    'back-office',
    'what is left of a day, and a blocked address, are told to the user who is refused',
    [
      'set-limits',
      'get-limits',
      'set-user-limits',
      'get-user-limits',
      'add-address-rule',
      'list-address-rules',
      'remove-address-rule',
    ],
  ),
  ...held('back-office', 'a statement opens where the one before closed, and closes with the balance', [
    'get-user-statement',
  ]),
  ...held(
    'back-office',
    'the statement of the house and those of all users sum to zero, opening and closing',
    ['get-house-statement'],
  ),
  ...held('back-office', 'wallets are compared with what the exchange owes in the record of their report', [
    'report-wallet',
    'get-reconciliation',
  ]),
  ...held(
    'operator',
    'withdrawals: what was sent is gone with its fee, what was not is back, and neither is settled twice',
    ['check-ledger', 'get-ledger'],
  ),
  ...held('address-sources', 'a list: each address for one user, over restarts, until it is empty', [
    'list-address-sources',
    'set-address-source',
    'load-addresses',
  ]),
  ...held('address-sources', 'a program sees who asked, and gives each an address that nobody else has', [
    'list-address-requests',
    'give-address',
  ]),
  // Users
  ...held('back-office', 'users are listed page by page, and found by name, id, freeze and tier', [
    'list-users',
    'freeze-user',
    'unfreeze-user',
  ]),
  ...held(
    'operator',
    'users and keys: a new sub-account comes in with its key until that is removed; a frozen user places nothing',
    ['add-user', 'get-user', 'get-balances', 'add-key', 'list-keys', 'change-key', 'remove-key'],
  ),
  ...held(
    'queues',
    'a freeze is taken away only by unfreezing, under its policy, and a tier is set by compliance',
    ['change-user'],
  ),
  ...held('back-office', 'notes are kept newest first, and a user without money is closed for good', [
    'add-user-note',
    'list-user-notes',
    'close-user',
  ]),
  ...held('back-office', 'a user reads why an operator cancelled, and an operator what a user was refused', [
    'list-user-refusals',
    'list-user-ledger',
    'cancel-order',
    'cancel-user-orders',
    'cancel-symbol-orders',
  ]),
  ...held(
    'packages/api/test/identity/operators',
    'support sees the sessions of a person and what was done, and ends them',
    ['list-user-sessions', 'end-user-sessions', 'list-user-activity'],
  ),
  ...held('operator-orders', 'orders and fills of a user by status, symbol and order, and who is asking', [
    'list-user-orders',
    'list-user-fills',
  ]),
  // Markets
  ...held('markets', 'an auction over HTTP: begun, shown with its indicative price, uncrossed at its time', [
    'begin-auction',
    'get-auction',
  ]),
  ...held('markets', 'a cancelled auction leaves a crossed book that does not open', [
    'cancel-auction',
    'set-market-state',
  ]),
  ...held('markets', 'post-only, and a pause of the whole exchange, as users see them', [
    'pause-exchange',
    'resume-exchange',
    'get-pause',
  ]),
  ...held('markets', 'a scheduled change is announced, takes effect at its time, and can be taken back', [
    'schedule-call',
    'list-schedule',
    'unschedule-call',
  ]),
  ...held('reference-data', 'what was never used can be removed, and what was cannot, also after a restart', [
    'add-currency',
    'list-currencies',
    'remove-currency',
    'add-symbol',
    'list-symbols',
    'remove-symbol',
  ]),
  ...held(
    'operator',
    'reference data: a new currency and symbol are there for everybody at once; fees and states count',
    ['change-currency', 'change-symbol', 'list-fees', 'set-fees', 'remove-fees'],
  ),
  ...held(
    'notices',
    'a notice is read at /announcements from its time on, with the change that it announces',
    ['publish-notice', 'list-notices'],
  ),
  ...held(
    'notices',
    'what cannot be announced is refused with what would be right; a removed notice is gone',
    ['remove-notice'],
  ),
  ...held(
    'import-candles',
    'imported candles are shown, counted in the last 24 hours, and go on with the first trade',
    ['import-candles'],
  ),
  // Trust
  ...held(`${TOOLS}/checkpoints`, 'checkpoints are signed, public, and go on after a stop', [
    'take-checkpoint',
  ]),
  ...held(`${TOOLS}/liabilities`, 'a user gets a proof, and verifies it on another machine', [
    'take-liabilities',
    'list-liabilities',
  ]),
  ...held(
    'secret-rotation',
    'the secret changes while the venue runs, and only the new one starts it again',
    ['rotate-secret'],
  ),
  ...held('operator', 'the audit trail says who, why, what and what came of it, and no secret', [
    'list-audit',
  ]),
]);

/** Public paths, commands and rules, with their tests. */
export const VENUE_RULES = [
  [
    '`GET /transparency/checkpoint`, `/transparency/checkpoints?after=`, `/transparency/key`',
    `${TOOLS}/checkpoints`,
    'checkpoints are signed, public, and go on after a stop',
  ],
  [
    '`GET /transparency/liabilities`, `/transparency/verify-liabilities.mjs`, `GET /api/v1/bourse/liabilities/:id/proof`',
    `${TOOLS}/liabilities`,
    'a user gets a proof, and verifies it on another machine',
  ],
  [
    'A proof is given to its user only',
    `${TOOLS}/liabilities`,
    'nobody gets the proof of somebody else, or of liabilities that are not there',
  ],
  [
    '`bourse backup`, `bourse backup verify`',
    `${TOOLS}/backup`,
    'backups of a venue under load are whole, and copy only what is new',
  ],
  ['`bourse restore --at`', `${TOOLS}/backup`, 'a restore goes to any record and to any time'],
  [
    'A backup survives kills of the exchange and of the backup',
    `${TOOLS}/backup`,
    'exchange and backup are killed at any moment: the next backup is whole',
  ],
  [
    'A backup onto itself, or onto another kind of directory',
    `${TOOLS}/backup`,
    'what is no place for a backup is refused, and left as it is',
  ],
  [
    'A backup onto a full disk',
    `${TOOLS}/backup`,
    'a disk without room: it says so, and the backup before stays whole',
  ],
  [
    '`bourse log verify --checkpoint`',
    `${TOOLS}/checkpoints`,
    'a log that was rewritten with correct hashes is found',
  ],
  [
    '`bourse log prove`, `check-proof`',
    `${TOOLS}/checkpoints`,
    'a record is proved to somebody without the log',
  ],
  [
    'A restored exchange has a new origin, and names the old one',
    `${TOOLS}/checkpoints`,
    'what is restored or forked goes its own way under another name',
  ],
  ['`bourse secret rotate`', `${STARTUP}/secret-rotation`, 'bourse secret rotate says what to do next'],
  [
    'An impossible auction',
    `${STARTUP}/markets`,
    'what is wrong with an auction is answered with what would be right',
  ],
  [
    'A schedule in the past, and other impossible schedules',
    `${STARTUP}/markets`,
    'what cannot be scheduled is refused before anything is kept',
  ],
  ['The policy applies to schedules too', `${STARTUP}/markets`, 'scheduling is no way around the policy'],
  [
    'Every call with every role',
    `${STARTUP}/operator-roles`,
    'every call with every role: refused for lack of it or not, and what is refused is in the audit trail',
  ],
  ['No change without a reason', `${STARTUP}/operator-access`, 'operator routes: no change without a reason'],
].map(([rule, file, title]) => [rule, `${file}.test.ts`, title]);
