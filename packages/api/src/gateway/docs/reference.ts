/** Renders calls and topics as HTML, from the OpenAPI and AsyncAPI documents. */

import type { JsonSchema } from '../schema.ts';
import type { Example } from './examples.ts';
import { bearerSample, samplesOf } from './samples.ts';
import { rankOf } from './tasks.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
  readonly responses: {
    readonly 200: {
      readonly content: {
        readonly 'application/json': {
          readonly schema: JsonSchema;
          readonly examples?: { readonly sandbox: { readonly summary: string; readonly value: unknown } };
        };
      };
    };
  };
  readonly security: readonly object[];
  readonly 'x-example'?: Example;
}

export interface ReferenceDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Operations by path and method. */
  readonly paths: object;
  readonly 'x-errors': readonly {
    readonly code: string;
    readonly status: number;
    readonly text: string;
    readonly when: string;
  }[];
}

export interface FeedDocument {
  readonly info: { readonly description: string };
  readonly channels: {
    readonly feed: {
      /** Messages of topics, and others, by name. */
      readonly messages: object;
    };
  };
}

interface Message {
  readonly title?: string;
  readonly summary: string;
  readonly description?: string;
  readonly payload: { readonly properties: { readonly data?: JsonSchema } };
}

const entriesOf = <Value>(values: object): [name: string, value: Value][] => Object.entries(values);

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

/** The list of calls by task, and a section for each task. */
export function renderTasks(
  document: ReferenceDocument,
  hasCcxt: boolean,
): { contents: string; sections: string } {
  const calls = entriesOf<object>(document.paths)
    .flatMap(([path, methods]) =>
      entriesOf<Operation>(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    )
    .toSorted((one, other) => rankOf(one.operation.operationId) - rankOf(other.operation.operationId));
  const tasks = document.tags
    .map(({ name, description }) => ({
      name,
      description,
      calls: calls.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter((task) => task.calls.length > 0);
  return {
    contents: tasks.map((task, at) => contentsOf(task.name, task.calls, at === 0)).join('\n'),
    sections: tasks
      .map(
        (task) =>
          `<section>\n<h2 id="${anchorOf(task.name)}">${escapeHtml(task.name)}</h2>\n<p>${escapeHtml(task.description)}</p>\n` +
          `${task.calls.map((call) => renderCall(call, hasCcxt)).join('\n')}\n</section>`,
      )
      .join('\n'),
  };
}

interface DocumentedCall {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

const anchorOf = (name: string): string => `task-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;

function contentsOf(name: string, calls: readonly DocumentedCall[], isOpen: boolean): string {
  const links = calls.map(
    ({ path, method, operation: { operationId, summary } }) =>
      `<li><a href="#${operationId}" data-path="${method} ${escapeHtml(path)}">${escapeHtml(summary)}</a></li>`,
  );
  return `<details${isOpen ? ' open data-open' : ''}><summary>${escapeHtml(name)}</summary><ul>${links.join('')}</ul></details>`;
}

function renderCall({ path, method, operation }: DocumentedCall, hasCcxt: boolean): string {
  const { operationId: id, summary, description = '', parameters = [], requestBody, responses } = operation;
  const [about = '', ...facts] = description.split('\n\n');
  const { schema, examples } = responses[200].content['application/json'];
  const parts = [
    `<h3>${escapeHtml(summary)}</h3>`,
    `<p class="route"><code>${methodMark(method)}${escapeHtml(path)}</code></p>`,
    `<p>${escapeHtml(about)}</p>`,
    ...facts.map((text) => `<p class="facts">${escapeHtml(text)}</p>`),
    table(
      'Parameters',
      summary,
      parameters.map((each) => [
        code(each.name),
        `${escapeHtml(typeOf(each.schema))} in ${each.in}`,
        each.required ? 'yes' : 'no',
        escapeHtml(each.description ?? ''),
      ]),
    ),
    requestBody === undefined
      ? ''
      : table('Body', summary, fieldsOf(requestBody.content['application/json'].schema)),
    renderCode(path, method, operation, hasCcxt),
    renderAnswer(summary, schema, examples?.sandbox),
    renderTry(operation, method, id),
  ];
  return `<article class="call" id="${id}">\n${parts.filter(Boolean).join('\n')}\n</article>`;
}

const methodMark = (method: string): string =>
  `<span class="method ${method.toLowerCase()}">${method}</span>`;

function renderCode(path: string, method: string, operation: Operation, hasCcxt: boolean): string {
  const { operationId: id, security, requestBody, 'x-example': example } = operation;
  if (example === undefined) {
    const { required = [] } = requestBody?.content['application/json'].schema ?? {};
    const body = requestBody && Object.fromEntries(required.map((name) => [name, name.toUpperCase()]));
    return codeBlock(`code-${id}`, 'curl', bearerSample(method, path, body), true, 'bearer');
  }
  const samples = samplesOf({ id, path, isPublic: security.length === 0, example }, hasCcxt);
  return Object.entries(samples)
    .map(([language, text], at) => codeBlock(`code-${id}`, language, text, at === 0))
    .join('\n');
}

/** Only one block of a group is open at a time. */
export function codeBlock(
  group: string,
  language: string,
  text: string,
  isOpen: boolean,
  kind: '' | 'bearer' = '',
): string {
  const alone = kind === 'bearer' || text.startsWith('curl ') ? ' data-alone="true"' : '';
  return (
    `<details class="code${kind && ` ${kind}`}" name="${group}"${isOpen ? ' open' : ''}><summary>${escapeHtml(language)}</summary>` +
    `<div class="block"><pre tabindex="0" data-language="${escapeHtml(language)}"${alone}>${escapeHtml(text)}</pre></div></details>`
  );
}

function renderAnswer(
  of: string,
  schema: JsonSchema,
  recorded: { readonly summary: string; readonly value: unknown } | undefined,
): string {
  const example =
    recorded === undefined
      ? ''
      : `<p class="facts">${escapeHtml(recorded.summary)}</p><pre tabindex="0">${escapeHtml(JSON.stringify(recorded.value, null, 2))}</pre>`;
  const fields = table('Fields', of, fieldsOf(schema));
  if (example === '' && fields === '') return '';
  return `<details class="fold"><summary>Response</summary>${example}${fields}</details>`;
}

/** Operator calls cannot be tried here: the console and the sandbox's drawer make them. */
function renderTry(
  { requestBody, security, 'x-example': example }: Operation,
  method: string,
  id: string,
): string {
  if (example === undefined) return '<p class="facts">Requires the operator token.</p>';
  const kind = security.length === 0 ? 'public' : 'signed';
  const body =
    requestBody === undefined
      ? ''
      : `<textarea rows="3" aria-label="Body" spellcheck="false">${escapeHtml(example.body)}</textarea>`;
  return (
    `<form class="try" data-method="${method}" data-kind="${kind}" hidden><h4>Try it</h4>` +
    `<input value="${escapeHtml(example.path)}" aria-label="Path and query" spellcheck="false">${body}` +
    `<button>Send</button><pre tabindex="0" aria-label="Response to ${id}" role="region" hidden></pre></form>`
  );
}

export function renderFeed({ info, channels }: FeedDocument): string {
  const topics = entriesOf<Message>(channels.feed.messages).filter(([, { title }]) => title !== undefined);
  const sections = topics.map(([, { title = '', summary, description = '', payload }]) => {
    const { data } = payload.properties;
    return (
      `<article class="call"><h3>${code(title)}</h3><p>${escapeHtml(summary)}</p>` +
      `<p class="facts">${escapeHtml(description)}</p>${data === undefined ? '' : table('Data', title, fieldsOf(data))}</article>`
    );
  });
  return (
    `<p>${escapeHtml(info.description)}</p>\n` +
    '<p>A token comes from <a href="#get-public-feed-token">Connect to the feed</a>, or for private topics from ' +
    '<a href="#get-private-feed-token">Connect to the feed with private topics</a>. ' +
    `Machine-readable, with order entry: <a href="/asyncapi.json">/asyncapi.json</a>.</p>\n${sections.join('\n')}`
  );
}

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

/** `of` makes the region's label unique on the page. */
function table(title: string, of: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = ['Name', 'Type', 'Required', 'Meaning'].map((cell) => `<th>${cell}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<h4>${title}</h4><div class="table" tabindex="0" role="region" aria-label="${title}: ${escapeHtml(of)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
  return String(schema.type ?? 'any');
}

function fieldsOf(schema: JsonSchema, prefix = ''): string[][] {
  if (schema.type === 'array') return schema.items === undefined ? [] : fieldsOf(schema.items, `${prefix}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    const row = [
      code(path),
      escapeHtml(typeOf(each)),
      isRequired ? 'yes' : 'no',
      escapeHtml(each.description ?? ''),
    ];
    return [row, ...fieldsOf(each, path)];
  });
}
