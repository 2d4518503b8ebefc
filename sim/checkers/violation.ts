/** A violated property. The runner adds the seed and the record. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Called only on a violation, so that messages are not built a million times for nothing. */
export function violated(rule: string, details: Record<string, unknown>): never {
  const parts = Object.entries(details).map(([name, value]) => `${name} ${String(value)}`);
  throw new Violation(`${rule}: ${parts.join(', ')}`);
}
