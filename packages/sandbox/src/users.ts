/**
 * The sandbox's users. Their keys are published, because nothing in a sandbox has any value; a venue never has them.
 */

import type { Permission } from '@bourse/core';

export interface SandboxUser {
  readonly name: string;
  /** Name of the master, for a sub-account. */
  readonly parent?: string;
  /** Initial balances of MAIN and TRADE: decimals by currency. */
  readonly main: Readonly<Record<string, string>>;
  readonly trade: Readonly<Record<string, string>>;
}

export interface SandboxKey {
  /** Its name in lists; a user may have several keys. */
  readonly name: string;
  readonly user: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
  readonly permissions: readonly Permission[];
}

/** Some of every currency, so that every symbol can be traded on both sides. */
const MONEY = {
  USDT: '1000000',
  BTC: '100',
  ETH: '1000',
  KCS: '10000',
  LTC: '1000',
  XRP: '100000',
  EOS: '100000',
  ADA: '100000',
  DOGE: '1000000',
  TRX: '1000000',
  XLM: '100000',
  GALAX: '1000000',
  BCHSV: '1000',
  REQ: '100000',
  EDGE: '100000',
};

export const USERS: readonly SandboxUser[] = [
  { name: 'alice', main: MONEY, trade: MONEY },
  { name: 'bob', main: MONEY, trade: MONEY },
  { name: 'carol', main: MONEY, trade: MONEY },
  { name: 'alice-sub', parent: 'alice', main: {}, trade: { USDT: '10000' } },
];

const ALL: readonly Permission[] = ['general', 'spot', 'flex-transfers', 'withdrawal'];

export const KEYS: readonly SandboxKey[] = [
  {
    name: 'alice',
    user: 'alice',
    apiKey: '65a0b0c0d0e0f00000a11ce1',
    apiSecret: 'a11ce000-5a4d-4b0c-8e11-000000000001',
    apiPassphrase: 'alice-sandbox',
    permissions: ALL,
  },
  {
    name: 'bob',
    user: 'bob',
    apiKey: '65a0b0c0d0e0f000000b0b01',
    apiSecret: 'b0b00000-5a4d-4b0c-8e11-000000000002',
    apiPassphrase: 'bob-sandbox',
    permissions: ALL,
  },
  {
    name: 'carol',
    user: 'carol',
    apiKey: '65a0b0c0d0e0f00000ca2011',
    apiSecret: 'ca201000-5a4d-4b0c-8e11-000000000003',
    apiPassphrase: 'carol-sandbox',
    permissions: ALL,
  },
  {
    name: 'alice-sub',
    user: 'alice-sub',
    apiKey: '65a0b0c0d0e0f0000a11ce5b',
    apiSecret: 'a11ce5b0-5a4d-4b0c-8e11-000000000004',
    apiPassphrase: 'alice-sub-sandbox',
    permissions: ['general', 'spot', 'flex-transfers'],
  },
  {
    name: 'alice-viewer',
    user: 'alice',
    apiKey: '65a0b0c0d0e0f0000a11ce0e',
    apiSecret: 'a11ce0e0-5a4d-4b0c-8e11-000000000005',
    apiPassphrase: 'alice-viewer-sandbox',
    permissions: ['general'],
  },
];

/** The sandbox's own token, unless the configuration sets another. */
export const SANDBOX_OPERATOR_TOKEN = 'sandbox-operator-token-for-everybody';
