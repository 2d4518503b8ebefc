/** The kinds of failure that a program has to distinguish. */

/** The exchange rejected the request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** From the table of errors, such as 200004 for insufficient funds. */
  readonly code: string;
  /** The table's text. */
  readonly msg: string;
  /** What was wrong and what would be valid; '' if `msg` says it all. */
  readonly detail: string;
  /** The HTTP status; 200 for a rejection by the exchange itself, and over order entry. */
  readonly status: number;

  constructor(code: string, msg: string, detail: string, status: number) {
    super(`${code} ${msg}${detail === '' ? '' : ` (${detail})`}`);
    this.code = code;
    this.msg = msg;
    this.detail = detail;
    this.status = status;
  }
}

/** No response arrived: the request may or may not have been executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}
