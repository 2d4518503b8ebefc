/** A refusal of the operator's interface, said as `{code, msg}`. */

export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
