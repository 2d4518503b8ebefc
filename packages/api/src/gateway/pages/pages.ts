/**
 * The built terminal, console and documentation. Their files are read at the first request, so that they do not slow
 * the start, and are kept in memory: a later build does not change open pages.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPageFolder, readPageFiles } from '@bourse/engine';
import { FILE_HEADERS, pageHeaders, sendStored, type StoredResponse, tagOf } from '../http/documents.ts';

export interface PagesOptions {
  /** Where the built files are or will be. */
  readonly folder: string;
  /** The base address of the websockets; '' if it is the page's own. */
  readonly publicUrl: string;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css; charset=utf-8'],
  ['html', 'text/html; charset=utf-8'],
  ['ico', 'image/x-icon'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain; charset=utf-8'],
  ['webp', 'image/webp'],
  ['woff2', 'font/woff2'],
]);
const OTHER_TYPE = 'application/octet-stream';
/** Documents of the terminal and the console. */
const DOCUMENT = 'index.html';
const CONSOLE_DOCUMENT = 'console.html';
/** The build writes compressed files beside the plain ones. */
const CODED = /\.(?:br|gz)$/;
/** Their names contain a hash of their content. */
const HASHED = /^assets\//;
const A_YEAR = 'public, max-age=31536000, immutable';
/** Paths that the page itself routes. */
const OWNED =
  /^\/(?:sign-in|sign-up|verify|reset|email|freeze|(?:account|console|money|report|trade)(?:\/[\w.~%/-]*)?)$/;
/** The documentation: one folder per page. */
const DOCS = /^\/docs(?:\/|$)/;
/** The console: the page and its built file. */
const CONSOLE = /^\/console(?:[/.]|$)/;

export class Pages {
  readonly #folder: string;
  readonly #headers: Readonly<Record<string, string>>;
  #stored: ReadonlyMap<string, StoredResponse> | undefined;

  constructor({ folder, publicUrl }: PagesOptions) {
    this.#folder = folder;
    this.#headers = pageHeaders({
      // Menus and charts of the libraries position themselves with inline styles.
      styles: "'unsafe-inline'",
      connections: publicUrl === '' ? [] : [new URL(publicUrl).origin.replace(/^http/, 'ws')],
    });
  }

  /** At `/` a program that does not accept HTML gets the same error as for an unknown path. */
  serves(path: string, { method, headers }: IncomingMessage, hasConsole: boolean): boolean {
    if ((method !== 'GET' && method !== 'HEAD') || (!hasConsole && CONSOLE.test(path))) return false;
    if (path === '/') return /\btext\/html\b/.test(headers.accept ?? '');
    const files = this.#files();
    if (DOCS.test(path)) return files === undefined || files.has(fileOf(path));
    return OWNED.test(path) || (files?.has(path.slice(1)) ?? false);
  }

  /** Serves the file. Returns the number of bytes written. */
  serve(path: string, request: IncomingMessage, response: ServerResponse): number {
    const files = this.#files();
    if (files === undefined) return this.#sendUnbuilt(request, response);
    const document = path.startsWith('/console') ? CONSOLE_DOCUMENT : DOCUMENT;
    const file = files.get(fileOf(path)) ?? files.get(document)!;
    return sendStored(file, request, response);
  }

  #files(): ReadonlyMap<string, StoredResponse> | undefined {
    if (this.#stored === undefined && isPageFolder(this.#folder)) this.#stored = this.#read();
    return this.#stored;
  }

  #read(): Map<string, StoredResponse> {
    const files = readPageFiles(this.#folder);
    const stored = new Map<string, StoredResponse>();
    for (const [path, plain] of files) {
      if (CODED.test(path)) continue;
      const br = files.get(`${path}.br`);
      const gzip = files.get(`${path}.gz`);
      stored.set(path, {
        type: TYPES.get(path.slice(path.lastIndexOf('.') + 1)) ?? OTHER_TYPE,
        plain,
        coded: { ...(br && { br }), ...(gzip && { gzip }) },
        tag: tagOf(plain),
        headers: this.#headersOf(path),
      });
    }
    return stored;
  }

  #headersOf(path: string): Readonly<Record<string, string>> {
    // Programs get an error from the same address, so a cache must not mix the two.
    if (path === DOCUMENT || path === CONSOLE_DOCUMENT)
      return { ...this.#headers, vary: 'accept, accept-encoding' };
    if (path.endsWith('.html')) return this.#headers;
    return HASHED.test(path) ? { ...FILE_HEADERS, 'cache-control': A_YEAR } : FILE_HEADERS;
  }

  #sendUnbuilt(request: IncomingMessage, response: ServerResponse): number {
    response.writeHead(503, {
      ...this.#headers,
      'content-type': TYPES.get('html'),
      'content-length': UNBUILT_PAGE.length,
      'cache-control': 'no-store',
      'retry-after': '2',
    });
    response.end(request.method === 'HEAD' ? undefined : UNBUILT_PAGE);
    return UNBUILT_PAGE.length;
  }
}

/** The file name for a requested path. */
function fileOf(path: string): string {
  const name = path.slice(1);
  return DOCS.test(path) && !/\.\w+$/.test(name) ? `${name.replace(/\/$/, '')}/${DOCUMENT}` : name;
}

/** The page shown while the pages are being built; it reloads itself. */
const UNBUILT_PAGE = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>Bourse: the pages are being built</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1.5rem; }
code { font: 14px ui-monospace, monospace; }
</style>
</head>
<body>
<main>
<h1>The pages are being built</h1>
<p>The exchange is running. This start builds its pages, once, in a few seconds. This page reloads every two seconds.</p>
<p>If it does not change, run <code>npm run build:web</code> and read its output. The API is documented at <a href="/docs/reference">/docs/reference</a>.</p>
</main>
</body>
</html>
`);
