/** The market cannot be as somebody wants it; the message says what would be right, and nothing was changed. */
export class MarketRefusal extends Error {
  override readonly name = 'MarketRefusal';
}
