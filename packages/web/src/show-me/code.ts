/**
 * The code of one action: curl, ccxt in JavaScript and Python, and our client. All of it runs unchanged, which
 * test/show-me.test.ts verifies. Secrets are shown only if they are published; otherwise a placeholder stands for
 * them.
 */

import type { Credentials } from '@bourse/client';
import type { Action, Members } from '../user/actions.ts';

export interface CodeSurroundings {
  readonly url: string;
  /** Null if the key is not published. */
  readonly credentials: Credentials | null;
}

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

export function snippets(action: Action, around: CodeSurroundings): Snippet[] {
  return [
    { name: 'curl', text: curl(action, around) },
    { name: 'ccxt, JavaScript', text: ccxtJavaScript(action, around) },
    { name: 'ccxt, Python', text: ccxtPython(action, around) },
    { name: '@bourse/client', text: ownClient(action, around) },
  ];
}

const placeholders: Credentials = {
  apiKey: 'your key',
  apiSecret: 'your secret',
  apiPassphrase: 'your passphrase',
};

function curl({ method, path, query, body }: Action, { url, credentials }: CodeSurroundings): string {
  const { apiKey, apiSecret, apiPassphrase } = credentials ?? placeholders;
  const target = path + queryText(query);
  const hasBody = body !== undefined;
  const headers = [
    'SVC-API-KEY: $API_KEY',
    `SVC-API-SIGN: $(hmac "\${timestamp}${method}\${target}${hasBody ? '${body}' : ''}")`,
    'SVC-API-TIMESTAMP: $timestamp',
    'SVC-API-PASSPHRASE: $(hmac "$API_PASSPHRASE")',
    'SVC-API-KEY-VERSION: 3',
    ...(hasBody ? ['Content-Type: application/json'] : []),
  ];
  return [
    `API_KEY=${shellText(apiKey)}`,
    `export API_SECRET=${shellText(apiSecret)}`,
    `API_PASSPHRASE=${shellText(apiPassphrase)}`,
    '# Everybody on the machine sees the arguments of a program: secrets go through the environment and pipes.',
    `hmac() { printf %s "$1" | perl -MDigest::SHA=hmac_sha256_base64 -0777 -ne 'print hmac_sha256_base64($_, $ENV{API_SECRET}), "="'; }`,
    '',
    'timestamp=$(date +%s%3N)',
    `target=${shellText(target)}`,
    ...(hasBody ? [`body=${shellText(JSON.stringify(body))}`] : []),
    '{',
    `  printf 'url = "%s"\\n' "${url}$target"`,
    ...headers.map((header) => `  printf 'header = "%s"\\n' "${header}"`),
    `} | curl -X ${method} --config -${hasBody ? ' --data-binary @<(printf %s "$body")' : ''}`,
  ].join('\n');
}

function ccxtJavaScript(action: Action, { url, credentials }: CodeSurroundings): string {
  const { apiKey, apiSecret, apiPassphrase } = credentials ?? placeholders;
  return [
    "import ccxt from 'ccxt';",
    '',
    `const url = ${quoted(`${url}/compat`)};`,
    'const parts = Object.keys(new ccxt.kucoin().urls.api);',
    'const exchange = new ccxt.kucoin({',
    `  apiKey: ${quoted(apiKey)},`,
    `  secret: ${quoted(apiSecret)},`,
    `  password: ${quoted(apiPassphrase)},`,
    '  urls: { api: Object.fromEntries(parts.map((part) => [part, url])) },',
    '});',
    '// ccxt rejects plain http unless it is allowed explicitly.',
    'await exchange.loadHttpProxyAgent();',
    ...(action.ccxt === undefined
      ? [
          '// ccxt has no method for this; it signs any path.',
          `const request = exchange.sign(${rawArguments(action)}, 'private', ${quoted(action.method)}, ${javaScript(parametersOf(action))});`,
          'console.log(await exchange.fetch(request.url, request.method, request.headers, request.body));',
        ]
      : [`console.log(await exchange.${action.ccxt}(${javaScript(parametersOf(action))}));`]),
  ].join('\n');
}

function ccxtPython(action: Action, { url, credentials }: CodeSurroundings): string {
  const { apiKey, apiSecret, apiPassphrase } = credentials ?? placeholders;
  return [
    'import ccxt',
    '',
    `url = ${quoted(`${url}/compat`)}`,
    'exchange = ccxt.kucoin({',
    `    'apiKey': ${quoted(apiKey)},`,
    `    'secret': ${quoted(apiSecret)},`,
    `    'password': ${quoted(apiPassphrase)},`,
    '})',
    "exchange.urls['api'] = {part: url for part in exchange.urls['api']}",
    ...(action.ccxt === undefined
      ? [
          '# ccxt has no method for this; it signs any path.',
          `request = exchange.sign(${rawArguments(action)}, 'private', ${quoted(action.method)}, ${python(parametersOf(action))})`,
          "print(exchange.fetch(request['url'], request['method'], request['headers'], request['body']))",
        ]
      : [`print(exchange.${action.ccxt}(${python(parametersOf(action))}))`]),
  ].join('\n');
}

function ownClient(action: Action, { url, credentials }: CodeSurroundings): string {
  const { apiKey, apiSecret, apiPassphrase } = credentials ?? placeholders;
  const { method, path, query, body, client } = action;
  const asked = { ...(query && { query }), ...(body && { body }) };
  const call =
    client !== undefined
      ? `client.${client}(${javaScript(body ?? query ?? {})})`
      : `client.http.call(${quoted(method)}, ${quoted(path)}${Object.keys(asked).length === 0 ? '' : `, ${javaScript(asked)}`})`;
  return [
    "import { BourseClient } from '@bourse/client';",
    '',
    'const client = new BourseClient({',
    `  url: ${quoted(url)},`,
    '  credentials: {',
    `    apiKey: ${quoted(apiKey)},`,
    `    apiSecret: ${quoted(apiSecret)},`,
    `    apiPassphrase: ${quoted(apiPassphrase)},`,
    '  },',
    '});',
    `console.log(await ${call});`,
  ].join('\n');
}

/** ccxt puts `/api/v1/` before a path. */
const rawArguments = ({ path }: Action): string => quoted(path.replace('/api/v1/', ''));

/** ccxt takes path parameters, query and body in one object. */
function parametersOf({ path, query, body, ccxtPath }: Action): Members {
  return { ...pathParameters(path, ccxtPath), ...query, ...body };
}

/** The values in `path` at the places where `pattern` has names in braces. */
function pathParameters(path: string, pattern = ''): Members {
  const values = path.split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, at) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      return name === undefined ? [] : [[name, decodeURIComponent(values[at] ?? '')]];
    }),
  );
}

function queryText(query: Members = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}

const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;

function javaScript(value: unknown, indent = ''): string {
  return literal(value, indent, (name) => (/^[a-z]\w*$/i.test(name) ? name : quoted(name)), String);
}

function python(value: unknown): string {
  return literal(value, '', quoted, (word) =>
    word === true ? 'True' : word === false ? 'False' : word === null ? 'None' : String(word),
  );
}

function literal(
  value: unknown,
  indent: string,
  key: (name: string) => string,
  word: (value: unknown) => string,
): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent, key, word)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return word(value);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  if (members.length === 0) return '{}';
  const inner = `${indent}  `;
  const lines = members.map(([name, each]) => `${inner}${key(name)}: ${literal(each, inner, key, word)},`);
  return `{\n${lines.join('\n')}\n${indent}}`;
}
