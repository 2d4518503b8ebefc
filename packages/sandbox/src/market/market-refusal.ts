/** A request that the market cannot fulfil; the message says what would be valid, and nothing was changed. */
export class MarketRefusal extends Error {
  override readonly name = 'MarketRefusal';
}
