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
    'a user cannot get the proof of another user, or of liabilities that do not exist',
    ['get-own-liability-proof'],
  ),
  ...held(
    API,
    'sessions',
    'the link in the sign-up mail creates the account once; signing up again sends a different mail',
    ['sign-up', 'verify'],
  ),
  ...held(
    API,
    'sessions',
    'sign-in returns a session and a key that signs requests, including those for private feeds',
    ['sign-in', 'get-session'],
  ),
  ...held(
    API,
    'sessions',
    'a new signing key replaces the old one, and signing out ends the session and its key',
    ['renew-session-key', 'sign-out'],
  ),
  ...held(
    API,
    'sessions',
    'sessions are listed newest first, and can be ended singly or all except the current one',
    ['list-sessions', 'end-session', 'end-other-sessions'],
  ),
  ...held(
    API,
    'factors',
    'changing the password needs the current one, ends other sessions, and locks withdrawals',
    ['change-password'],
  ),
  ...held(
    API,
    'factors',
    'a password reset also needs the second factor; its token works once, and not after another reset',
    ['ask-reset', 'reset-password'],
  ),
  ...held(
    API,
    'factors',
    'TOTP is active once its first code is confirmed, and comes with ten recovery codes',
    ['begin-totp', 'confirm-totp'],
  ),
  ...held(API, 'factors', 'switching TOTP off needs a step-up with a code, and locks withdrawals', [
    'remove-totp',
  ]),
  ...held(API, 'factors', 'a recovery code works once, and new codes invalidate the old ones', [
    'renew-recovery-codes',
  ]),
  ...held(API, 'factors', 'a step-up lasts five minutes; without a second factor, the password is enough', [
    'step-up',
  ]),
  ...held(
    API,
    'factors',
    'the e-mail address changes when the new one is confirmed, and the old one is notified',
    ['change-email', 'confirm-email'],
  ),
  ...held(
    API,
    'passkeys',
    'a passkey is added with the registration options of the session, which work once',
    ['begin-passkey', 'add-passkey', 'list-passkeys'],
  ),
  ...held(API, 'passkeys', 'passkey request options are the same for everybody', ['passkey-challenge']),
  ...held(API, 'passkeys', 'removing a passkey needs a step-up and locks withdrawals', ['remove-passkey']),
  ...held(
    API,
    'account',
    'API keys are created with a step-up, show their secret once, and need an IP allow list to withdraw',
    ['list-own-keys', 'add-own-key', 'change-own-key', 'remove-own-key'],
  ),
  ...held(
    API,
    'account',
    'with `only` on, withdrawals go only to addresses of the address book; switching it off takes a day',
    ['list-book', 'add-book-address', 'restrict-addresses', 'remove-book-address'],
  ),
  ...held(API, 'account', 'a statement covers the accounts of the caller, for a period', ['get-statement']),
  ...held(API, 'account', 'nobody can change a locked account, including support', ['lock']),
  ...held(API, 'account', 'the freeze link of any mail works once, and an operator can lift the freeze', [
    'freeze',
  ]),
  ...held(API, 'account', 'activity is listed newest first, in pages', ['list-activity']),
  ...held(
    API,
    'account',
    'an account with money cannot be closed; an empty one is erased, and its e-mail address can sign up again',
    ['close-account'],
  ),
  ...held(
    API,
    'smtp',
    'a venue sends mails by SMTP, retries while the server is down and after a restart, and encrypts queued mails',
    ['add-invitation'],
  ),
  ...held(
    OFFICE,
    'operator-accounts',
    'a new operator gets a token that is shown once, acts under its own name, and can be removed',
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
    'a closed root can only break the glass, on the machine itself and after ten minutes of exchange time',
    ['close-root'],
  ),
  ...held(
    OFFICE,
    'operator-proposals',
    'the policy can require approval for its own changes, and can name only existing calls',
    ['get-policy', 'set-policy'],
  ),
  ...held(
    OFFICE,
    'operator-proposals',
    'a call under policy is proposed, approved by others, executed once, and recorded in the audit trail',
    ['get-proposal', 'approve-proposal'],
  ),
  ...held(
    OFFICE,
    'operator-proposals',
    'proposals above an amount can be refused or withdrawn, are listed by status, and bind even root',
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
    'the session cookie works only on pages of this exchange, and foreign pages cannot make even public calls',
  ],
  [
    'Invalid, huge and hostile values are rejected and not echoed',
    `${API}/edges.test.ts`,
    'hostile values are rejected with a clear error that does not repeat them',
  ],
  [
    'No response reveals who has an account',
    `${API}/edges.test.ts`,
    'no response reveals whether an account exists: status, text and headers are the same',
  ],
  [
    'Failed sign-ins are slowed down, and nobody can lock out others',
    `${API}/edges.test.ts`,
    'after the fifth failure the wait doubles, for unknown people too; a known client address is not locked out',
  ],
  [
    'Every call with every role',
    `${OFFICE}/operator-roles.test.ts`,
    'each role can make exactly its calls, and rejected calls are in the audit trail',
  ],
  [
    'A code signs in once, even if the process is killed',
    'packages/bourse/test/identity/kill.test.ts',
    'a code signs in once, no matter when the process is killed',
  ],
  [
    'An approved command is executed once, even if the process is killed',
    `${OFFICE}/operator-kill.test.ts`,
    'an approved command is executed once, no matter when the process is killed',
  ],
  [
    'A code and an approved command take effect once, even while nodes of a cluster fail',
    'packages/cluster/test/failover.test.ts',
    'failovers under load lose nothing, apply nothing twice, give no wrong response, and leave equal digests',
  ],
];
