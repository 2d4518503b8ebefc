/** Names of the interface as people read them. */

/** `set-market-state` → "Set market state". */
export function wordsOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface RoleInfo {
  readonly role: string;
  /** What it is for, in a few words. */
  readonly may: string;
}

export const ROLES: readonly RoleInfo[] = [
  { role: 'viewer', may: 'sees everything and changes nothing' },
  { role: 'support', may: 'users, their keys and orders' },
  { role: 'finance', may: 'deposits, withdrawals, deposit addresses' },
  { role: 'listing', may: 'currencies, markets, fees, notices' },
  { role: 'compliance', may: 'questionnaires and limits' },
  { role: 'custodian', may: 'for programs that pay and report deposits; not for people' },
  { role: 'admin', may: 'operators, policy, settings' },
];

/** "finance or admin". */
export const anyOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? 'nobody') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** "2 hours", to the largest whole unit. */
export function spanOf(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [name, size] = units.find(([, each]) => ms >= each) ?? ['second', 1000];
  const count = Math.max(0, Math.floor(ms / size));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
