/** What the documentation does in the browser: lays out /openapi.json, signs and sends requests. */

export const DOCS_SCRIPT = `'use strict';
const $ = (id) => document.getElementById(id);
function el(name, props, ...children) {
  const node = Object.assign(document.createElement(name), props);
  node.append(...children.filter((child) => child !== undefined));
  return node;
}
const code = (text) => el('code', {}, text);
const row = (cells, tag = 'td') => el('tr', {}, ...cells.map((cell) => el(tag, {}, cell)));

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
    const prefix = dialect.prefix + '-API-';
    const secret = $('api-secret').value;
    headers[prefix + 'KEY'] = $('api-key').value;
    headers[prefix + 'SIGN'] = await hmac(secret, time + method + path + body);
    headers[prefix + 'TIMESTAMP'] = time;
    headers[prefix + 'PASSPHRASE'] = await hmac(secret, $('api-passphrase').value);
    headers[prefix + 'KEY-VERSION'] = '3';
  }
  const response = await fetch(dialect.mount + path, { method, headers, ...(body && { body }) });
  const text = await response.text();
  const left = response.headers.get('gw-ratelimit-remaining') + ' of ' + response.headers.get('gw-ratelimit-limit');
  return 'HTTP ' + response.status + ', weight left ' + left + '\\n' + pretty(text);
}

// A terminal that is open in this browser may lend the key it uses: pages of one origin hear each other here, and nobody
// else does. In a sandbox it is taken at once, at a venue when somebody says so.
function borrowKey() {
  const channel = new BroadcastChannel('bourse.key');
  const lent = $('lent');
  const isSandbox = lent.dataset.kind === 'sandbox';
  channel.onmessage = ({ data }) => {
    if (data.kind === 'offer' && isSandbox) channel.postMessage({ kind: 'give' });
    else if (data.kind === 'offer') {
      const button = el('button', { type: 'button' }, 'Use the key of the terminal (' + data.name + ')');
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

function pretty(text) {
  // Only laid out where that loses nothing: integers beyond 2^53 must stay as they are.
  return /\\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
}

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.type === 'array') return 'array of ' + typeOf(schema.items || {});
  return schema.type || 'any';
}

function fields(schema, prefix = '') {
  if (!schema) return [];
  if (schema.type === 'array') return fields(schema.items, prefix + '[]');
  return Object.entries(schema.properties || {}).flatMap(([name, each]) => {
    const path = prefix ? prefix + '.' + name : name;
    const isRequired = (schema.required || []).includes(name);
    return [[code(path), typeOf(each), isRequired ? 'yes' : 'no', each.description || ''], ...fields(each, path)];
  });
}

function table(title, rows) {
  if (rows.length === 0) return undefined;
  return el('div', {}, el('h3', {}, title),
    el('table', {}, row(['Name', 'Type', 'Required', ''], 'th'), ...rows.map((each) => row(each))));
}

// Calls that ask for the operator's token have no example: they are made by the console and the sandbox's drawer.
function tryOut(op, dialects) {
  const isPublic = op.security.length === 0;
  const example = op['x-example'];
  if (example === undefined) return el('p', { className: 'facts' }, 'With the token of the operator.');
  const target = el('input', { value: example.path, ariaLabel: 'Path and query' });
  const body = el('textarea', { value: example.body, rows: 4, hidden: !op.requestBody, ariaLabel: 'Body' });
  const output = el('pre', { hidden: true });
  const form = el('form', {}, target, body, el('p', {}, el('button', {}, 'Send')), output);
  form.onsubmit = async (event) => {
    event.preventDefault();
    output.hidden = false;
    output.textContent = '...';
    const dialect = dialects[$('dialect').selectedIndex];
    output.textContent = await send(dialect, example.method, target.value, body.hidden ? '' : body.value, isPublic)
      .catch((error) => String(error));
  };
  return el('div', {}, el('h3', {}, 'Try it'), form);
}

function operation(path, method, op, dialects) {
  const parameters = (op.parameters || []).map((each) =>
    [code(each.name), typeOf(each.schema) + ' in ' + each.in, each.required ? 'yes' : 'no', each.description || '']);
  const { schema: answer, examples } = op.responses['200'].content['application/json'];
  return el('section', { id: op.operationId },
    el('h2', {}, op.summary),
    el('p', {}, el('code', {}, el('span', { className: 'method ' + method }, method.toUpperCase()), path)),
    el('p', { className: 'facts' }, op.description || ''),
    table('Parameters', parameters),
    op.requestBody && table('Body', fields(op.requestBody.content['application/json'].schema)),
    table('Answer', fields(answer)),
    examples && el('div', {}, el('h3', {}, 'An answer'), el('p', { className: 'facts' }, examples.sandbox.summary),
      el('pre', {}, JSON.stringify(examples.sandbox.value, null, 2))),
    tryOut(op, dialects));
}

async function feed() {
  const doc = await (await fetch('/asyncapi.json')).json();
  $('feed-introduction').append(el('p', {}, doc.info.description));
  for (const { title, summary, description, payload } of Object.values(doc.channels.feed.messages)) {
    if (title === undefined) continue;
    $('topics').append(el('section', {}, el('h3', {}, code(title)), el('p', {}, summary),
      el('p', { className: 'facts' }, description), table('Data', fields(payload.properties.data))));
  }
}

async function main() {
  const doc = await (await fetch('/openapi.json')).json();
  const dialects = doc.servers.map(({ url, description }) => ({
    mount: url === '/' ? '' : url,
    prefix: /headers (\\w+)-API/.exec(description)[1],
    description,
  }));
  $('dialect').append(...dialects.map(({ description }) => el('option', {}, description)));
  $('introduction').append(...doc.info.description.split('\\n\\n').map((text) => el('p', {}, text)));
  for (const { name } of doc.tags) {
    const inTag = Object.entries(doc.paths).flatMap(([path, methods]) =>
      Object.entries(methods).filter(([, op]) => op.tags.includes(name)).map(([method, op]) => [path, method, op]));
    if (inTag.length === 0) continue;
    $('contents').append(el('span', {}, name));
    for (const [path, method, op] of inTag) {
      $('contents').append(el('a', { href: '#' + op.operationId },
        el('span', { className: 'method ' + method }, method.toUpperCase()), op.operationId));
      $('operations').append(operation(path, method, op, dialects));
    }
  }
  await feed();
  const text = (each) => each.text.replaceAll('{PREFIX}', dialects[0].prefix);
  $('error-table').append(row(['Code', 'HTTP', 'Text', 'When'], 'th'),
    ...doc['x-errors'].map((each) => row([code(each.code), String(each.status), text(each), each.when])));
  if (location.hash) document.querySelector(location.hash)?.scrollIntoView();
}
borrowKey();
main();
`;
