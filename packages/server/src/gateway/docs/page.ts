/**
 * The readable documentation at /docs: one page without anything from elsewhere, so that it works offline. It reads
 * /openapi.json, and can sign and send requests from the browser.
 */

import type { Documents } from '../http/documents.ts';
import { DOCS_SCRIPT } from './page-script.ts';
import { DOCS_STYLE } from './page-style.ts';
import { type OpenApiOptions, openApi } from './openapi.ts';

/** What the page fills in for trying out; only ever the published keys of a sandbox. */
export interface DocsKey {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src data:";

export function addDocs(documents: Documents, options: OpenApiOptions, key: DocsKey | undefined): void {
  documents.add('/openapi.json', { type: 'application/json', make: () => JSON.stringify(openApi(options)) });
  documents.add('/docs', {
    type: 'text/html; charset=utf-8',
    make: () => docsPage(options, key),
    headers: { 'content-security-policy': POLICY },
  });
  documents.add('/docs/script.js', { type: 'text/javascript; charset=utf-8', make: () => DOCS_SCRIPT });
}

function docsPage({ skewMsMax }: OpenApiOptions, key: DocsKey | undefined): string {
  const value = (text: string | undefined) => `value="${escapeHtml(text ?? '')}"`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bourse: the interface</title>
<link rel="icon" href="data:,">
<style>${DOCS_STYLE}</style>
</head>
<body>
<nav id="contents"><strong>Bourse</strong><a href="#start">Start</a><a href="#signing">Signing</a><a href="#errors">Errors</a></nav>
<main>
<section id="start">
<h1>Bourse: the interface</h1>
<div id="introduction"></div>
<p>The same as data: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
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
<section id="errors"><h2>Errors</h2><table id="error-table"></table></section>
</main>
<script src="/docs/script.js"></script>
</body>
</html>
`;
}

/** Reads BASE, KEY, SECRET and PASS from the environment; the test of the documentation runs it as it stands. */
export const SHELL_EXAMPLE = `call() { # call METHOD PATH [BODY]
  hmac() { printf %s "$1" | openssl dgst -sha256 -hmac "$SECRET" -binary | openssl base64 -A; }
  time=$(date +%s)000
  curl -sS -X "$1" "$BASE$2" \\
    -H "SVC-API-KEY: $KEY" -H "SVC-API-SIGN: $(hmac "$time$1$2$3")" \\
    -H "SVC-API-TIMESTAMP: $time" -H "SVC-API-PASSPHRASE: $(hmac "$PASS")" \\
    -H "SVC-API-KEY-VERSION: 3" -H "Content-Type: application/json" \${3:+-d "$3"}
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
