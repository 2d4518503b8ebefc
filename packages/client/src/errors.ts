/** The kinds of failure that a program has to tell apart. */

/** The exchange has answered, and refused. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Of the table of errors, such as 200004 for too little money. */
  readonly code: string;
  /** The table's text. */
  readonly msg: string;
  /** What was wrong and what would be right; '' where the text says it all. */
  readonly detail: string;
  /** HTTP's; 200 for a refusal of the exchange itself, and over order entry. */
  readonly status: number;

  constructor(code: string, msg: string, detail: string, status: number) {
    super(`${code} ${msg}${detail === '' ? '' : ` (${detail})`}`);
    this.code = code;
    this.msg = msg;
    this.detail = detail;
    this.status = status;
  }
}

/** No answer came: what was asked may have been done, or not. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}
