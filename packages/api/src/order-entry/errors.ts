/** Errors of order entry itself, for messages that are not valid requests; all others are rows of the gateway's table. */

interface FrameErrorRow {
  readonly code: string;
  readonly text: string;
  readonly when: string;
}

export const ORDER_ENTRY_ERRORS = {
  'url-incomplete': {
    code: '400001',
    text: 'Please check the URL of your request.',
    when: 'one of apikey, sign, passphrase and timestamp is missing; then closed',
  },
  'challenge-wrong': {
    code: '400011',
    text: 'Session verification failed.',
    when: 'the answer to the challenge is not its signature; then closed',
  },
  'challenge-late': {
    code: '400012',
    text: 'Session verification has timed out.',
    when: 'the challenge was not answered within 30 seconds; then closed',
  },
  'message-invalid': {
    code: '4001002',
    text: 'Please check the param of your request:',
    when: 'the message is not `{"id","op","args"}`, or names no operation there is',
  },
  'errors-many': {
    code: '420001',
    text: 'Too many errors, disconnected.',
    when: 'too many messages in a row that were no requests; then closed',
  },
  'sessions-many': {
    code: '429002',
    text: 'Too many connections, please close some.',
    when: 'the user has too many connections; then closed',
  },
} as const satisfies Readonly<Record<string, FrameErrorRow>>;

export type OrderEntryErrorName = keyof typeof ORDER_ENTRY_ERRORS;

export class OrderEntryError extends Error {
  override readonly name = 'OrderEntryError';
  readonly error: OrderEntryErrorName;
  /** Follows the table's text. */
  readonly detail: string;

  constructor(error: OrderEntryErrorName, detail = '') {
    super(error);
    this.error = error;
    this.detail = detail;
  }

  toJson(): string {
    const { code, text } = ORDER_ENTRY_ERRORS[this.error];
    return `{"code":"${code}","msg":${JSON.stringify(this.detail === '' ? text : `${text} ${this.detail}`)}}`;
  }
}
