/** Attacks by strangers from one address, without any key: public requests, rejected ones, and bare connections. */

import {
  askABit,
  type Attack,
  connectAgain,
  flood,
  type FloodOptions,
  get,
  GROWTH_MIB,
  resetAgain,
  signedRequest,
  UNREAD_GROWTH_MIB,
} from './attack.ts';

const STRANGERS = 'strangers of one address';
export const FAMILY_ORDERS = '/api/v1/hf/orders';

/** Floods an exchange that has received the same requests before. */
const flooding = (options: FloodOptions): Pick<Attack, 'prepare' | 'run'> => ({
  prepare: (target) => askABit(target, options.requests),
  run: (target, signal) => flood(target, signal, options),
});

export const STRANGER_ATTACKS: readonly Attack[] = [
  {
    name: 'documents',
    who: STRANGERS,
    what: '500 pipelined GET /openapi.json on each of 10 connections, not read',
    growthMiBMax: UNREAD_GROWTH_MIB,
    ...flooding({ connections: 10, requests: [get('/openapi.json')], repeat: 500 }),
  },
  {
    name: 'figures',
    who: STRANGERS,
    what: '200 pipelined GET /metrics on each of 10 connections',
    growthMiBMax: GROWTH_MIB,
    ...flooding({ connections: 10, requests: [get('/metrics')], repeat: 200, reads: true }),
  },
  {
    name: 'unread',
    who: STRANGERS,
    what: '300 connections of 50 pipelined reads of everything public, none read',
    growthMiBMax: UNREAD_GROWTH_MIB,
    ...flooding({
      connections: 300,
      requests: [
        get('/openapi.json'),
        get('/api/v1/market/allTickers'),
        get('/api/v2/symbols'),
        get('/docs'),
      ],
      repeat: 13,
    }),
  },
  {
    name: 'nowhere',
    who: STRANGERS,
    what: 'pipelined requests for paths that do not exist, and with keys that do not',
    growthMiBMax: GROWTH_MIB,
    ...flooding({
      connections: 20,
      requests: [get('/nope'), get('/api/v1/accounts', 'SVC-API-KEY: nobody\r\n')],
      repeat: 100,
      reads: true,
    }),
  },
  {
    name: 'wrong-signatures',
    who: STRANGERS,
    what: '64 kB bodies with signatures that are wrong',
    growthMiBMax: GROWTH_MIB,
    ...flooding({
      connections: 20,
      requests: [signedRequest('POST', FAMILY_ORDERS, `{"a":"${'x'.repeat(60_000)}"}`)],
      repeat: 5,
      reads: true,
    }),
  },
  {
    name: 'smallest',
    who: STRANGERS,
    what: '64 KiB of the smallest requests there are on each of 50 connections',
    growthMiBMax: GROWTH_MIB,
    ...flooding({
      connections: 50,
      requests: ['GET / HTTP/1.1\r\n\r\n'],
      repeat: 3600,
      reads: true,
    }),
  },
  {
    name: 'crowd',
    who: STRANGERS,
    what: '60 pipelined reads on each of 200 connections, as many as may be under way',
    growthMiBMax: UNREAD_GROWTH_MIB,
    ...flooding({
      connections: 200,
      requests: [
        get('/api/v1/timestamp'),
        get('/api/v2/symbols'),
        get('/api/v1/market/allTickers'),
        get('/api/v1/market/orderbook/level2_20?symbol=BTC-USDT'),
      ],
      repeat: 15,
      reads: true,
    }),
  },
  {
    name: 'resets',
    who: STRANGERS,
    what: '60 pipelined reads on each of 200 connections, not read, and all connections reset at once',
    growthMiBMax: UNREAD_GROWTH_MIB,
    prepare: (target) => askABit(target, [get('/api/v2/symbols')]),
    run: (target, signal) =>
      resetAgain(target, signal, { connections: 200, requests: [get('/api/v2/symbols')], repeat: 60 }),
  },
  {
    name: 'connections',
    who: STRANGERS,
    what: '500 connections at once that say nothing and end, over and over',
    growthMiBMax: GROWTH_MIB,
    run: (target, signal) => connectAgain(target, signal, 500),
  },
];
