/** The pages of the console, and which calls of the operator's interface each of them makes. A test compares the list with the interface's document. */

import type { IconName } from '../ui/icon.tsx';

export interface Place {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** Ids of the interface's document. */
  readonly calls: readonly string[];
}

export const PLACES: readonly Place[] = [
  {
    path: '/console',
    title: 'Overview',
    icon: 'pulse',
    calls: ['get-status', 'get-caller', 'accept-clock', 'reload', 'take-checkpoint'],
  },
  { path: '/console/money', title: 'Money', icon: 'wallet', calls: ['get-ledger', 'check-ledger'] },
  {
    path: '/console/markets',
    title: 'Markets',
    icon: 'chart',
    calls: [
      'list-symbols',
      'add-symbol',
      'change-symbol',
      'remove-symbol',
      'set-market-state',
      'begin-auction',
      'get-auction',
      'cancel-auction',
      'get-pause',
      'pause-exchange',
      'resume-exchange',
      'list-schedule',
      'schedule-call',
      'unschedule-call',
      'import-candles',
      'list-notices',
      'publish-notice',
      'remove-notice',
    ],
  },
  {
    path: '/console/currencies',
    title: 'Currencies',
    icon: 'swap',
    calls: ['list-currencies', 'add-currency', 'change-currency', 'remove-currency'],
  },
  {
    path: '/console/fees',
    title: 'Fees and limits',
    icon: 'gear',
    calls: ['list-fees', 'set-fees', 'remove-fees', 'get-limits', 'set-limits'],
  },
  {
    path: '/console/users',
    title: 'Users',
    icon: 'user',
    calls: [
      'list-users',
      'get-user',
      'add-user',
      'add-invitation',
      'change-user',
      'get-balances',
      'list-keys',
      'add-key',
      'change-key',
      'remove-key',
      'list-user-orders',
      'list-user-fills',
    ],
  },
  {
    path: '/console/deposits',
    title: 'Deposits',
    icon: 'download',
    calls: [
      'list-deposits',
      'get-deposit',
      'report-deposit',
      'list-address-sources',
      'set-address-source',
      'load-addresses',
      'list-address-requests',
      'give-address',
      'list-questionnaires',
      'get-questionnaire',
      'decide-questionnaire',
    ],
  },
  {
    path: '/console/withdrawals',
    title: 'Withdrawals',
    icon: 'exit',
    calls: [
      'list-withdrawals',
      'get-withdrawal',
      'claim-withdrawal',
      'unclaim-withdrawal',
      'settle-withdrawal',
    ],
  },
  { path: '/console/cluster', title: 'Cluster', icon: 'book', calls: ['get-cluster', 'set-leader'] },
  {
    path: '/console/proposals',
    title: 'Proposals',
    icon: 'check',
    calls: ['list-proposals', 'get-proposal', 'approve-proposal', 'refuse-proposal', 'withdraw-proposal'],
  },
  { path: '/console/policy', title: 'Policy', icon: 'shield', calls: ['get-policy', 'set-policy'] },
  {
    path: '/console/operators',
    title: 'Operators',
    icon: 'key',
    calls: [
      'list-operators',
      'add-operator',
      'change-operator',
      'renew-operator-token',
      'remove-operator',
      'close-root',
    ],
  },
  { path: '/console/audit', title: 'Audit trail', icon: 'clock', calls: ['list-audit'] },
  { path: '/console/interface', title: 'Interface', icon: 'code', calls: ['get-openapi'] },
];
