/** A cluster that does not come up for a reason that its user can mend; the message says which. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
