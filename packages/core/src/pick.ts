/**
 * Just these fields, in this order, unset ones left out. Whatever is kept of a command goes through here, so that
 * its bytes in a snapshot, and its text in an event, do not depend on who built the object and how.
 */
export function pick<T extends object, K extends keyof T>(from: T, fields: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const field of fields) if (from[field] !== undefined) picked[field] = from[field];
  return picked as Pick<T, K>;
}
