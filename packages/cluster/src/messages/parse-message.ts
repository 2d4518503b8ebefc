/**
 * Parses JSON sent by another process over the bus; null if it does not have the expected form. Other versions may
 * send unknown messages, and an exception in a message handler would end the subscription of the whole connection.
 */
export function parseMessage<T extends object>(
  bytes: Uint8Array,
  isExpected: (fields: Readonly<Record<keyof T, unknown>>) => boolean,
): T | null {
  let message: unknown;
  try {
    message = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
  return typeof message === 'object' && message !== null && isExpected(message as Record<keyof T, unknown>)
    ? (message as T)
    : null;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
