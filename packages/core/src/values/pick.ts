/**
 * Copies these fields, in this order, without unset ones. Whatever the core keeps of a command goes through here, so
 * that bytes in a snapshot and texts in an event do not depend on how the caller built the object.
 */
export function pick<T extends object, K extends keyof T>(from: T, fields: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const field of fields) if (from[field] !== undefined) picked[field] = from[field];
  return picked as Pick<T, K>;
}
