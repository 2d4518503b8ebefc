/** The symbol whose book changes. */
export const SYMBOL = 'BTC-USDT';
