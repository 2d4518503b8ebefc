/**
 * JSON that another process has sent over the bus; null where it is not of the expected form. Versions may send what
 * others do not know, and an error while a message is read would end the reading of all messages of the connection.
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
