/** Schemas of each topic's `data`. */

import { DEPOSIT_STATUS } from '../../gateway/money/travel-rule.ts';
import { Type } from '../../gateway/schema.ts';

const text = Type.String();
const textOrNone = Type.Union([text, Type.Null()], {
  description: 'null where the side is empty, or nothing was traded yet.',
});
const integer = Type.Integer();
const number = Type.Number();
const ms = Type.Integer({ description: 'Milliseconds.' });
const ns = Type.Integer({ description: 'Nanoseconds: beyond 2^53, ends with 000000.' });
const nsText = Type.String({ description: 'Nanoseconds.' });
const perhaps = Type.Optional(text);
const words = (...all: string[]) => Type.Union(all.map((each) => Type.Literal(each)));

const side = words('buy', 'sell');
const level = Type.Array(text, { description: 'Price and size; empty where the side is.', maxItems: 2 });
const levels = Type.Array(Type.Array(text, { minItems: 2, maxItems: 2 }));
const changes = Type.Array(
  Type.Array(text, { description: 'Price, size, sequence.', minItems: 3, maxItems: 3 }),
);

export const TICKER = Type.Object({
  sequence: text,
  price: textOrNone,
  size: textOrNone,
  bestAsk: textOrNone,
  bestAskSize: textOrNone,
  bestBid: textOrNone,
  bestBidSize: textOrNone,
  time: ms,
});

export const AUCTION = Type.Object({
  symbol: text,
  price: Type.Union([text, Type.Null()], { description: 'null where nothing would trade.' }),
  size: text,
  imbalance: text,
  side: Type.Union([side, Type.Null()], {
    description: 'The side of the imbalance; null if there is none.',
  }),
  endsAt: Type.Union([ms, Type.Null()], { description: 'Milliseconds; null when it has ended.' }),
  extended: Type.Boolean(),
  result: Type.Union([words('traded', 'no-cross', 'outside-band', 'cancelled'), Type.Null()], {
    description: 'null while it runs.',
  }),
});

const CHANGE = Type.Object({
  changePrice: number,
  changeRate: number,
  high: number,
  low: number,
  open: number,
  vol: number,
  volValue: number,
});

export const SNAPSHOT = Type.Object({
  sequence: text,
  data: Type.Object({
    askSize: number,
    averagePrice: number,
    baseCurrency: text,
    bidSize: number,
    board: integer,
    buy: number,
    changePrice: number,
    changeRate: number,
    close: number,
    datetime: ms,
    high: number,
    lastTradedPrice: number,
    low: number,
    makerCoefficient: number,
    makerFeeRate: number,
    marginTrade: Type.Boolean(),
    mark: integer,
    market: text,
    marketChange1h: CHANGE,
    marketChange24h: CHANGE,
    marketChange4h: CHANGE,
    markets: Type.Array(text),
    open: number,
    quoteCurrency: text,
    sell: number,
    siteTypes: Type.Array(text),
    sort: integer,
    symbol: text,
    symbolCode: text,
    takerCoefficient: number,
    takerFeeRate: number,
    trading: Type.Boolean(),
    vol: number,
    volValue: number,
  }),
});

export const LEVEL1 = Type.Object({ asks: level, bids: level, timestamp: ms });
export const DEPTH = Type.Object({ asks: levels, bids: levels, timestamp: ms });

export const CHANGES = Type.Object({
  changes: Type.Object({ asks: changes, bids: changes }),
  sequenceStart: integer,
  sequenceEnd: integer,
  symbol: text,
  time: ms,
});

export const MATCH = Type.Object({
  makerOrderId: text,
  takerOrderId: text,
  price: text,
  size: text,
  side,
  symbol: text,
  sequence: text,
  tradeId: text,
  time: nsText,
  type: Type.Literal('match'),
});

const level3 = { symbol: text, sequence: text, ts: ns };
const ofOrder = { ...level3, orderId: text, side };

export const LEVEL3 = Type.Union([
  Type.Object({
    type: Type.Literal('received'),
    ...ofOrder,
    clientOid: text,
    orderType: words('limit', 'market'),
    price: perhaps,
    size: Type.Optional(
      Type.String({ description: 'Of an iceberg: what shows. Left out where funds are given.' }),
    ),
    funds: perhaps,
  }),
  Type.Object({
    type: Type.Literal('open'),
    ...ofOrder,
    price: text,
    size: Type.String({ description: 'The visible size; each slice of an iceberg is opened separately.' }),
    orderTime: ms,
  }),
  Type.Object({
    type: Type.Literal('match'),
    ...level3,
    makerOrderId: Type.String({ description: 'The order that was in the book.' }),
    takerOrderId: text,
    side: Type.Union([Type.Literal('buy'), Type.Literal('sell')], { description: 'Of the taker.' }),
    price: text,
    size: text,
    tradeId: text,
  }),
  Type.Object({ type: Type.Literal('change'), ...ofOrder, price: text, newSize: text }),
  Type.Object({ type: Type.Literal('done'), ...ofOrder, reason: words('filled', 'canceled') }),
]);

export const CANDLE = Type.Object({
  symbol: text,
  candles: Type.Array(text, {
    description: 'Start in seconds, open, close, high, low, volume, turnover.',
    minItems: 7,
    maxItems: 7,
  }),
  time: ns,
});

export const ORDER = Type.Object({
  symbol: text,
  orderType: words('limit', 'market'),
  side,
  orderId: text,
  clientOid: text,
  type: words('received', 'open', 'match', 'update', 'filled', 'canceled'),
  status: words('new', 'open', 'match', 'done'),
  orderTime: ms,
  ts: ns,
  price: text,
  size: text,
  originSize: text,
  filledSize: text,
  remainSize: text,
  canceledSize: text,
  originFunds: perhaps,
  remainFunds: perhaps,
  canceledFunds: perhaps,
  oldSize: perhaps,
  liquidity: Type.Optional(words('maker', 'taker')),
  feeType: Type.Optional(words('makerFee', 'takerFee')),
  matchPrice: perhaps,
  matchSize: perhaps,
  tradeId: perhaps,
  remark: Type.Optional(Type.String({ description: 'Why an operator cancelled the order.' })),
});

export const FILL = Type.Object({
  fee: number,
  feeCurrency: text,
  feeRate: number,
  orderId: text,
  orderType: words('limit', 'market'),
  price: number,
  side,
  size: number,
  symbol: text,
  time: nsText,
  tradeId: text,
});

export const BALANCE = Type.Object({
  accountId: text,
  currency: text,
  total: text,
  available: text,
  hold: text,
  availableChange: text,
  holdChange: text,
  relationContext: Type.Object({ symbol: perhaps, orderId: perhaps, tradeId: perhaps }),
  relationEvent: words(
    'main.deposit',
    'main.withdraw_hold',
    'main.withdraw_done',
    'main.transfer',
    'main.other',
    'trade.hold',
    'trade.setted',
    'trade.transfer',
    'trade.other',
  ),
  relationEventId: text,
  time: Type.String({ description: 'Milliseconds.' }),
});

export const DEPOSIT = Type.Object({
  id: text,
  currency: text,
  chain: text,
  amount: text,
  fee: text,
  walletTxId: text,
  ...DEPOSIT_STATUS,
  time: ms,
});

export const STOP_ORDER = Type.Object({
  orderId: text,
  orderPrice: text,
  orderType: Type.Literal('stop'),
  side,
  size: text,
  stop: words('loss', 'entry'),
  stopPrice: text,
  symbol: text,
  tradeType: Type.Literal('TRADE'),
  type: words('open', 'triggered', 'cancel'),
  triggerSuccess: Type.Optional(Type.Boolean()),
  remark: Type.Optional(Type.String({ description: 'Why an operator cancelled the order.' })),
  createdAt: ms,
  ts: ns,
});
