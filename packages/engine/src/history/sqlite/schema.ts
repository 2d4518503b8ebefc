/**
 * The tables of history. docs/operating/history.md describes them for readers with `sqlite3`; its test compares the
 * two.
 *
 * Words are stored as small numbers (codes.ts), and a virtual column spells each of them: it takes no space, and
 * queries read 'sell' while an index has 1. Amounts (ANY) are integers if 64 bits hold them, otherwise decimal text.
 * Times are milliseconds since 1970.
 */

import { SYSTEM_ACCOUNTS } from '@bourse/core';
import { INTERVAL_NAMES } from '../candles.ts';
import { CODED } from './codes.ts';

export const VERSION = 1;

/** SQL expression for the word with the number that `expression` returns. */
function word(expression: string, words: readonly string[]): string {
  const cases = words.map((text, code) => `WHEN ${code} THEN '${text}'`).join(' ');
  return `CASE ${expression} ${cases} END`;
}

/** `lane` of orders and fills. */
const ORDER_LANE = `symbol INTEGER AS (lane / 4),
  side TEXT AS (${word('(lane >> 1) & 1', CODED.sides)}),
  type TEXT AS (${word('lane & 1', CODED.types)})`;

const META = `
-- One row: the last record that is written, and the last id of each kind.
CREATE TABLE checkpoint (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  orders INTEGER NOT NULL,
  fills INTEGER NOT NULL,
  ledger INTEGER NOT NULL,
  audit INTEGER NOT NULL,
  house INTEGER NOT NULL
) STRICT;
INSERT INTO checkpoint VALUES (1, 0, 0, 0, 0, 0, 0);

CREATE TABLE currencies (
  currency INTEGER PRIMARY KEY,
  code TEXT NOT NULL,
  decimals INTEGER NOT NULL
) STRICT;

CREATE TABLE symbols (
  symbol INTEGER PRIMARY KEY,
  code TEXT NOT NULL,
  base INTEGER NOT NULL,
  quote INTEGER NOT NULL,
  price_decimals INTEGER NOT NULL,
  size_decimals INTEGER NOT NULL
) STRICT;
`;

const ORDERS = `
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  price INTEGER NOT NULL,
  size INTEGER NOT NULL,
  funds ANY NOT NULL,
  deal_size INTEGER NOT NULL,
  deal_funds ANY NOT NULL,
  cancelled_size INTEGER NOT NULL,
  cancelled_funds ANY NOT NULL,
  remaining INTEGER NOT NULL,
  visible INTEGER NOT NULL,
  visible_size INTEGER NOT NULL,
  fee ANY NOT NULL,
  fee_slack INTEGER NOT NULL,
  maker_rate INTEGER NOT NULL,
  taker_rate INTEGER NOT NULL,
  cancel_after_sec INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  client_id TEXT,
  tags TEXT,
  remark TEXT,
  ${ORDER_LANE},
  time_in_force TEXT AS (${word('flags & 3', CODED.times)}),
  stp TEXT AS (${word('(flags >> 2) & 7', CODED.selfTrades)}),
  post_only INTEGER AS ((flags >> 5) & 1),
  hidden INTEGER AS ((flags >> 6) & 1),
  iceberg INTEGER AS ((flags >> 7) & 1),
  rested INTEGER AS ((flags >> 8) & 1),
  done TEXT AS (${word('flags >> 9', CODED.dones)})
) STRICT;
CREATE INDEX orders_by_order ON orders (order_id);
CREATE INDEX orders_by_user ON orders (user, lane);
CREATE INDEX orders_by_client ON orders (user, client_id) WHERE client_id IS NOT NULL;
`;

const FILLS = `
-- Both sides of a trade, the buyer's first. The fill has the balances after its two ledger entries: "entry" is the id of
-- what was paid, the next id that of what was received. Without a quote_balance the fee took all of the proceeds.
CREATE TABLE fills (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  trade INTEGER NOT NULL,
  counter_order_id INTEGER NOT NULL,
  price INTEGER NOT NULL,
  size INTEGER NOT NULL,
  fee ANY NOT NULL,
  fee_rate INTEGER NOT NULL,
  is_taker INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  base_change ANY NOT NULL,
  base_balance ANY NOT NULL,
  quote_balance ANY,
  ${ORDER_LANE},
  funds ANY AS (price * size)
) STRICT;
CREATE INDEX fills_by_order ON fills (order_id);
CREATE INDEX fills_by_user ON fills (user, lane);
`;

const LEDGER = `
-- Ledger entries that no trade made: those of trades are in the fills.
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  change ANY NOT NULL,
  fee ANY NOT NULL,
  balance ANY NOT NULL,
  reference INTEGER NOT NULL,
  currency INTEGER AS (lane / 32),
  cause TEXT AS (${word('(lane >> 2) & 7', CODED.causes)}),
  account TEXT AS (${word('(lane >> 1) & 1', CODED.accounts)})
) STRICT;
CREATE INDEX entries_by_user ON entries (user, lane);
`;

const HOUSE = `
-- Changes of the system accounts. The trades of a symbol in a record are one row, from "trade" to "last_trade".
CREATE TABLE house (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  change ANY NOT NULL,
  balance ANY NOT NULL,
  cause TEXT NOT NULL,
  user INTEGER NOT NULL,
  reference INTEGER NOT NULL,
  symbol INTEGER NOT NULL,
  trade INTEGER NOT NULL,
  last_trade INTEGER NOT NULL,
  currency INTEGER AS (lane / ${SYSTEM_ACCOUNTS.length}),
  account TEXT AS (${word(`lane % ${SYSTEM_ACCOUNTS.length}`, SYSTEM_ACCOUNTS)})
) STRICT;
CREATE INDEX house_by_lane ON house (lane);
`;

const MOVEMENTS = `
-- Transfers, deposits and withdrawals as they stand; their ids are one series. "event" is JSON.
CREATE TABLE moved (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_open INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE INDEX moved_over ON moved (updated_at) WHERE NOT is_open;

-- Whose lists a movement is in; user -1 stands for everybody, and has deposits and withdrawals only.
CREATE TABLE moved_by_user (
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (user, lane, id)
) STRICT, WITHOUT ROWID;
`;

const STOPS = `
-- Stop orders and OCO orders that are done, by their own ids, which rise with "created_at". "detail" is JSON.
CREATE TABLE stops (
  id INTEGER PRIMARY KEY,
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  time INTEGER NOT NULL,
  client_id TEXT,
  detail TEXT NOT NULL,
  kind TEXT AS (CASE lane & 1 WHEN 0 THEN 'stop' ELSE 'oco' END),
  symbol INTEGER AS (lane / 32)
) STRICT;
CREATE INDEX stops_by_user ON stops (user, lane);
CREATE INDEX stops_by_client ON stops (user, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX stops_by_time ON stops (time);
`;

const MARKET = `
-- The latest trades of each symbol: a new one takes the slot (its number modulo 100) of an old one.
CREATE TABLE last_trades (
  symbol INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  trade INTEGER NOT NULL,
  price INTEGER NOT NULL,
  size INTEGER NOT NULL,
  is_sell INTEGER NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (symbol, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE candles (
  symbol INTEGER NOT NULL,
  interval INTEGER NOT NULL,
  start INTEGER NOT NULL,
  open INTEGER NOT NULL,
  close INTEGER NOT NULL,
  high INTEGER NOT NULL,
  low INTEGER NOT NULL,
  volume ANY NOT NULL,
  turnover ANY NOT NULL,
  interval_name TEXT AS (${word('interval', INTERVAL_NAMES)}),
  PRIMARY KEY (symbol, interval, start)
) STRICT, WITHOUT ROWID;
`;

const AUDIT = `
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  by TEXT NOT NULL,
  why TEXT NOT NULL,
  outcome TEXT NOT NULL,
  command TEXT NOT NULL
) STRICT;
`;

/** For people with `sqlite3`; the server does not use them. */
const VIEWS = `
-- One row for each trade, with decimals: for reports, not for accounts, because these are floating-point numbers.
CREATE VIEW trades AS
SELECT buy.time, symbols.code AS symbol, buy.trade,
  iif((buy.is_taker, buy.order_id) > (sell.is_taker, sell.order_id), 'buy', 'sell') AS side,
  buy.price / pow(10, price_decimals) AS price,
  buy.size / pow(10, size_decimals) AS size,
  buy.funds / pow(10, price_decimals + size_decimals) AS funds,
  buy.user AS buyer, sell.user AS seller,
  buy.order_id AS buy_order_id, sell.order_id AS sell_order_id,
  buy.fee / pow(10, price_decimals + size_decimals) AS buy_fee,
  sell.fee / pow(10, price_decimals + size_decimals) AS sell_fee
FROM fills AS buy
JOIN fills AS sell ON sell.id = buy.id + 1
JOIN symbols ON symbols.symbol = buy.symbol
WHERE buy.side = 'buy';

-- The parts of a movement that reports ask for.
CREATE VIEW movements AS
SELECT id, time, updated_at, CASE event ->> 'kind'
    WHEN 'deposit-set' THEN 'deposit' WHEN 'withdrawal-set' THEN 'withdrawal' ELSE 'transfer' END AS kind,
  coalesce(event ->> 'state', 'made') AS state, event ->> 'user' AS user, event ->> 'currency' AS currency,
  CAST(event ->> '$.amount.units' AS NUMERIC) AS amount
FROM moved;

-- Every ledger entry, those of trades among them, in units of the currency.
CREATE VIEW ledger AS
SELECT id, seq, time, user, account, currency, cause, change, fee, balance, 0 AS order_id, reference FROM entries
UNION ALL
SELECT entry + (side = 'buy'), seq, time, user, 'trade', base, 'trade', base_change, 0, base_balance, order_id, 0
FROM fills JOIN symbols USING (symbol)
UNION ALL
SELECT entry + (side = 'sell'), seq, time, user, 'trade', quote, 'trade',
  iif(side = 'buy', -funds - fee, funds - fee), fee, quote_balance, order_id, 0
FROM fills JOIN symbols USING (symbol) WHERE quote_balance IS NOT NULL;
`;

export const SCHEMA = META + ORDERS + FILLS + LEDGER + HOUSE + MOVEMENTS + STOPS + MARKET + AUDIT + VIEWS;
