/**
 * The tables, as numbered steps: step n takes a database of version n - 1 to version n, in one transaction. A step is
 * SQL, and where that is not enough a function. One that was ever released is never edited; what is to change comes as
 * the next.
 *
 * Amounts (ANY) are integers where 64 bits hold them, and otherwise decimal text: exact up to any size, mostly a few
 * bytes. Words are numbers: see codes.ts. Times are milliseconds since 1970.
 */

import type { DatabaseSync } from 'node:sqlite';
import { packRows } from './unpacked-rows.ts';

type Step = (db: DatabaseSync) => void;

const sql =
  (text: string): Step =>
  (db) =>
    db.exec(text);

const TABLES = `
-- One row: what has been written, and the last id given out of each kind.
CREATE TABLE checkpoint (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  orders INTEGER NOT NULL,
  fills INTEGER NOT NULL,
  ledger INTEGER NOT NULL,
  audit INTEGER NOT NULL
) STRICT;
INSERT INTO checkpoint VALUES (1, 0, 0, 0, 0, 0);

-- "rest" is JSON with the fields that most orders do not have, or NULL.
CREATE TABLE done_orders (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL,
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  price INTEGER NOT NULL,
  size INTEGER NOT NULL,
  deal_size INTEGER NOT NULL,
  deal_funds ANY NOT NULL,
  fee ANY NOT NULL,
  fee_slack INTEGER NOT NULL,
  cancelled_size INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  visible INTEGER NOT NULL,
  maker_rate INTEGER NOT NULL,
  taker_rate INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  client_id TEXT,
  client_key INTEGER,
  rest TEXT
) STRICT;
CREATE INDEX done_orders_by_order ON done_orders ("order");
CREATE INDEX done_orders_by_lane ON done_orders (user, lane);
CREATE INDEX done_orders_by_client ON done_orders (client_key) WHERE client_key IS NOT NULL;

-- "entry" is the id of the first of the fill's ledger entries: what is paid, then what is got.
CREATE TABLE fills (
  id INTEGER PRIMARY KEY,
  "order" INTEGER NOT NULL,
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  trade INTEGER NOT NULL,
  counter_order INTEGER NOT NULL,
  price INTEGER NOT NULL,
  size INTEGER NOT NULL,
  fee ANY NOT NULL,
  fee_rate INTEGER NOT NULL,
  is_taker INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  base_change ANY NOT NULL,
  base_balance ANY NOT NULL,
  quote_balance ANY
) STRICT;
CREATE INDEX fills_by_order ON fills ("order");
CREATE INDEX fills_by_lane ON fills (user, lane);

-- All entries but those of trades, which are in the fills.
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY,
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  change ANY NOT NULL,
  fee ANY NOT NULL,
  balance ANY NOT NULL,
  reference INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_by_lane ON ledger (user, lane);

CREATE TABLE symbols (
  symbol INTEGER PRIMARY KEY,
  base INTEGER NOT NULL,
  quote INTEGER NOT NULL
) STRICT;

-- Transfers, deposits and withdrawals as they stand; their ids are one series. The event is JSON.
CREATE TABLE moved (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_open INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE INDEX moved_over ON moved (updated_at) WHERE NOT is_open;
CREATE TABLE moved_of_user (
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (user, lane, id)
) STRICT, WITHOUT ROWID;

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

const LAST_TRADES = `
-- The latest trades of each symbol, whoever made them: a new one takes the slot (its number modulo 100) of an old one.
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
`;

const CANDLES = `
-- What was traded in each stretch of time; "interval" counts the names of candles.ts, "start" is in milliseconds.
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
  PRIMARY KEY (symbol, interval, start)
) STRICT, WITHOUT ROWID;
`;

const DONE_STOPS = `
-- Stop orders and OCO orders that are done, by their own ids, which rise with "created_at"; "time" is when they were
-- done. "detail" is JSON.
CREATE TABLE done_stops (
  id INTEGER PRIMARY KEY,
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  time INTEGER NOT NULL,
  client_id TEXT,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX done_stops_by_lane ON done_stops (user, lane);
CREATE INDEX done_stops_by_client ON done_stops (user, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX done_stops_by_time ON done_stops (time);

-- Deposits and withdrawals (all lanes but those of transfers) are listed once more under user -1, which is everybody.
INSERT OR IGNORE INTO moved_of_user SELECT -1, lane, id FROM moved_of_user WHERE lane % 8 > 0;
`;

const CLIENT_KEYS = `
-- One row: what the client keys of done orders are made with, from the done order "since" on. See client-keys.ts.
CREATE TABLE client_keys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;
INSERT INTO client_keys SELECT 1, hex(randomblob(16)), orders + 1 FROM checkpoint;
`;

const SMALL_BUCKETS = `
-- From the done order "small_since" on a bucket of client keys has 2^16 done orders, before it 2^18.
ALTER TABLE client_keys ADD COLUMN small_since INTEGER NOT NULL DEFAULT 0;
UPDATE client_keys SET small_since = (SELECT orders + 1 FROM checkpoint);
`;

const KEYED_HASH = `
-- From the done order "keyed_since" on client keys are by another hash: see client-keys.ts.
ALTER TABLE client_keys ADD COLUMN keyed_since INTEGER NOT NULL DEFAULT 0;
UPDATE client_keys SET keyed_since = (SELECT orders + 1 FROM checkpoint);
`;

const PACKS = `
-- Done orders and fills as bytes, many in a row: see packs.ts. "id" is that of the last in it, "seq" and "time" are its;
-- "through" is the last id of the transaction that wrote it.
CREATE TABLE order_packs (
  id INTEGER PRIMARY KEY,
  through INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  rows BLOB NOT NULL
) STRICT;
CREATE TABLE fill_packs (
  id INTEGER PRIMARY KEY,
  through INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  rows BLOB NOT NULL
) STRICT;

-- The ids by which they are found, those of one transaction and one key in a row: the first with the number beside it,
-- and the others as bytes, or NULL; "size" is how many they are. See runs.ts.
CREATE TABLE order_runs (
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  through INTEGER NOT NULL,
  id INTEGER NOT NULL,
  note INTEGER NOT NULL,
  size INTEGER NOT NULL,
  more BLOB,
  PRIMARY KEY (user, lane, through)
) STRICT, WITHOUT ROWID;
CREATE TABLE fill_runs (
  user INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  through INTEGER NOT NULL,
  id INTEGER NOT NULL,
  note INTEGER NOT NULL,
  size INTEGER NOT NULL,
  more BLOB,
  PRIMARY KEY (user, lane, through)
) STRICT, WITHOUT ROWID;
-- "bucket" is the order's own id / 16, which is the number beside.
CREATE TABLE order_places (
  bucket INTEGER NOT NULL,
  through INTEGER NOT NULL,
  id INTEGER NOT NULL,
  note INTEGER NOT NULL,
  size INTEGER NOT NULL,
  more BLOB,
  PRIMARY KEY (bucket, through)
) STRICT, WITHOUT ROWID;
CREATE TABLE fills_of_orders (
  "order" INTEGER NOT NULL,
  through INTEGER NOT NULL,
  id INTEGER NOT NULL,
  note INTEGER NOT NULL,
  size INTEGER NOT NULL,
  more BLOB,
  PRIMARY KEY ("order", through)
) STRICT, WITHOUT ROWID;
-- Done orders by client id: see client-keys.ts.
CREATE TABLE client_ids (
  key INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (key, id)
) STRICT, WITHOUT ROWID;

-- The last done order and fill that are forgotten. What one transaction wrote is removed together, and until then
-- passed over.
ALTER TABLE checkpoint ADD COLUMN orders_pruned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE checkpoint ADD COLUMN fills_pruned INTEGER NOT NULL DEFAULT 0;
`;

const MORE_MOVED_STATES = `
-- The lane of a movement is its currency * 16 + its state; it was * 8, which had no room for another state.
UPDATE moved_of_user SET lane = (lane / 8) * 16 + lane % 8;
`;

export const MIGRATIONS: readonly Step[] = [
  sql(TABLES),
  sql(LAST_TRADES),
  sql(CANDLES),
  sql(DONE_STOPS),
  sql(CLIENT_KEYS),
  sql(SMALL_BUCKETS),
  sql(KEYED_HASH),
  (db) => {
    db.exec(PACKS);
    packRows(db);
  },
  sql(MORE_MOVED_STATES),
];
