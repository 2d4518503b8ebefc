/** API names as words. */

/** `set-market-state` → "Set market state". */
export function wordsOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Labels of fields whose API names do not read as words, or that need a unit. */
const FIELD_LABELS: ReadonlyMap<string, string> = new Map([
  ['userId', 'User'],
  ['parentId', 'Sub-account of'],
  ['txId', 'Transaction id'],
  ['at', 'Time (UTC)'],
  ['effectiveAt', 'Effective at (UTC)'],
  ['endsIn', 'Lasts'],
  ['thenState', 'Then'],
  ['band', 'Band, fraction of the reference price'],
  ['expiryMs', 'Proposals stay open for'],
  ['ipAllowList', 'IP allow list'],
  ['stp', 'Self-trade prevention'],
  ['clientOid', 'Client id'],
  ['withdrawalPerDay', 'Withdrawals a day'],
  ['withSubAccounts', 'With sub-accounts'],
  ['fromUser', 'From whom'],
  ['toUser', 'To whom'],
  ['perDay', 'Most a day (UTC)'],
  ['travelRule', 'Under the Travel Rule'],
  ['params', 'Path parameters'],
  ['minFunds', 'Minimum funds'],
  ['why', 'Reason'],
]);

/** `priceIncrement` → "Price increment". */
export function labelOf(field: string): string {
  const known = FIELD_LABELS.get(field);
  if (known !== undefined) return known;
  return wordsOf(
    field.replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start}`).toLowerCase(),
  );
}

/** Labels in forms, which show the API's milliseconds in minutes. */
export const formLabelOf = (field: string): string =>
  field.endsWith('Ms') ? `${labelOf(field.slice(0, -2))}, minutes` : labelOf(field);

/** A description from the OpenAPI document, with field names and values replaced by their labels. */
export const plainly = (text: string): string =>
  text
    .replaceAll(
      /`([^`]+)`/g,
      (_, name: string) => `“${/[A-Z]/.test(name) ? formLabelOf(name) : valueLabel(name)}”`,
    )
    .replaceAll(/\btxId\b/g, 'transaction id');

/** Labels of enumeration values that are not self-explanatory. */
const VALUE_LABELS: ReadonlyMap<string, string> = new Map([
  ['main', 'MAIN'],
  ['trade', 'TRADE'],
  ['user-main', 'MAIN of a user'],
  ['user-trade', 'TRADE of a user'],
  ['fees', 'Fees of the exchange'],
  ['suspense', 'Suspense'],
  ['trading', 'Trading: no new orders'],
  ['withdrawals', 'Withdrawals: no money out'],
  ['all', 'Everything: only cancelling'],
  ['block', 'Block'],
  ['allow', 'Allow: an exception to a broader block'],
  ['list', 'A list loaded here'],
  ['key', 'An extended public key'],
  ['program', 'A program of yours'],
  ['none', 'None'],
]);

/** `post-only` → "Post only". Numbers, and codes such as BTC, stay as they are. */
export const valueLabel = (value: string): string =>
  VALUE_LABELS.get(value) ?? (/^[a-z][a-z-]*$/.test(value) ? wordsOf(value) : value);

/** Deposit states, as shown to operators. */
export const DEPOSIT_STATES = {
  waiting: { label: 'Waits for a questionnaire', short: 'Waiting', tone: 'warning' },
  review: { label: 'Under review', short: 'Review', tone: 'warning' },
  refused: { label: 'Refused', short: 'Refused', tone: 'danger' },
  credited: { label: 'Credited', short: 'Credited', tone: 'up' },
  returned: { label: 'Returned', short: 'Returned', tone: 'neutral' },
} as const;

/** Withdrawal states, as shown to operators. */
export const WITHDRAWAL_STATES = {
  processing: { label: 'To pay', tone: 'warning' },
  paying: { label: 'Being paid', tone: 'warning' },
  sent: { label: 'Sent', tone: 'up' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
} as const;

export interface RoleInfo {
  readonly role: string;
  /** The purpose of the role, in a few words. */
  readonly may: string;
}

export const ROLES: readonly RoleInfo[] = [
  { role: 'viewer', may: 'sees everything and changes nothing' },
  { role: 'support', may: 'users, their keys and orders' },
  { role: 'finance', may: 'deposits, withdrawals, deposit addresses' },
  { role: 'listing', may: 'currencies, markets, fees, notices' },
  { role: 'compliance', may: 'questionnaires and limits' },
  { role: 'custodian', may: 'programs that pay withdrawals and report deposits; not for people' },
  { role: 'admin', may: 'operators, policy, settings' },
];

/** "finance or admin". */
export const anyOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? 'nobody') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** "47 hours": in the largest unit that is exact, so that two spans read the same only if they are. */
export function spanOf(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [name, size] = units.find(([, each]) => ms % each === 0) ?? ['second', 1000];
  const count = ms / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** UTC to the millisecond, so that operators can compare times with their logs. */
export function timeOf(time: number | string): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}
