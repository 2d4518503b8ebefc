/**
 * The reference page's script: signs and sends requests, copies code, searches calls, and follows the terminal's theme.
 * The page is completely readable without it.
 */

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
