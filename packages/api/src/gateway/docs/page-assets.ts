/** Style and script of the reference page. */

/** Colours by name, dark and light. */
export const COLOURS: ReadonlyMap<string, readonly [dark: string, light: string]> = new Map([
  ['page', ['#0a0c10', '#eef0f4']],
  ['panel', ['#10131a', '#ffffff']],
  ['raised', ['#171b24', '#f5f6f9']],
  ['hover', ['#1d222d', '#ebeef3']],
  ['line', ['#222835', '#dfe3ea']],
  ['line-strong', ['#3a4356', '#b9c1ce']],
  ['text', ['#e8ebf2', '#10141c']],
  ['muted', ['#a2acbd', '#455063']],
  ['accent', ['#b49cff', '#5b3fd6']],
  ['accent-fill', ['#6d4fe0', '#5b3fd6']],
  ['blue', ['#5aa5ff', '#0a5bc4']],
  ['orange', ['#ff9b52', '#a34400']],
  ['danger', ['#ff8a8a', '#b42318']],
]);

const colours = (at: 0 | 1): string =>
  Array.from(COLOURS, ([name, pair]) => `--${name}: ${pair[at]};`).join(' ');

export const DOCS_STYLE = `
:root { color-scheme: dark; ${colours(0)} }
:root[data-theme='light'] { color-scheme: light; ${colours(1)} }
@media (prefers-color-scheme: light) { :root:not([data-theme]) { color-scheme: light; ${colours(1)} } }
* { box-sizing: border-box; }
html { background: var(--page); color: var(--text); scroll-padding-top: 4.5rem; scrollbar-color: var(--line-strong) transparent;
  font: 15px/1.6 'Inter Variable', ui-sans-serif, system-ui, 'Segoe UI', 'Helvetica Neue', sans-serif;
  -webkit-font-smoothing: antialiased; }
body { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
header { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 1.25rem; height: 3.25rem;
  padding: 0 1.25rem; background: var(--panel); border-bottom: 1px solid var(--line); }
header a { color: var(--muted); text-decoration: none; font-size: .875rem; }
header a:hover { color: var(--text); }
header .brand { color: var(--text); font-size: 1rem; font-weight: 600; }
header .menu { display: none; }
.skip { position: absolute; top: -4rem; left: 1rem; z-index: 3; padding: .5rem 1rem; background: var(--accent-fill); color: #ffffff; }
.skip:focus { top: .5rem; }
.columns { display: grid; grid-template-columns: 18rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav.contents { position: sticky; top: 3.25rem; height: calc(100vh - 3.25rem); overflow: auto; padding: 1rem;
  border-right: 1px solid var(--line); font-size: .8125rem; }
nav.contents details { margin-bottom: .35rem; }
nav.contents summary { cursor: pointer; font-weight: 600; padding: .15rem .4rem; }
nav.contents ul { list-style: none; margin: 0; padding: 0; }
nav.contents a { display: block; padding: .2rem .4rem; border-radius: 5px; color: var(--muted); text-decoration: none; }
nav.contents a:hover { background: var(--hover); color: var(--text); }
main { padding: 1.5rem 2rem 6rem; }
main:focus { outline: none; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0 0 .6rem; }
h1 { font-size: 1.75rem; } h2 { font-size: 1.35rem; margin-top: 2.5rem; } h4 { font-size: .875rem; margin-top: 1rem; }
.call { margin: 1rem 0; padding: 1.1rem 1.25rem 1.25rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
pre, code, input, textarea, select { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Consolas, monospace; }
pre { margin: 0; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow: auto;
  max-height: 26rem; }
p code, td code, li code, .route code { background: var(--raised); padding: .1rem .3rem; border-radius: 4px;
  overflow-wrap: anywhere; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .8125rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 600; }
details.code > summary, details.fold > summary { cursor: pointer; color: var(--muted); font-size: .8125rem; padding: .3rem 0; }
details.code[open] > summary, details.fold[open] > summary { color: var(--text); }
.block { position: relative; }
.block button { position: absolute; top: .4rem; right: .4rem; padding: .1rem .6rem; font-size: .75rem;
  background: var(--panel); color: var(--muted); border: 1px solid var(--line-strong); }
form { display: grid; gap: .5rem; }
#key { max-width: 34rem; margin: 1rem 0; padding: 1rem 1.25rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
form[hidden], #key[hidden] { display: none; }
form label { display: grid; grid-template-columns: 7rem 1fr; gap: .6rem; align-items: center; font-size: .875rem; }
form p { margin: .2rem 0 0; color: var(--muted); font-size: .8125rem; }
input, textarea, select { width: 100%; padding: .35rem .6rem; color: var(--text); background: var(--page);
  border: 1px solid var(--line-strong); border-radius: 6px; }
button { justify-self: start; padding: .35rem 1rem; font: inherit; font-size: .875rem; cursor: pointer; color: #ffffff;
  background: var(--accent-fill); border: 0; border-radius: 6px; }
.method { display: inline-block; font-weight: 700; margin-right: .5rem; }
.get { color: var(--blue); } .post { color: var(--orange); } .delete { color: var(--danger); }
.facts { color: var(--muted); font-size: .8125rem; }
@media (max-width: 800px) {
  .columns { display: flex; flex-direction: column; } main { padding: 1rem; }
  header { gap: .9rem; padding: 0 1rem; } header .extra { display: none; } header .menu { display: block; }
  nav.contents { order: 1; position: static; height: auto; border: 0; border-top: 1px solid var(--line); }
  .block { display: flex; flex-direction: column; gap: .3rem; }
  .block button { position: static; order: -1; align-self: flex-end; }
  th, td { padding-right: .5rem; } td:first-child code { overflow-wrap: normal; }
  form label { grid-template-columns: 1fr; gap: .2rem; } .call { padding: .9rem; }
}
`;

// The reference page's script: signs and sends requests, copies code, searches calls, and follows the terminal's
// theme. The page is completely readable without it.

export const DOCS_SCRIPT = `'use strict';
const $ = (id) => document.getElementById(id);

async function hmac(secret, text) {
  const bytes = (from) => new TextEncoder().encode(from);
  const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', key, bytes(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

async function send(dialect, method, path, body, isPublic) {
  const headers = body ? { 'Content-Type': 'application/json' } : {};
  if (!isPublic) {
    const time = String(Date.now());
    const prefix = dialect.dataset.prefix + '-API-';
    const secret = $('api-secret').value;
    headers[prefix + 'KEY'] = $('api-key').value;
    headers[prefix + 'SIGN'] = await hmac(secret, time + method + path + body);
    headers[prefix + 'TIMESTAMP'] = time;
    headers[prefix + 'PASSPHRASE'] = await hmac(secret, $('api-passphrase').value);
    headers[prefix + 'KEY-VERSION'] = '3';
  }
  const response = await fetch(dialect.value + path, { method, headers, ...(body && { body }) });
  const text = await response.text();
  const left = response.headers.get('gw-ratelimit-remaining') + ' of ' + response.headers.get('gw-ratelimit-limit');
  return 'HTTP ' + response.status + ', weight left ' + left + '\\n' + pretty(text);
}

function pretty(text) {
  // Not reformatted if it contains integers beyond 2^53, which JSON.parse would round.
  return /\\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
}

// A terminal open in the same browser may lend its key: only pages of the same origin can communicate here. A
// sandbox's key is used at once, a venue's after the user agrees.
function borrowKey() {
  const channel = new BroadcastChannel('bourse.key');
  const lent = $('lent');
  const isSandbox = lent.dataset.kind === 'sandbox';
  channel.onmessage = ({ data }) => {
    if (data.kind === 'offer' && isSandbox) channel.postMessage({ kind: 'give' });
    else if (data.kind === 'offer') {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Use the key of the terminal (' + data.name + ')';
      button.onclick = () => channel.postMessage({ kind: 'give' });
      lent.replaceChildren(button);
    } else if (data.kind === 'key') {
      $('api-key').value = data.apiKey;
      $('api-secret').value = data.apiSecret;
      $('api-passphrase').value = data.apiPassphrase;
      lent.replaceChildren('Signed as ' + data.name + ', as in the terminal.');
    }
  };
  channel.postMessage({ kind: 'who' });
}

function enableSending() {
  $('key').hidden = false;
  for (const form of document.querySelectorAll('form.try')) {
    form.hidden = false;
    const { method, kind } = form.dataset;
    form.onsubmit = async (event) => {
      event.preventDefault();
      const output = form.querySelector('pre');
      output.hidden = false;
      output.textContent = '...';
      const dialect = $('dialect').selectedOptions[0];
      const body = form.querySelector('textarea')?.value ?? '';
      output.textContent = await send(dialect, method, form.querySelector('input').value, body, kind === 'public')
        .catch((error) => String(error));
    };
  }
}

// Uses the theme of the terminal in the same browser.
function applyTheme() {
  const prefersLight = matchMedia('(prefers-color-scheme: light)');
  const apply = () => {
    const { theme } = JSON.parse(localStorage.getItem('bourse.preferences') ?? '{}');
    const isLight = theme === 'light' || (theme !== 'dark' && prefersLight.matches);
    document.documentElement.dataset.theme = isLight ? 'light' : 'dark';
  };
  apply();
  prefersLight.addEventListener('change', apply);
}

// Inserts this exchange's address into the code, and copies it with its set-up, so that it runs unchanged.
function prepareCode() {
  const setups = new Map();
  for (const pre of document.querySelectorAll('.code pre')) {
    pre.textContent = pre.textContent.replaceAll('http:\\/\\/127.0.0.1:8080', location.origin);
    const { language } = pre.dataset;
    if (pre.closest('#setup') !== null) setups.set(language, pre.textContent);
    const button = document.createElement('button');
    button.textContent = 'Copy';
    button.onclick = async () => {
      const isSetup = setups.get(language) === pre.textContent || !setups.has(language) || pre.dataset.alone;
      const text = isSetup ? pre.textContent : setups.get(language) + '\\n\\n' + pre.textContent;
      button.textContent = await navigator.clipboard.writeText(text + '\\n').then(() => 'Copied', () => 'Not allowed');
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    };
    pre.parentElement.append(button);
  }
  // Opening a language opens it in all examples.
  for (const summary of document.querySelectorAll('.code > summary')) {
    summary.addEventListener('click', () => {
      for (const details of document.querySelectorAll('details.code')) {
        if (details === summary.parentElement || details.classList.contains('bearer')) continue;
        details.open = details.querySelector('summary').textContent === summary.textContent && !summary.parentElement.open;
      }
    });
  }
}

function enableFinding() {
  const input = $('find');
  input.disabled = false;
  input.oninput = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const group of document.querySelectorAll('.contents details')) {
      let found = 0;
      for (const item of group.querySelectorAll('li')) {
        const link = item.querySelector('a');
        const text = (link.textContent + ' ' + link.dataset.path + ' ' + link.hash).toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        if (!item.hidden) found += 1;
      }
      group.hidden = found === 0;
      group.open = words.length > 0 || group.dataset.open !== undefined;
    }
  };
}

applyTheme();
prepareCode();
enableSending();
enableFinding();
borrowKey();
`;
