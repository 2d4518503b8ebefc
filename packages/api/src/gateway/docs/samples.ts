/**
 * Code samples for one call: curl, ccxt in JavaScript and Python, and our client. Their common set-up (keys, addresses,
 * imports) is in `setups`, once per page. A test runs the JavaScript of every call.
 */

import type { Example } from './examples.ts';

export const LANGUAGES = ['curl', 'ccxt, JavaScript', 'ccxt, Python', '@bourse/client'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Samples = Readonly<Partial<Record<Language, string>>>;

/** The address of a local sandbox. The page's script replaces it with the page's own. */
const SAMPLE_URL = 'http://127.0.0.1:8080';

interface Keys {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

const OWN_KEYS: Keys = { apiKey: 'YOUR_KEY', apiSecret: 'YOUR_SECRET', apiPassphrase: 'YOUR_PASSPHRASE' };

/** `shell` defines `call`, which reads BASE, KEY, SECRET and PASS. ccxt connects to `mount`. */
export function setups(keys: Keys | undefined, shell: string, mount: string | undefined): Samples {
  const { apiKey, apiSecret, apiPassphrase } = keys ?? OWN_KEYS;
  const url = quoted(SAMPLE_URL + (mount ?? ''));
  return {
    curl: [
      `BASE=${SAMPLE_URL} KEY=${quoted(apiKey)} SECRET=${quoted(apiSecret)} PASS=${quoted(apiPassphrase)}`,
      shell,
    ].join('\n'),
    ...(mount !== undefined && {
      'ccxt, JavaScript': `import ccxt from 'ccxt';

const url = ${url};
const exchange = new ccxt.kucoin({
  apiKey: ${quoted(apiKey)},
  secret: ${quoted(apiSecret)},
  password: ${quoted(apiPassphrase)},
});
for (const part of Object.keys(exchange.urls.api)) exchange.urls.api[part] = url;
// Allows plain http, which ccxt refuses by default.
await exchange.loadHttpProxyAgent();`,
      'ccxt, Python': `import ccxt

url = ${url}
exchange = ccxt.kucoin({
    'apiKey': ${quoted(apiKey)},
    'secret': ${quoted(apiSecret)},
    'password': ${quoted(apiPassphrase)},
})
exchange.urls['api'] = {part: url for part in exchange.urls['api']}`,
    }),
    '@bourse/client': `import { BourseClient } from '@bourse/client';

const client = new BourseClient({
  url: ${quoted(SAMPLE_URL)},
  credentials: {
    apiKey: ${quoted(apiKey)},
    apiSecret: ${quoted(apiSecret)},
    apiPassphrase: ${quoted(apiPassphrase)},
  },
});`,
  };
}

export interface SampledCall {
  readonly id: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly isPublic: boolean;
  readonly example: Example;
}

type Members = Readonly<Record<string, unknown>>;

export function samplesOf(call: SampledCall, hasCcxt: boolean): Samples {
  const { method, path, body } = call.example;
  const url = new URL(path, SAMPLE_URL);
  const members = {
    ...pathMembers(call.path, url.pathname),
    ...Object.fromEntries(url.searchParams),
    ...(body === '' ? {} : (JSON.parse(body) as Members)),
  };
  const ccxt = ccxtCall(call, members);
  return {
    curl: curl(call),
    ...(hasCcxt && {
      'ccxt, JavaScript': `console.log(await exchange.${ccxt(javaScript)});`,
      'ccxt, Python': `print(exchange.${ccxt(python)})`,
    }),
    '@bourse/client': `console.log(await client.${CLIENT_CALLS.get(call.id)?.(members) ?? clientCall(method, url, body)});`,
  };
}

/** For a call that needs the operator token. */
export function bearerSample(method: string, path: string, body: Members | undefined): string {
  const target = SAMPLE_URL + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${shellText(body)}`;
  return `curl -X ${method} -H "Authorization: Bearer $TOKEN"${data} ${quoted(target)}`;
}

function curl({ isPublic, example: { method, path, body } }: SampledCall): string {
  const data = body === '' ? '' : ` '${body.replaceAll("'", String.raw`'\''`)}'`;
  if (!isPublic) return `call ${method} '${path}'${data}`;
  return `curl ${method === 'GET' ? '' : `-X ${method} `}'${SAMPLE_URL}${path}'`;
}

/** ccxt has no methods for these, but can send any path. */
const WITHOUT_METHOD: ReadonlySet<string> = new Set([
  'get-my-ip',
  'get-account-mode',
  'list-contracts',
  'get-symbol',
  'submit-questionnaire',
  'list-regions-below-api',
  'page-open-orders',
  'get-withdrawal',
  'get-liability-proof',
]);
/** ccxt requests another version of these by default. */
const OTHER_VERSION: ReadonlySet<string> = new Set([
  'get-book-v2',
  'get-book-orders-v2',
  'list-announcements-v1',
  'get-public-feed-token-v2',
  'get-private-feed-token-v2',
  'list-currencies-v1',
  'get-currency-v1',
  'get-currency-v2',
  'old-list-symbols',
  'list-deposit-addresses',
  'list-sub-accounts',
  'list-sub-account-balances',
  'list-deposit-addresses-with-chains',
  'old-withdraw',
]);
/** ccxt signs these although they are public. */
const SIGNED_BY_CCXT: ReadonlySet<string> = new Set([
  'get-book-orders-v3',
  'get-book-orders-v2',
  'list-margin-symbols',
  'list-isolated-symbols',
]);

/** The names of ccxt's methods are the same in both languages. */
function ccxtCall({ id, path, isPublic, example: { method } }: SampledCall, members: Members) {
  const [, version, rest] = /^\/api\/((?:ua\/)?v\d|kyc)\/(.*)$/.exec(path) ?? [];
  if (rest === undefined) return (): string => `fetch(url + ${quoted(path)})`;
  const api = isPublic && !SIGNED_BY_CCXT.has(id) ? 'public' : 'private';
  const needsVersion = OTHER_VERSION.has(id) || (WITHOUT_METHOD.has(id) && version !== 'v1');
  const all = { ...members, ...(needsVersion && { version }) };
  if (WITHOUT_METHOD.has(id))
    return (write: Writer) => `request(${quoted(rest)}, '${api}', '${method}', ${write(all)})`;
  const words = [api, method.toLowerCase(), ...rest.split(/[^a-zA-Z0-9]+/).filter(Boolean)];
  const [first = '', ...others] = words;
  const name = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return (write: Writer) => `${name}(${Object.keys(all).length === 0 ? '' : write(all)})`;
}

const ofSymbol =
  (name: string, more = '') =>
  ({ symbol = 'BTC-USDT' }: Members) =>
    `${name}(${quoted(String(symbol))}${more})`;
const ofMembers = (name: string) => (members: Members) => `${name}(${javaScript(members)})`;

/** Methods of our client by route; it makes other calls with `client.http.call`. */
const CLIENT_CALLS: ReadonlyMap<string, (members: Members) => string> = new Map(
  Object.entries({
    'place-order': ofMembers('placeOrder'),
    'sync-place-order': ofMembers('placeOrderSync'),
    'place-orders': ({ orderList }: Members) => `placeOrders(${javaScript(orderList)})`,
    'test-order': ofMembers('testOrder'),
    'alter-order': ofMembers('alterOrder'),
    'cancel-order': ofMembers('cancelOrder'),
    'cancel-order-by-client-oid': ofMembers('cancelOrder'),
    'sync-cancel-order': ofMembers('cancelOrderSync'),
    'sync-cancel-order-by-client-oid': ofMembers('cancelOrderSync'),
    'cancel-orders-of-symbol': ofSymbol('cancelOrders'),
    'set-switch': ({ timeout, symbols }: Members) =>
      `setDeadMansSwitch(${String(timeout)}, [${quoted(String(symbols))}])`,
    'get-order': ofMembers('order'),
    'get-order-by-client-oid': ofMembers('order'),
    'list-open-orders': ofSymbol('openOrders'),
    'list-done-orders': ofSymbol('doneOrders'),
    'list-fills': ofSymbol('fills'),
    'get-ticker': ofSymbol('ticker'),
    'get-book-20': ofSymbol('depth'),
    'get-book-100': ofSymbol('depth', ', 100'),
    'get-book-v3': ofSymbol('book'),
    'get-trade-histories': ofSymbol('trades'),
    'list-candles': ofSymbol('candles', ", '1min'"),
    'list-symbols': () => 'symbols()',
    'get-server-time': () => 'serverTime()',
    'list-accounts': () => 'accounts()',
    'inner-transfer': ofMembers('transfer'),
    'get-private-feed-token': () => 'feedToken()',
  }),
);

function clientCall(method: string, { pathname, searchParams }: URL, body: string): string {
  const asked = {
    ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
    ...(body !== '' && { body: JSON.parse(body) as unknown }),
  };
  const more = Object.keys(asked).length === 0 ? '' : `, ${javaScript(asked)}`;
  return `http.call('${method}', ${quoted(pathname)}${more})`;
}

/** The values in `path` of the parameters in `pattern`. */
function pathMembers(pattern: string, path: string): Members {
  const values = path.split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, at) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      return name === undefined ? [] : [[name, decodeURIComponent(values[at] ?? '')]];
    }),
  );
}

type Writer = (value: unknown) => string;

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
const shellText = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`;
const javaScript: Writer = (value) =>
  literal(value, (name) => (/^\w+$/.test(name) ? name : quoted(name)), '');
const python: Writer = (value) => literal(value, quoted, '');

const LINE_MAX = 72;

/** Strings, integers, lists and objects; examples have no other types. */
function literal(value: unknown, key: (name: string) => string, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const parts = (inner: string): string[] =>
    isList
      ? value.map((each) => literal(each, key, inner))
      : Object.entries(value).map(([name, each]) => `${key(name)}: ${literal(each, key, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  const line = open + parts('').join(', ') + close;
  if (parts('').length === 0) return isList ? '[]' : '{}';
  if (line.length <= LINE_MAX && !line.includes('\n')) return line;
  const deeper = `${indent}  `;
  const lines = parts(deeper).map((part) => `${deeper}${part},\n`);
  return `${open.trim()}\n${lines.join('')}${indent}${close.trim()}`;
}
