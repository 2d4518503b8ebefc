/** A cluster did not start for a reason that its user can fix; the message says which. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
