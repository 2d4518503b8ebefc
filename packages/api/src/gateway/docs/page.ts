/**
 * The reference of the API at /docs/reference: one page without anything from elsewhere, so that it works offline. It
 * reads /openapi.json, and can sign and send requests from the browser.
 */

import type { Documents } from '../http/answers/documents.ts';
import { FILE_HEADERS, pageHeaders } from '../http/answers/page-headers.ts';
import { DOCS_SCRIPT } from './page-script.ts';
import { DOCS_STYLE } from './page-style.ts';
import { type OpenApiOptions, openApi } from './openapi.ts';

/** What the page fills in for trying out; only ever the published keys of a sandbox. */
export interface DocsKey {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

export function addDocs(documents: Documents, options: OpenApiOptions, key: DocsKey | undefined): void {
  documents.add('/openapi.json', { type: 'application/json', make: () => JSON.stringify(openApi(options)) });
  const page = {
    type: 'text/html; charset=utf-8',
    make: () => docsPage(options, key),
    headers: pageHeaders({ styles: "'unsafe-inline'", connections: [] }),
  };
  for (const path of ['/docs/reference', '/docs/reference/']) documents.add(path, page);
  documents.add('/docs/reference.js', {
    type: 'text/javascript; charset=utf-8',
    make: () => DOCS_SCRIPT,
    headers: FILE_HEADERS,
  });
}

function docsPage({ skewMsMax }: OpenApiOptions, key: DocsKey | undefined): string {
  const value = (text: string | undefined) => `value="${escapeHtml(text ?? '')}"`;
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
<nav id="contents"><strong>Bourse</strong><a href="/docs/">Documentation</a><a href="#start">Start</a><a href="#signing">Signing</a><a href="#feed">Feed</a><a href="#errors">Errors</a></nav>
<main>
<section id="start">
<h1>API reference</h1>
<div id="introduction"></div>
<p>The same as data: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1); feed and order entry: <a href="/asyncapi.json">/asyncapi.json</a> (AsyncAPI 3.0). The operator's own calls: <code>/operator/openapi.json</code>, with the operator's token.</p>
<form id="key" autocomplete="off">
<label>Dialect <select id="dialect"></select></label>
<label>API key <input id="api-key" ${value(key?.apiKey)}></label>
<label>API secret <input id="api-secret" ${value(key?.apiSecret)}></label>
<label>Passphrase <input id="api-passphrase" ${value(key?.apiPassphrase)}></label>
<p>${
    key === undefined
      ? 'Requests below are signed in this page with what you enter here; it is sent nowhere and forgotten with the page.'
      : 'This is a sandbox: here is the published key of a demo user. Requests below are signed with it in this page.'
  }</p>
<p id="lent" role="status" data-kind="${key === undefined ? 'venue' : 'sandbox'}"></p>
</form>
</section>
<section id="signing">
<h2>Signing</h2>
<ol>
<li>Text: <code>timestamp + METHOD + path?query + body</code>, all exactly as sent. The timestamp is in milliseconds, at most ${skewMsMax} ms from the server's clock; without a body the body is empty; the mount of a dialect is never part of the path.</li>
<li>Signature: <code>base64(HMAC-SHA256(secret, text))</code>.</li>
<li>Passphrase: <code>base64(HMAC-SHA256(secret, passphrase))</code>.</li>
<li>Send both with key, timestamp and version (2 or 3) in the five headers. A signed POST or DELETE acts at most once.</li>
</ol>
<h3>Shell</h3>
<pre id="shell">${escapeHtml(SHELL_EXAMPLE)}</pre>
<h3>JavaScript (Node 20 or newer)</h3>
<pre id="node">${escapeHtml(NODE_EXAMPLE)}</pre>
</section>
<div id="operations"></div>
<section id="feed">
<h2>Feed</h2>
<div id="feed-introduction"></div>
<p>A token comes from <a href="#get-public-feed-token">bullet-public</a>, or <a href="#get-private-feed-token">bullet-private</a> for private topics.</p>
<div id="topics"></div>
</section>
<section id="errors"><h2>Errors</h2><table id="error-table"></table></section>
</main>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}

/**
 * Reads BASE, KEY, SECRET and PASS from the environment; the test of the documentation runs it as it stands. `openssl
 * dgst -hmac` would take the secret as an argument, which everybody on the machine can read with ps, so HMAC is put
 * together from two hashes. Not every `date` knows milliseconds.
 */
export const SHELL_EXAMPLE = `sha256() { openssl dgst -sha256 -binary; }
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
}
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

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
