// The calls of the operator API except those in people-calls.mjs, and what the exchange proves to the public, each with
// its test. test/docs.test.ts fails if a test does not exist, or a call has none.

const STARTUP = 'packages/bourse/test/startup';
const TOOLS = 'packages/bourse/test/tools';

const held = (file, title, ids) =>
  ids.map((id) => [id, { path: `${file.includes('/') ? file : `${STARTUP}/${file}`}.test.ts`, title }]);

/** Tests by call id, in the order of the page. */
export const VENUE_TESTS = new Map([
  // Money
  ...held(
    'queues',
    'deposits and withdrawals are found by transaction, address, user and age, and can be assigned and released',
    [
      'list-deposits',
      'list-withdrawals',
      'assign-withdrawal',
      'release-withdrawal',
      'assign-deposit',
      'release-deposit',
    ],
  ),
  ...held('queues', 'questionnaires have their own queue, with search, assignment and release', [
    'list-questionnaires',
    'assign-questionnaire',
    'release-questionnaire',
  ]),
  ...held(
    'operator',
    'a deposit is credited to MAIN at once; reporting its txId again returns it, or is rejected if the report differs',
    ['report-deposit', 'get-deposit'],
  ),
  ...held('back-office', 'a waiting deposit can be returned, and then credits nobody', ['return-deposit']),
  ...held(
    'operator',
    'a deposit waits for its questionnaire: a failed one can be sent again, an accepted one credits the deposit',
    ['get-questionnaire', 'decide-questionnaire'],
  ),
  ...held(
    'withdrawal-claims',
    'only one operator can claim a withdrawal, and an unclaimed withdrawal cannot be settled',
    ['claim-withdrawal', 'unclaim-withdrawal'],
  ),
  ...held(
    'withdrawal-claims',
    'the user cannot cancel a claimed withdrawal, and it settles with its transaction id',
    ['get-withdrawal', 'settle-withdrawal'],
  ),
  ...held('queues', 'a custodian advances a withdrawal step by step, and the user sees its transaction', [
    'advance-withdrawal',
  ]),
  ...held(
    'back-office',
    'a deposit to the wrong user can be reversed and reported again, and a move cannot exceed the balance',
    ['correct', 'list-corrections', 'get-correction'],
  ),
  ...held(
    'back-office',
    'a rejected withdrawal tells the user what is left of the daily limit, or that the address is blocked',
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
  ...held(
    'back-office',
    'a statement opens with the closing balance of the previous one, and closes with the current balance',
    ['get-user-statement'],
  ),
  ...held(
    'back-office',
    'the statements of the house and of all users sum to zero, at opening and at closing',
    ['get-house-statement'],
  ),
  ...held('back-office', 'a wallet report is compared with the liabilities at the time it was recorded', [
    'report-wallet',
    'get-reconciliation',
  ]),
  ...held(
    'operator',
    'a withdrawal that was sent takes its fee, a failed one returns the money, and neither can be settled twice',
    ['check-ledger', 'get-ledger'],
  ),
  ...held(
    'address-sources',
    'an address list gives each address to one user, even across restarts, until it is empty',
    ['list-address-sources', 'set-address-source', 'load-addresses'],
  ),
  ...held(
    'address-sources',
    'a program lists the requests for addresses, and gives each user an address that nobody else has',
    ['list-address-requests', 'give-address'],
  ),
  // Users
  ...held('back-office', 'users are listed in pages, and found by name, id, freeze and tier', [
    'list-users',
    'freeze-user',
    'unfreeze-user',
  ]),
  ...held(
    'operator',
    'the key of a new sub-account works until it is removed, and a frozen user cannot place orders',
    ['add-user', 'get-user', 'get-balances', 'add-key', 'list-keys', 'change-key', 'remove-key'],
  ),
  ...held(
    'queues',
    'only unfreezing lifts a freeze, under the policy for it, and only compliance sets a tier',
    ['change-user'],
  ),
  ...held(
    'back-office',
    'notes are listed newest first, and a user without money can be closed permanently',
    ['add-user-note', 'list-user-notes', 'close-user'],
  ),
  ...held(
    'back-office',
    'a user sees why an operator cancelled an order, and an operator sees the rejected requests of a user',
    ['list-user-refusals', 'list-user-ledger', 'cancel-order', 'cancel-user-orders', 'cancel-symbol-orders'],
  ),
  ...held(
    'packages/api/test/identity/operators',
    'support sees the sessions and the activity of a person, and can end the sessions',
    ['list-user-sessions', 'end-user-sessions', 'list-user-activity'],
  ),
  ...held(
    'operator-orders',
    'orders and fills of a user are found by status, symbol and order, and operators see their own name and roles',
    ['list-user-orders', 'list-user-fills'],
  ),
  // Markets
  ...held(
    'markets',
    'an auction begins over HTTP, shows its indicative price, and uncrosses at its end time',
    ['begin-auction', 'get-auction'],
  ),
  ...held('markets', 'a cancelled auction leaves a crossed book, and the market cannot be opened', [
    'cancel-auction',
    'set-market-state',
  ]),
  ...held('markets', 'users see that a market is post-only, and that the whole exchange is paused', [
    'pause-exchange',
    'resume-exchange',
    'get-pause',
  ]),
  ...held(
    'markets',
    'a scheduled change is announced, takes effect at its time, and can be cancelled before',
    ['schedule-call', 'list-schedule', 'unschedule-call'],
  ),
  ...held(
    'reference-data',
    'unused currencies and symbols can be removed and used ones cannot, even after a restart',
    ['add-currency', 'list-currencies', 'remove-currency', 'add-symbol', 'list-symbols', 'remove-symbol'],
  ),
  ...held(
    'operator',
    'a new currency and symbol are visible to everybody at once, and changes of fees and states take effect',
    ['change-currency', 'change-symbol', 'list-fees', 'set-fees', 'remove-fees'],
  ),
  ...held(
    'notices',
    '/announcements lists a notice from its publication time on, with the change that it announces',
    ['publish-notice', 'list-notices'],
  ),
  ...held(
    'notices',
    'an invalid notice is rejected with an error that says what is valid, and a notice can be removed',
    ['remove-notice'],
  ),
  ...held(
    'import-candles',
    'imported candles are listed, count in the 24-hour statistics, and continue with the first trade',
    ['import-candles'],
  ),
  // Trust
  ...held(`${TOOLS}/checkpoints`, 'checkpoints are signed and public, and continue after a restart', [
    'take-checkpoint',
  ]),
  ...held(`${TOOLS}/liabilities`, 'a user downloads a proof, and verifies it on another machine', [
    'take-liabilities',
    'list-liabilities',
  ]),
  ...held(
    'secret-rotation',
    'the secret can be rotated while the venue runs, and afterwards only the new one starts it',
    ['rotate-secret'],
  ),
  ...held(
    'operator',
    'the audit trail has the operator, reason, action and outcome of each call, and no secrets',
    ['list-audit'],
  ),
]);

/** Public paths, commands and rules, with their tests. */
export const VENUE_RULES = [
  [
    '`GET /transparency/checkpoint`, `/transparency/checkpoints?after=`, `/transparency/key`',
    `${TOOLS}/checkpoints`,
    'checkpoints are signed and public, and continue after a restart',
  ],
  [
    '`GET /transparency/liabilities`, `/transparency/verify-liabilities.mjs`, `GET /api/v1/bourse/liabilities/:id/proof`',
    `${TOOLS}/liabilities`,
    'a user downloads a proof, and verifies it on another machine',
  ],
  [
    'A proof is given to its user only',
    `${TOOLS}/liabilities`,
    'a user cannot get the proof of another user, or of liabilities that do not exist',
  ],
  [
    '`bourse backup`, `bourse backup verify`',
    `${TOOLS}/backup`,
    'backups of a venue under load are complete, and copy only new data',
  ],
  ['`bourse restore --at`', `${TOOLS}/backup`, 'a backup can be restored to any record and to any time'],
  [
    'A backup survives kills of the exchange and of the backup',
    `${TOOLS}/backup`,
    'after kills of the exchange and of the backup at any moment, the next backup is complete',
  ],
  [
    'A backup onto itself, or onto another kind of directory',
    `${TOOLS}/backup`,
    'a directory that cannot hold the backup is rejected and left unchanged',
  ],
  [
    'A backup onto a full disk',
    `${TOOLS}/backup`,
    'on a full disk the backup fails with an error, and the previous backup stays complete',
  ],
  [
    '`bourse log verify --checkpoint`',
    `${TOOLS}/checkpoints`,
    'verification against a checkpoint finds a log that was rewritten with correct hashes',
  ],
  [
    '`bourse log prove`, `check-proof`',
    `${TOOLS}/checkpoints`,
    'a record can be proved to somebody who does not have the log',
  ],
  [
    'A restored exchange has a new origin, and names the old one',
    `${TOOLS}/checkpoints`,
    'a restored or forked log continues under a new origin, and its checkpoints name the old one',
  ],
  ['`bourse secret rotate`', `${STARTUP}/secret-rotation`, 'bourse secret rotate prints the next steps'],
  [
    'An impossible auction',
    `${STARTUP}/markets`,
    'an invalid auction call is rejected with an error that says what is valid',
  ],
  [
    'A schedule in the past, and other impossible schedules',
    `${STARTUP}/markets`,
    'an impossible schedule is rejected before anything is stored',
  ],
  [
    'The policy applies to schedules too',
    `${STARTUP}/markets`,
    'a scheduled call needs the same approvals as an immediate one',
  ],
  [
    'Every call with every role',
    `${STARTUP}/operator-roles`,
    'each role can make exactly its calls, and rejected calls are in the audit trail',
  ],
  [
    'No change without a reason',
    `${STARTUP}/operator-access`,
    'operator routes reject changes without a reason',
  ],
].map(([rule, file, title]) => [rule, `${file}.test.ts`, title]);
