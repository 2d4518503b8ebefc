// npm run docs: writes the pages of the documentation that are generated from tables, and those recorded from a sandbox.
// test/docs.test.ts fails if they are stale.

import './require-node.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROLES } from '../packages/core/src/index.ts';
import { ERRORS } from '../packages/api/src/gateway/errors/errors.ts';
import { FEED_LIMITS } from '../packages/api/src/feed/limits.ts';
import { HTTP_LIMITS } from '../packages/api/src/gateway/http/limits.ts';
import { OPERATOR_ROUTES } from '../packages/api/src/gateway/operator/plugin.ts';
import { allRoutes } from '../packages/api/src/gateway/routes/all.ts';
import { DEFAULT_QUOTAS } from '../packages/api/src/gateway/access/throttle.ts';
import { IDENTITY_ROUTES } from '../packages/api/src/identity/plugin.ts';
import { ORDER_ENTRY_LIMITS } from '../packages/api/src/order-entry/limits.ts';
import { PEOPLE_RULES, PEOPLE_TESTS } from './people-calls.mjs';
import { VENUE_RULES, VENUE_TESTS } from './venue-calls.mjs';
import { recordedPages } from './recorded/pages.mjs';
import { root } from './tree.mjs';

const NOTE = '<!-- Made by `npm run docs` from the tables in packages/api/src/gateway; do not edit. -->';

const number = (value) => value.toLocaleString('en');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function errorsPage() {
  const rows = Object.entries(ERRORS).map(([name, { code, text, status, retry, when, business }]) => [
    `\`${code}\``,
    `${status}${business ? ', 200' : ''}`,
    `\`${text.replaceAll('{PREFIX}', 'SVC')}\``,
    retry ? 'yes' : '',
    when,
    name,
  ]);
  return `${NOTE}

# Errors

An error response has a \`code\` and a \`msg\`. In the literal dialect \`msg\` is the text below, followed by what was wrong and what would be valid; endpoints with envelope B return \`{"success":false,"code","msg","retry","data":null}\`, all others \`{"code","msg"}\`. In the family dialect \`msg\` is the text alone, \`detail\` has the explanation, and header names begin with \`KC\` instead of \`SVC\`. [Common mistakes](mistakes.md) shows complete responses.

If *HTTP* has two numbers, they are the status in the literal and in the family dialect. *Retry* marks errors of requests that may succeed later without a change. If a request breaks several rules, the response reports the first in this order: route, method, content type, body size; headers, key, version, timestamp, address, passphrase, signature, permission; rate limit; parameters; the symbol's rules; limits; funds.

${table(['Code', 'HTTP', 'Text', 'Retry', 'When', 'Name in the source'], rows)}
`;
}

function limitsPage() {
  const limitTable = (limits) =>
    table(
      ['Limit', 'Value', 'Why'],
      Object.entries(limits).map(([name, { value, unit, reason }]) => [
        `\`${name}\``,
        `${number(value)} ${unit}`,
        reason,
      ]),
    );
  const {
    windowMs,
    spot,
    manage,
    public: open,
    service,
    operator,
    questionnairesPerSecondMax,
    tiers,
  } = DEFAULT_QUOTAS;
  const pools = [
    ['spot', number(spot), 'user'],
    ['manage', number(manage), 'user'],
    ['public', number(open), 'user if the request is signed, otherwise client address (IPv6: its /64)'],
    ['questionnaire', `${questionnairesPerSecondMax} a second`, 'user'],
    [
      'service',
      number(service),
      'client address: documentation, metrics, unknown paths; a second pool of the same size for files of the pages. Health checks are free',
    ],
    ['operator', number(operator), 'operator token: the operator API and, in a sandbox, the control API'],
  ];
  const tierRows = Object.entries(tiers).map(([tier, each]) => [
    tier,
    number(each.spot ?? spot),
    number(each.manage ?? manage),
  ]);
  const weights = allRoutes({}).map(({ method, path, pool, weight }) => [
    `\`${method} ${path}\``,
    pool,
    weight,
  ]);
  return `${NOTE}

# Limits

## Weights

Every request takes its weight from a pool. The first request starts a window of ${windowMs / 1000} seconds; after it, the pool is full again. A request that needs more than remains is rejected with 429000 and costs nothing. The headers \`gw-ratelimit-limit\`, \`gw-ratelimit-remaining\` and \`gw-ratelimit-reset\` (milliseconds) of every response show the state of the pool. A request that is rejected before its user is known shows the public pool of its address, and costs nothing.

${table(['Pool', 'Weight', 'Per'], pools)}

An operator can give a user a tier with larger pools:

${table(['Tier', 'spot', 'manage'], tierRows)}

${table(['Request', 'Pool', 'Weight'], weights)}

## HTTP

Constants in \`packages/api/src/gateway/http/limits.ts\`. Orders, users and memory have [bounds of their own](../internals/bounds.md).

${limitTable(HTTP_LIMITS)}

## Feed

\`feedPingIntervalMs\` is a [setting](../operating/configuration.md); the others are constants in \`packages/api/src/feed/limits.ts\`.

${limitTable(FEED_LIMITS)}

## Order entry

Constants in \`packages/api/src/order-entry/limits.ts\`. A message also costs the weight of its request, from the user's pool. A session may send 200 pings and pongs of the protocol in 10 seconds, ids of up to 128 characters, and messages of up to 64 frames. Connections count toward \`connectionsMax\` and \`connectionsPerAddressMax\`.

${limitTable(ORDER_ENTRY_LIMITS)}
`;
}

function rolesPage() {
  const rows = OPERATOR_ROUTES.map(({ id, method, path, roles }) => [
    `\`${id}\``,
    `\`${method} ${path}\``,
    ...ROLES.map((role) => (roles.includes(role) ? 'yes' : '')),
  ]);
  return `${NOTE}

# Roles

The [roles](operators.md) that may make each call of the [operator API](operator.md). Root may make all of them until it is closed.

${table(['Call', 'Request', ...ROLES], rows)}
`;
}

const testLink = ({ path, title }) =>
  `[${path.slice(path.lastIndexOf('/') + 1)}](../../${path}): ${title.replaceAll('|', '\\|')}`;

function identityCallsPage() {
  const rows = IDENTITY_ROUTES.map(({ id, method, path, access }) => [
    `\`${method} ${path}\``,
    access,
    testLink(PEOPLE_TESTS.get(id)),
  ]);
  const office = OPERATOR_ROUTES.filter(({ id }) => PEOPLE_TESTS.has(id)).map(
    ({ id, method, path, roles }) => [
      `\`${method} ${path}\``,
      roles.join(', '),
      testLink(PEOPLE_TESTS.get(id)),
    ],
  );
  const rules = PEOPLE_RULES.map(([rule, path, title]) => [rule, testLink({ path, title })]);
  return `${NOTE}

# Identity, call by call

Every call of the [identity API](identity.md) and of operators and proposals, with its test. [A day](../operating/people-day.md) shows them in use.

## People

Below \`{baseUrl}/identity/v1\`.

${table(['Call', 'Needs', 'Tested by'], rows)}

## Operators and proposals

Below \`{operatorUrl}\`.

${table(['Call', 'Roles', 'Tested by'], office)}

## All calls

${table(['Rule', 'Tested by'], rules)}
`;
}

function venueCallsPage() {
  const routes = new Map(OPERATOR_ROUTES.map((route) => [route.id, route]));
  const rows = [...VENUE_TESTS].map(([id, held]) => {
    const { method, path, roles } = routes.get(id);
    return [`\`${method} ${path}\``, roles.length > 5 ? 'readers' : roles.join(', '), testLink(held)];
  });
  const rules = VENUE_RULES.map(([rule, path, title]) => [rule, testLink({ path, title })]);
  return `${NOTE}

# The venue, call by call

Every call of the [operator API](operator.md) about money, users, markets and trust, below \`{operatorUrl}\`, with its test. [Identity, call by call](../api/identity-calls.md) has those of operators and proposals; [a day](venue-day.md) shows them in use. Readers are all roles except \`custodian\`; [roles](roles.md) has the list.

${table(['Call', 'Roles', 'Tested by'], rows)}

## Public pages, the command line, and rejections

${table(['What', 'Tested by'], rules)}
`;
}

/** What each permission allows, in a sentence. The page lists the requests beside it, from the routes. */
const PERMISSIONS = [
  ['public', 'Anybody, without a key', 'Reads public data: currencies, symbols, market data, the time.'],
  [
    'general',
    'General',
    'Reads all data of the user: orders, balances, ledger, deposits, withdrawals. It also creates deposit addresses, answers questionnaires and, for a master, creates sub-accounts and their keys. A key cannot grant a permission that it does not have, and cannot move money.',
  ],
  [
    'spot',
    'Spot',
    "Places, changes and cancels orders of every kind. Also allows the older transfer between the user's own accounts, which the family dialect counts as trading.",
  ],
  [
    'flex-transfers',
    'FlexTransfers',
    "Moves money between the user's own accounts, and between a master and its sub-accounts; only this permission moves money between two users. It never leaves the exchange.",
  ],
  [
    'withdrawal',
    'Withdrawal',
    'Sends money out of the exchange. A master cannot grant it to a sub-account’s key.',
  ],
];

function permissionsPage() {
  const rows = PERMISSIONS.map(([access, name, allows]) => {
    const routes = allRoutes({}).filter((route) => route.access === access);
    const changes = routes.filter(({ method }) => access === 'public' || method !== 'GET');
    const reads = routes.length - changes.length;
    const listed = changes.map(({ method, path }) => `\`${method} ${path}\``).join('<br>');
    const more =
      reads > 0 ? `${number(reads)} read-only requests${changes.length > 0 ? ', and<br>' : ''}` : '';
    return [name, allows, more + listed];
  });
  return `${NOTE}

# Permissions

There are four permissions. Each request needs one of them, and none includes another. The document calls *Spot* “Spot Trading”. An operator grants them (\`bourse keys add\`); a master grants them to keys of its sub-accounts. A request whose key lacks the permission is rejected with 400007, and the error names the permission.

${table(['Permission', 'Allows', 'Requests'], rows)}
`;
}

/** Path from the root, and text, of each page that is generated from tables. */
export const tablePages = () => [
  ['docs/api/errors.md', errorsPage()],
  ['docs/api/identity-calls.md', identityCallsPage()],
  ['docs/api/limits.md', limitsPage()],
  ['docs/api/permissions.md', permissionsPage()],
  ['docs/operating/roles.md', rolesPage()],
  ['docs/operating/venue-calls.md', venueCallsPage()],
];

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of [...tablePages(), ...(await recordedPages())]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  }
}
