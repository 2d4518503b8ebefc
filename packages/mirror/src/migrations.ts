/**
 * The mirror's tables, as numbered steps: step n takes a schema of version n - 1 to version n, in one transaction. A step
 * that was ever released is never edited; a change is a new step. docs/operating/mirror.md describes them.
 */

const TABLES = `
-- One row: the last record that is in the tables, and the last number given out of each kind.
CREATE TABLE bourse.checkpoint (
  id integer PRIMARY KEY CHECK (id = 1),
  seq bigint NOT NULL,
  time timestamptz,
  orders bigint NOT NULL,
  fills bigint NOT NULL,
  ledger bigint NOT NULL,
  audit bigint NOT NULL
);
INSERT INTO bourse.checkpoint VALUES (1, 0, NULL, 0, 0, 0, 0);

CREATE TABLE bourse.users (
  user_id integer PRIMARY KEY,
  name text NOT NULL,
  parent_id integer,
  tier integer NOT NULL,
  frozen boolean NOT NULL
);

CREATE TABLE bourse.currencies (
  currency text PRIMARY KEY,
  name text NOT NULL,
  decimals integer NOT NULL
);

CREATE TABLE bourse.symbols (
  symbol text PRIMARY KEY,
  base text NOT NULL,
  quote text NOT NULL,
  is_open boolean NOT NULL
);

CREATE TABLE bourse.orders (
  order_id bigint PRIMARY KEY,
  user_id integer NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL,
  type text NOT NULL,
  time_in_force text NOT NULL,
  post_only boolean NOT NULL,
  hidden boolean NOT NULL,
  iceberg boolean NOT NULL,
  stp text NOT NULL,
  client_id text,
  tags text,
  remark text,
  price numeric,
  size numeric,
  funds numeric,
  deal_size numeric NOT NULL,
  deal_funds numeric NOT NULL,
  fee numeric NOT NULL,
  cancelled_size numeric NOT NULL,
  status text NOT NULL,
  done_reason text,
  done_number bigint UNIQUE,
  done_seq bigint,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  done_at timestamptz
);
CREATE INDEX orders_by_user ON bourse.orders (user_id, created_at);
CREATE INDEX orders_by_symbol ON bourse.orders (symbol, created_at);
CREATE INDEX orders_active ON bourse.orders (symbol, user_id) WHERE status = 'active';

CREATE TABLE bourse.fills (
  fill_id bigint PRIMARY KEY,
  seq bigint NOT NULL,
  time timestamptz NOT NULL,
  symbol text NOT NULL,
  trade_id bigint NOT NULL,
  order_id bigint NOT NULL,
  counter_order_id bigint NOT NULL,
  user_id integer NOT NULL,
  side text NOT NULL,
  type text NOT NULL,
  liquidity text NOT NULL,
  price numeric NOT NULL,
  size numeric NOT NULL,
  funds numeric NOT NULL,
  fee numeric NOT NULL,
  fee_rate numeric NOT NULL
);
CREATE INDEX fills_by_order ON bourse.fills (order_id);
CREATE INDEX fills_by_user ON bourse.fills (user_id, time);
CREATE INDEX fills_by_symbol ON bourse.fills (symbol, time);

CREATE TABLE bourse.ledger (
  entry_id bigint PRIMARY KEY,
  seq bigint NOT NULL,
  time timestamptz NOT NULL,
  user_id integer NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  change numeric NOT NULL,
  fee numeric NOT NULL,
  balance numeric NOT NULL,
  cause text NOT NULL,
  symbol text,
  order_id bigint,
  trade_id bigint,
  reference bigint
);
CREATE INDEX ledger_by_user ON bourse.ledger (user_id, time);
CREATE INDEX ledger_by_currency ON bourse.ledger (currency, time);

-- user_id -1: the system accounts fees, outside, waiting and suspense.
CREATE TABLE bourse.balances (
  user_id integer NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  available numeric NOT NULL,
  hold numeric NOT NULL,
  PRIMARY KEY (user_id, account, currency)
);

CREATE TABLE bourse.candles (
  symbol text NOT NULL,
  interval text NOT NULL,
  start timestamptz NOT NULL,
  open numeric NOT NULL,
  close numeric NOT NULL,
  high numeric NOT NULL,
  low numeric NOT NULL,
  volume numeric NOT NULL,
  turnover numeric NOT NULL,
  PRIMARY KEY (symbol, interval, start)
);

CREATE TABLE bourse.audit (
  audit_id bigint PRIMARY KEY,
  seq bigint NOT NULL,
  time timestamptz NOT NULL,
  by text NOT NULL,
  why text NOT NULL,
  outcome text NOT NULL,
  command jsonb NOT NULL
);

CREATE TABLE bourse.deposits (
  deposit_id bigint PRIMARY KEY,
  user_id integer NOT NULL,
  currency text NOT NULL,
  chain text NOT NULL,
  amount numeric NOT NULL,
  tx_id text NOT NULL,
  state text NOT NULL,
  travel_rule_id bigint,
  fee numeric NOT NULL,
  failure_code text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX deposits_by_user ON bourse.deposits (user_id, deposit_id);
CREATE INDEX deposits_waiting ON bourse.deposits (deposit_id) WHERE state <> 'done';

CREATE TABLE bourse.questionnaires (
  questionnaire_id bigint PRIMARY KEY,
  travel_rule_id bigint NOT NULL,
  user_id integer NOT NULL,
  sender_type text NOT NULL,
  info text NOT NULL,
  state text NOT NULL,
  failure_code text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX questionnaires_by_user ON bourse.questionnaires (user_id, questionnaire_id);

CREATE TABLE bourse.withdrawals (
  withdrawal_id bigint PRIMARY KEY,
  user_id integer NOT NULL,
  currency text NOT NULL,
  chain text NOT NULL,
  amount numeric NOT NULL,
  fee numeric NOT NULL,
  address text NOT NULL,
  memo text,
  remark text,
  state text NOT NULL,
  claimed_by text,
  claimed_at timestamptz,
  tx_id text,
  failure_reason text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX withdrawals_by_user ON bourse.withdrawals (user_id, withdrawal_id);
CREATE INDEX withdrawals_open ON bourse.withdrawals (withdrawal_id) WHERE state IN ('processing', 'paying');

-- user_id and symbol null: every user, every symbol.
CREATE TABLE bourse.fee_rules (
  user_id integer,
  symbol text,
  maker numeric NOT NULL,
  taker numeric NOT NULL
);
CREATE UNIQUE INDEX fee_rules_one ON bourse.fee_rules (coalesce(user_id, -1), coalesce(symbol, ''));

CREATE VIEW bourse.system_accounts AS
  SELECT account, currency, available AS balance FROM bourse.balances WHERE user_id = -1;

CREATE TABLE bourse.addresses (
  user_id integer NOT NULL,
  currency text NOT NULL,
  chain text NOT NULL,
  address text NOT NULL,
  memo text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, currency, chain)
);
CREATE INDEX addresses_by_address ON bourse.addresses (chain, address);
`;

export const MIGRATIONS: readonly string[] = [TABLES];
