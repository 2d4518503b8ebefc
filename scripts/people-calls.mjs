// The calls of people, operators and proposals, each with its test. test/docs.test.ts fails if a test does not exist, or
// a call has none.

const API = 'packages/api/test/identity';
const OFFICE = 'packages/bourse/test/startup';

const held = (folder, file, title, ids) =>
  ids.map((id) => [id, { path: `${folder}/${file}.test.ts`, title }]);

/** Tests by call id. */
export const PEOPLE_TESTS = new Map([
  ...held(
    'packages/bourse/test/tools',
    'liabilities',
    'nobody gets the proof of somebody else, or of liabilities that are not there',
    ['get-own-liability-proof'],
  ),
  ...held(API, 'sessions', 'a mail brings a link that makes the person, once; then the address is known', [
    'sign-up',
    'verify',
  ]),
  ...held(API, 'sessions', 'sign-in answers a session and a key that signs requests, feeds included', [
    'sign-in',
    'get-session',
  ]),
  ...held(API, 'sessions', 'a new signing key makes the one before unknown; signing out ends both', [
    'renew-session-key',
    'sign-out',
  ]),
  ...held(API, 'sessions', 'sessions are listed newest first, and ended one by one or all others', [
    'list-sessions',
    'end-session',
    'end-other-sessions',
  ]),
  ...held(
    API,
    'factors',
    'a new password needs the present one, ends other sessions, and locks withdrawals',
    ['change-password'],
  ),
  ...held(
    API,
    'factors',
    'a reset needs the second factor too; its token works once, and not after another change',
    ['ask-reset', 'reset-password'],
  ),
  ...held(API, 'factors', 'TOTP counts when its first code is confirmed, and gives ten recovery codes', [
    'begin-totp',
    'confirm-totp',
  ]),
  ...held(API, 'factors', 'switching TOTP off needs it, and locks withdrawals', ['remove-totp']),
  ...held(API, 'factors', 'a recovery code works once, and new ones make the old ones void', [
    'renew-recovery-codes',
  ]),
  ...held(API, 'factors', 'a step-up lasts five minutes; without a second factor the password gives it', [
    'step-up',
  ]),
  ...held(API, 'factors', 'the e-mail address changes when the new one confirms, and the old one is told', [
    'change-email',
    'confirm-email',
  ]),
  ...held(API, 'passkeys', 'a passkey is added with the options of the session, once', [
    'begin-passkey',
    'add-passkey',
    'list-passkeys',
  ]),
  ...held(API, 'passkeys', 'request options are the same for everybody', ['passkey-challenge']),
  ...held(API, 'passkeys', 'removing a passkey needs a step-up and locks withdrawals', ['remove-passkey']),
  ...held(
    API,
    'account',
    'API keys are made with a step-up, shown once, and need an address list to withdraw',
    ['list-own-keys', 'add-own-key', 'change-own-key', 'remove-own-key'],
  ),
  ...held(API, 'account', 'with `only`, withdrawals go to the book; switching it off takes a day', [
    'list-book',
    'add-book-address',
    'restrict-addresses',
    'remove-book-address',
  ]),
  ...held(API, 'account', 'a statement is of the own accounts, for a period', ['get-statement']),
  ...held(API, 'account', 'under a lock nobody changes anything, support included', ['lock']),
  ...held(API, 'account', 'the link of any mail freezes the account, once; an operator lifts it', ['freeze']),
  ...held(API, 'account', 'activity has what was done, newest first, in pages', ['list-activity']),
  ...held(
    API,
    'account',
    'an account with money is not closed; an empty one is erased, and its address is free',
    ['close-account'],
  ),
  ...held(
    API,
    'smtp',
    'a venue sends mails by SMTP, later if the server is down, also after a restart, and seals those that wait',
    ['add-invitation'],
  ),
  ...held(
    OFFICE,
    'operator-accounts',
    'an operator is added with a token that is shown once, signs with its own name, and is removed',
    [
      'get-caller',
      'list-operators',
      'add-operator',
      'change-operator',
      'renew-operator-token',
      'remove-operator',
    ],
  ),
  ...held(
    OFFICE,
    'operator-accounts',
    'root, once closed, may only break the glass: at the machine itself, after ten minutes of exchange time',
    ['close-root'],
  ),
  ...held(OFFICE, 'operator-proposals', 'the policy can be under policy, and names calls that there are', [
    'get-policy',
    'set-policy',
  ]),
  ...held(
    OFFICE,
    'operator-proposals',
    'a call under policy is proposed, approved by others, carried out once, and in the audit trail',
    ['get-proposal', 'approve-proposal'],
  ),
  ...held(
    OFFICE,
    'operator-proposals',
    'refused and withdrawn proposals, by status; amounts above; root is held too',
    ['list-proposals', 'refuse-proposal', 'withdraw-proposal'],
  ),
]);

/** Rules that apply to all calls. */
export const PEOPLE_RULES = [
  [
    'A call that is not public needs a session',
    `${API}/edges.test.ts`,
    'every call that is not public needs a session',
  ],
  ['A call marked step-up needs one', `${API}/edges.test.ts`, 'every call marked step-up needs one'],
  [
    'The cookie is accepted only from pages of this exchange',
    `${API}/edges.test.ts`,
    'the cookie counts from pages of this exchange only, and public calls from no foreign page',
  ],
  [
    'Invalid, huge and hostile values are rejected and not echoed',
    `${API}/edges.test.ts`,
    'hostile values are refused with a clear error, and nothing of them is repeated',
  ],
  [
    'No response reveals who has an account',
    `${API}/edges.test.ts`,
    'who has an account is told by nothing: the same status, text and headers',
  ],
  [
    'Failed sign-ins are slowed down, and nobody can lock out others',
    `${API}/edges.test.ts`,
    'from the fifth failure on the wait doubles, for unknown addresses too; a known place is not locked out',
  ],
  [
    'Every call with every role',
    `${OFFICE}/operator-roles.test.ts`,
    'every call with every role: refused for lack of it or not, and what is refused is in the audit trail',
  ],
  [
    'A code signs in once, even if the process is killed',
    'packages/bourse/test/identity/kill.test.ts',
    'a code signs in once, whenever the process is killed',
  ],
  [
    'An approved command is executed once, even if the process is killed',
    `${OFFICE}/operator-kill.test.ts`,
    'an approved command is carried out once, whenever the process is killed',
  ],
  [
    'Both once, even while nodes of a cluster fail',
    'packages/cluster/test/failover.test.ts',
    'failovers under load: nothing lost, nothing doubled, no wrong answer, equal digests',
  ],
];
