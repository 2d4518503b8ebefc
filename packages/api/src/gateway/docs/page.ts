/**
 * The API reference at /docs/reference: one page generated from /openapi.json and /asyncapi.json, without external
 * resources, so it works offline. It is readable without scripts; with them it can sign and send requests.
 *
 * The alternative Scalar (@scalar/api-reference 1.72) has 4.4 MB of script, 1.3 MB compressed, against 9 kB here; is empty
 * without scripts; uses its vendor's fonts and proxy by default; and exposes typed-in keys to the code of 27 packages.
 */

import { type Documents, FILE_HEADERS, pageHeaders } from '../http/documents.ts';
import { type OpenApiOptions, openApi } from './openapi.ts';
import { DOCS_SCRIPT, DOCS_STYLE } from './page-assets.ts';
import {
  codeBlock,
  escapeHtml,
  type FeedDocument,
  type ReferenceDocument,
  renderFeed,
  renderTasks,
} from './reference.ts';
import { setups } from './samples.ts';

/** Values that the page fills in for trying out; never anything but a sandbox's published keys. */
export interface DocsKey {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

export function addDocs(documents: Documents, options: OpenApiOptions, key: DocsKey | undefined): void {
  documents.add('/openapi.json', { type: 'application/json', make: () => JSON.stringify(openApi(options)) });
  const page = {
    type: 'text/html; charset=utf-8',
    make: () => docsPage(documents, options, key),
    headers: pageHeaders({ styles: "'unsafe-inline'", connections: [] }),
  };
  for (const path of ['/docs/reference', '/docs/reference/']) documents.add(path, page);
  documents.add('/docs/reference.js', {
    type: 'text/javascript; charset=utf-8',
    make: () => DOCS_SCRIPT,
    headers: FILE_HEADERS,
  });
}

function docsPage(documents: Documents, options: OpenApiOptions, key: DocsKey | undefined): string {
  const { dialects, skewMsMax } = options;
  const api = JSON.parse(documents.textOf('/openapi.json')) as ReferenceDocument;
  const feed = documents.has('/asyncapi.json')
    ? (JSON.parse(documents.textOf('/asyncapi.json')) as FeedDocument)
    : undefined;
  const compatible = dialects.find(({ isLiteral }) => !isLiteral)?.mount;
  const { contents, sections } = renderTasks(api, compatible !== undefined);
  const prefix = dialects[0]?.prefix ?? '';
  const value = (text: string | undefined) => `value="${escapeHtml(text ?? '')}"`;
  const choices = dialects.map(
    ({ mount, name, prefix: each }) =>
      `<option value="${escapeHtml(mount)}" data-prefix="${escapeHtml(each)}">${name}: ${escapeHtml(mount || '/')}</option>`,
  );
  const errors = api['x-errors'].map(
    ({ code, status, text, when }) =>
      `<tr><td><code>${escapeHtml(code)}</code></td><td>${status}</td><td>${escapeHtml(text.replaceAll('{PREFIX}', prefix))}</td><td>${escapeHtml(when)}</td></tr>`,
  );
  const code = Object.entries(setups(key, SHELL_SETUP, compatible)).map(([language, text], at) =>
    codeBlock('setup-code', language, text, at === 0),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Bourse</title>
<link rel="icon" href="data:,">
<style>${DOCS_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="/docs/">Bourse</a><a class="menu" href="#calls">Calls</a><a href="/">Terminal</a><a href="/docs/">Documentation</a><a class="extra" href="/openapi.json">OpenAPI</a><a class="extra" href="/asyncapi.json">AsyncAPI</a></header>
<div class="columns">
<nav id="calls" class="contents" aria-label="Calls">
<p><input id="find" type="search" aria-label="Find a call" placeholder="Find a call" autocomplete="off" spellcheck="false" disabled></p>
<details open data-open><summary>Start</summary><ul><li><a href="#start">What it is</a></li><li><a href="#setup">Set up</a></li><li><a href="#signing">Signing</a></li><li><a href="#feed">Feed</a></li><li><a href="#errors">Errors</a></li></ul></details>
${contents}
</nav>
<main id="content" tabindex="-1">
<section id="start">
<h1>API reference</h1>
${api.info.description
  .split('\n\n')
  .map((text) => `<p>${escapeHtml(text)}</p>`)
  .join('\n')}
<form id="key" autocomplete="off" hidden>
<label>Dialect <select id="dialect">${choices.join('')}</select></label>
<label>API key <input id="api-key" ${value(key?.apiKey)}></label>
<label>API secret <input id="api-secret" ${value(key?.apiSecret)}></label>
<label>Passphrase <input id="api-passphrase" ${value(key?.apiPassphrase)}></label>
<p>${
    key === undefined
      ? 'Requests below are signed in this page with these values, which are sent nowhere and forgotten when the page closes.'
      : 'This is a sandbox: here is the published key of a demo user. Requests below are signed with it in this page.'
  }</p>
<p id="lent" role="status" data-kind="${key === undefined ? 'venue' : 'sandbox'}"></p>
</form>
</section>
<section id="setup">
<h2>Set up</h2>
<p>Each call below has code for four clients that continues this set-up; the Copy button copies both.</p>
${code.join('\n')}
</section>
<section id="signing">
<h2>Signing</h2>
<p>ccxt and our client sign by themselves. To sign a request yourself:</p>
<ol>
<li>Text: <code>timestamp + METHOD + path?query + body</code>, all exactly as sent. The timestamp is in milliseconds, at most ${skewMsMax} ms from the server's clock; without a body the body is empty; the mount of a dialect is never part of the path.</li>
<li>Signature: <code>base64(HMAC-SHA256(secret, text))</code>.</li>
<li>Passphrase: <code>base64(HMAC-SHA256(secret, passphrase))</code>.</li>
<li>Send both with key, timestamp and version (2 or 3) in the five headers. A signed POST or DELETE takes effect at most once.</li>
</ol>
<details class="fold"><summary>Without a library, in Node 20 or newer</summary><pre tabindex="0" id="node">${escapeHtml(NODE_EXAMPLE)}</pre></details>
</section>
${sections}
<section id="feed">
<h2>Feed</h2>
${feed === undefined ? '' : renderFeed(feed)}
</section>
<section id="errors">
<h2>Errors</h2>
<div class="table" tabindex="0" role="region" aria-label="Errors"><table id="error-table"><thead><tr><th>Code</th><th>HTTP</th><th>Text</th><th>When</th></tr></thead><tbody>${errors.join('')}</tbody></table></div>
<p>The operator's own calls are in <code>/operator/openapi.json</code>, with the operator's token.</p>
</section>
</main>
</div>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}

/**
 * Reads BASE, KEY, SECRET and PASS from the environment; the test of the documentation runs it unchanged. `openssl
 * dgst -hmac` would take the secret as an argument, which every user of the machine can read with ps, so HMAC is
 * computed from two hashes. Not every `date` supports milliseconds.
 */
const SHELL_SETUP = `sha256() { openssl dgst -sha256 -binary; }
pad() { # the secret as 64 bytes, each XOR $1; it is never an argument of a program, where ps would show it
  for b in $({ printf %s "$SECRET"; head -c 64 /dev/zero; } | head -c 64 | od -An -v -tu1); do
    b=$((b ^ $1)); printf "\\\\$((b / 64))$((b / 8 % 8))$((b % 8))"
  done
}
hmac() { { pad 92; { pad 54; printf %s "$1"; } | sha256; } | sha256 | openssl base64 -A; }
now() { date +%s%3N | grep -v N || perl -MTime::HiRes=time -e 'printf "%d", 1000 * time'; }

call() { # call METHOD PATH [BODY]
  time=$(now)
  printf '%s\\n' "SVC-API-KEY: $KEY" "SVC-API-SIGN: $(hmac "$time$1$2$3")" "SVC-API-TIMESTAMP: $time" \\
    "SVC-API-PASSPHRASE: $(hmac "$PASS")" "SVC-API-KEY-VERSION: 3" "Content-Type: application/json" |
    curl -sS -H @- -X "$1" "$BASE$2" \${3:+-d "$3"}
}`;

/** With a first call. */
export const SHELL_EXAMPLE = `${SHELL_SETUP}
call POST /api/v1/hf/orders '{"symbol":"BTC-USDT","type":"limit","side":"buy","price":"30000","size":"0.001"}'`;

export const NODE_EXAMPLE = `import { createHmac } from 'node:crypto';
const { BASE, KEY, SECRET, PASS } = process.env;
const hmac = (text) => createHmac('sha256', SECRET).update(text).digest('base64');

async function call(method, path, body = '') {
  const time = String(Date.now());
  const response = await fetch(BASE + path, {
    method,
    headers: {
      'SVC-API-KEY': KEY,
      'SVC-API-SIGN': hmac(time + method + path + body),
      'SVC-API-TIMESTAMP': time,
      'SVC-API-PASSPHRASE': hmac(PASS),
      'SVC-API-KEY-VERSION': '3',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body }),
  });
  return response.json();
}
console.log(JSON.stringify(await call('GET', '/api/v1/accounts?currency=USDT')));`;
