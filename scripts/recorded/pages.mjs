// The pages that are made from what a sandbox answered, and the answers that /docs shows.

import { DEFAULT_QUOTAS } from '../../packages/api/src/gateway/access/throttle.ts';
import { ACCESS_NAMES } from '../../packages/api/src/gateway/docs/openapi.ts';
import { allRoutes } from '../../packages/api/src/gateway/routes/all.ts';
import { ENDPOINTS, recordEndpoints } from './endpoints.mjs';
import { PREPARATION, recordControl } from './control.mjs';
import { recordFaults } from './faults.mjs';
import { peoplePage } from './people.mjs';
import { recordMistakes } from './mistakes.mjs';
import { withSandbox } from './sandbox.mjs';
import { layOut } from './stable.mjs';

const NOTE = '<!-- Made by `npm run docs` from the answers of a sandbox; do not edit. -->';

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const block = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;
const braced = (path) => path.replaceAll(/:(\w+)/g, '{$1}');
const costOf = ({ pool, weight }) =>
  pool === 'questionnaire' ? `${DEFAULT_QUOTAS.questionnairesPerSecondMax} a second` : `${weight} of ${pool}`;

/** Path from the root, and text, of each file. */
export async function recordedPages() {
  const routes = allRoutes({});
  const recorded = await recordEndpoints(routes);
  const mistakes = await withSandbox((sandbox) => recordMistakes(sandbox));
  return [
    ['docs/api/endpoints.md', endpointsPage(routes, recorded)],
    ['docs/api/mistakes.md', mistakesPage(mistakes)],
    ['packages/api/src/gateway/docs/answers.json', answersFile(recorded)],
    ['docs/operating/sandbox-calls.md', controlPage(await recordControl())],
    ['docs/operating/faults.md', faultsPage(await recordFaults())],
    ['docs/operating/people-day.md', await peoplePage(NOTE, table)],
  ];
}

function endpointsPage(routes, recorded) {
  const rowOf = (id) => routes.find((route) => route.id === id);
  const rows = ENDPOINTS.map(({ id, name, test }) => {
    const route = rowOf(id);
    const file = `[${test.path.slice(test.path.lastIndexOf('/') + 1)}](../../${test.path})`;
    return [
      `[${name}](#${id})`,
      `\`${route.method} ${braced(route.path)}\``,
      ACCESS_NAMES[route.access],
      costOf(route),
      `${file}: ${test.title}`,
    ];
  });
  const sections = ENDPOINTS.map(({ id, name }) => {
    const { answer, commands } = recorded[id];
    const parts = [
      `<a id="${id}"></a>\n\n### ${name}`,
      block('sh', commands.join('\n')),
      block('json', layOut(answer.shown)),
    ];
    return [...parts, ...cutNotes(answer)].join('\n\n');
  });
  const others = routes
    .filter(({ id }) => !ENDPOINTS.some((each) => each.id === id))
    .map((route) => [
      `\`${route.method} ${braced(route.path)}\``,
      ACCESS_NAMES[route.access],
      costOf(route),
      route.summary.replaceAll('|', '\\|'),
    ]);
  return `${NOTE}

# Endpoints

Every endpoint of the interface, the test that holds it to its document, and commands for a fresh sandbox with what the last of them printed. Each stands on its own: what has to be there first is done by the commands before, and the answers are those of a sandbox to which nothing else has happened (\`rm -r data\` and \`npm start -- --market quiet\` give one). [examples/signed-curl.sh](../../examples/signed-curl.sh) signs as alice, with \`AS=bob\` as bob. Times, and the ids that begin with one, are replaced by a fixed one; everything else is as it came. [Mistakes](mistakes.md) shows what goes wrong, [Errors](errors.md) has every code, and \`/docs/reference\` of a running service has all fields and sends requests.

## The interface

${table(['Endpoint', 'Request', 'Permission', 'Weight', 'Held by'], rows)}

## Requests and answers

${sections.join('\n\n')}

## Beyond the document

What clients of the family need besides; \`/docs/reference\` describes them. In both dialects they answer \`{"code","data"}\`.

${table(['Request', 'Permission', 'Weight', ''], others)}
`;
}

function cutNotes({ cuts }) {
  return cuts.map(
    ({ name, entries }) => `${name ? `\`${name}\`` : 'The list'} has ${entries} entries; 2 are shown.`,
  );
}

function mistakesPage(mistakes) {
  const sections = mistakes.map(({ title, method, path, body, how, sent, status, answer }) => {
    const request = [`${method} ${path}`, ...sent, ...(body ? ['', body] : [])].join('\n');
    const parts = [`## ${title}`, ...how, block('http', request), `HTTP ${status}`];
    return [...parts, block('json', layOut(answer))].join('\n\n');
  });
  return `${NOTE}

# Mistakes

What a sandbox answers when something is wrong. An answer says what was sent, what would be right, and where it can the nearest right value. Every request is signed by alice, unless it says otherwise; of the headers only the wrong ones are shown. In the family dialect \`msg\` ends after the first sentence, and the rest is in \`detail\`. All codes: [Errors](errors.md).

${sections.join('\n\n')}
`;
}

function controlPage(parts) {
  const sections = parts.map(({ title, text, cli, answers }) =>
    [
      `## ${title}`,
      text,
      `\`bourse sandbox ${cli}\``,
      ...answers.flatMap(({ command, answer }) => [block('sh', command), block('json', laidOut(answer))]),
    ].join('\n\n'),
  );
  return `${NOTE}

# The sandbox's calls

Every part of the [control interface](sandbox-control.md) with commands and what they answered, one after the other, of a sandbox that was started with \`npm start -- --market quiet --clock manual --recordings examples/recorded\`. Below each heading stands a command line that does the same or the like; \`bourse sandbox --help\` lists them all. The commands use this:

${block('sh', PREPARATION)}

${sections.join('\n\n')}
`;
}

/** An answer may be no JSON: a piece of one, or with figures taken out. */
function laidOut(text) {
  const open = text.replaceAll(/:\.\.\.(?=[,}])/g, ':"..."');
  try {
    return layOut(JSON.parse(open)).replaceAll('"..."', '...');
  } catch {
    return text;
  }
}

function faultsPage(rows) {
  const file = ({ path, title }) => `[${path.slice(path.lastIndexOf('/') + 1)}](../../${path}): ${title}`;
  const edge = rows
    .filter(({ effect }) => effect)
    .map(({ effect, saw, did, test }) => [`\`${JSON.stringify(effect)}\``, saw, did, file(test)]);
  const market = rows
    .filter(({ command }) => command)
    .map(({ name, command, saw, test }) => [name, `\`${command}\``, saw, file(test)]);
  return `${NOTE}

# Faults, and what a bot sees of them

Each effect met by an unmodified ccxt: what it threw or was told, and what the exchange had done. Faults live at the edge, so that the log knows nothing of them; after each of the tests the ledger sums to zero, and a book that begins anew is that of the exchange. How to set them: [the control interface](sandbox-control.md#faults).

${table(['Effect', 'What ccxt saw', 'What the exchange did', 'Held by'], edge)}

A book that ccxt keeps is silently wrong after a lost, late or overtaken message: it does not look for gaps. [Our client](../client.md) does, and begins anew by itself. When a token is refused ccxt throws, but sends its subscription to the connection that is being closed all the same: Node reports an unhandled rejection (\`WebSocket is not open\`), which ends a bot that does not listen for \`unhandledRejection\`. ccxt pings as often as the exchange tells it (\`feedPingIntervalMs\`, 18 seconds; here 1) and gives the connection up when two pongs in a row did not come.

## What happens in the market itself

These are no rules at the edge but commands in the log, like anybody's.

${table(['What', 'Command', 'What ccxt saw', 'Held by'], market)}
`;
}

/** The answers as text: laid out by the page that shows them, and one line each for whoever compares versions. */
function answersFile(recorded) {
  const entries = Object.entries(recorded).map(([id, { answer }]) => [
    id,
    { answer: JSON.stringify(answer.shown), note: cutNotes(answer).join(' ').replaceAll('`', '') },
  ]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
