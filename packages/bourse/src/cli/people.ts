/**
 * `bourse people`: the identity API of a running service, one command per call, and two for operators: invitations, and the
 * mailbox of a sandbox. Fields are `name=value`; an omitted password comes from BOURSE_PASSWORD, a session from
 * BOURSE_SESSION, because other users can see arguments.
 */

import { Command } from 'commander';
import { shortened } from '@bourse/engine';
import { CommandFailed, EXIT, EXIT_HELP, printFields, printJson, printLine, printTable } from './output.ts';
import { OperatorClient, callService, parse, readConnection } from './operator-client.ts';
import { addCalls, queryOf, readFields, type RouteCalls, type RunCall } from './route-calls.ts';
import { each, show } from './users.ts';

interface Options {
  readonly connect?: string;
  readonly url?: string;
  readonly session?: string;
  readonly json?: boolean;
  readonly email?: string;
}

type Row = Readonly<Record<string, unknown>>;

const MOUNT = '/identity/v1';
const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Calls by their words on the command line. */
export const PEOPLE_CALLS: RouteCalls = new Map([
  ['sign-up', { id: 'sign-up', description: 'email=ada@example.test password=…: a mail brings the token' }],
  ['verify', { id: 'verify', description: 'token=…: creates the account and signs in' }],
  ['sign-in', { id: 'sign-in', description: 'email=ada@example.test totp=123456: prints session and key' }],
  ['show', { id: 'get-session', description: 'shows the signed-in person' }],
  ['sign-out', { id: 'sign-out', description: 'ends the session' }],
  ['session-key', { id: 'renew-session-key', description: 'a new signing key' }],
  [
    'sessions list',
    {
      id: 'list-sessions',
      description: 'newest first',
      columns: ['id', 'created', 'device', 'address', 'current'],
    },
  ],
  ['sessions end', { id: 'end-session', description: 'ends one', argument: 'id' }],
  ['sessions end-others', { id: 'end-other-sessions', description: 'ends all other sessions' }],
  ['password change', { id: 'change-password', description: 'current=… next=…' }],
  ['password reset', { id: 'ask-reset', description: 'email=…: a mail brings the token' }],
  ['password confirm', { id: 'reset-password', description: 'token=… password=… totp=…' }],
  ['totp begin', { id: 'begin-totp', description: 'a secret for an authenticator app' }],
  ['totp confirm', { id: 'confirm-totp', description: 'code=123456: switches it on' }],
  ['totp remove', { id: 'remove-totp', description: 'switches it off' }],
  ['recovery-codes', { id: 'renew-recovery-codes', description: 'ten new ones' }],
  ['passkeys options', { id: 'begin-passkey', description: 'the options for a browser to create one' }],
  ['passkeys add', { id: 'add-passkey', description: 'name=… with what the browser made; for programs' }],
  ['passkeys challenge', { id: 'passkey-challenge', description: 'what a browser needs to sign in' }],
  [
    'passkeys list',
    { id: 'list-passkeys', description: 'those there are', columns: ['id', 'name', 'created'] },
  ],
  ['passkeys remove', { id: 'remove-passkey', description: 'removes one', argument: 'id' }],
  ['step-up', { id: 'step-up', description: 'totp=123456, or the password' }],
  ['email change', { id: 'change-email', description: 'email=…: a mail brings the token' }],
  ['email confirm', { id: 'confirm-email', description: 'token=…' }],
  [
    'keys list',
    { id: 'list-own-keys', description: 'API keys', columns: ['apiKey', 'name', 'permissions', 'expires'] },
  ],
  ['keys add', { id: 'add-own-key', description: 'name=bot permissions=General,Spot' }],
  ['keys change', { id: 'change-own-key', description: 'permissions=General', argument: 'apiKey' }],
  ['keys remove', { id: 'remove-own-key', description: 'removes one', argument: 'apiKey' }],
  [
    'book list',
    {
      id: 'list-book',
      description: 'the address book',
      columns: ['id', 'label', 'currency', 'chain', 'address', 'usableFrom'],
    },
  ],
  ['book add', { id: 'add-book-address', description: 'label=home currency=ETH chain=eth address=0x…' }],
  ['book remove', { id: 'remove-book-address', description: 'removes one', argument: 'id' }],
  ['book only', { id: 'restrict-addresses', description: 'on=true: withdrawals go there only' }],
  ['lock', { id: 'lock', description: 'days=7: settings cannot be changed until then' }],
  ['freeze', { id: 'freeze', description: 'token=… of any mail' }],
  [
    'activity',
    {
      id: 'list-activity',
      description: 'newest first; limit=20',
      columns: ['time', 'kind', 'address', 'device', 'sessionId'],
    },
  ],
  ['statement', { id: 'get-statement', description: 'from=… until=…, in milliseconds' }],
  [
    'liability-proof',
    {
      id: 'get-own-liability-proof',
      description: 'proof that the published liabilities include you; save it with --json',
      argument: 'id',
    },
  ],
  ['close', { id: 'close-account', description: 'closes the account and erases personal data' }],
]);

export function peopleCommand(): Command {
  const people = new Command('people').description('people who sign in to a running service').addHelpText(
    'after',
    `
Examples:
  BOURSE_PASSWORD='four unrelated words here' \\
    bourse people sign-up email=ada@example.test
  bourse people mail ada@example.test
  bourse people verify token=…
  BOURSE_SESSION=… bourse people show
  bourse people invite --email grace@example.test
${EXIT_HELP}`,
  );
  each(people, 'mail [to]', 'mails of a sandbox, newest first').action(
    async (to: string | undefined, options: Options) => {
      const client = await OperatorClient.open(options, 'sandbox');
      const mails = (await client.get(
        `/mail${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`,
      )) as Row[];
      if (options.json) printJson(mails);
      else for (const { to: whom, subject, text } of mails) printLine(`${whom}: ${subject}\n\n${text}\n`);
    },
  );
  each(people, 'invite', 'an invitation to sign up, for 7 days')
    .option('--email <address>', 'only for this address')
    .action(async (options: Options) => {
      const { email } = options;
      const client = await OperatorClient.open(options);
      show(options, await client.post('/v1/invitations', email === undefined ? {} : { email }));
    });
  addCalls(people, "a person's", PEOPLE_CALLS, run, (group, usage, { description }) =>
    group
      .command(usage)
      .description(description)
      .option('--connect <file>', 'file written by `bourse start --config-out`')
      .option('--url <url>', `the service (default: BOURSE_URL, or ${DEFAULT_URL})`)
      .option('--session <token>', 'sessionToken of a sign-in (better: BOURSE_SESSION)')
      .option('--json', 'print JSON'),
  );
  return people;
}

const run: RunCall<Options> = async (call, argument, given, options) => {
  // Loaded lazily: the schemas come with the server, and other commands should not wait for it.
  const { IDENTITY_ROUTES } = await import('@bourse/api');
  const route = IDENTITY_ROUTES.find(({ id }) => id === call.id);
  if (!route) throw new Error(`no route ${call.id}`);
  const { method, path, query, body } = route;
  const schema = body ?? query;
  const hasPassword = Object.hasOwn(schema?.properties ?? {}, 'password');
  const { BOURSE_PASSWORD: password } = process.env;
  const isMissing =
    hasPassword && password !== undefined && !given.some((field) => field.startsWith('password='));
  const fields = readFields(given, schema!, {});
  const sent = isMissing ? { ...fields, password } : fields;
  const place = path.replace(/:\w+/, encodeURIComponent(argument));
  const asked = method === 'GET' ? `${place}${queryOf(fields)}` : place;
  const answer = await ask(
    await urlOf(options),
    method,
    asked,
    method === 'POST' ? sent : undefined,
    options,
  );
  if (answer === undefined) return;
  if (options.json) printJson(answer);
  else if (call.columns && Array.isArray(answer)) printTable(answer as Row[], call.columns);
  else printFields(answer as Row);
};

async function urlOf({ connect, url }: Options): Promise<string> {
  if (connect !== undefined) {
    const { identityUrl } = await readConnection(connect);
    if (identityUrl !== undefined) return identityUrl;
    throw new CommandFailed(
      `--connect ${connect}: no identityUrl in it; people cannot sign in there.`,
      EXIT.usage,
    );
  }
  return (url ?? process.env['BOURSE_URL'] ?? DEFAULT_URL).replace(/\/+$/, '') + MOUNT;
}

/** Undefined for a response without a body. */
async function ask(
  base: string,
  method: string,
  path: string,
  body: Row | undefined,
  { session = process.env['BOURSE_SESSION'] }: Options,
): Promise<unknown> {
  const headers = {
    'user-agent': 'bourse',
    ...(body && { 'content-type': 'application/json' }),
    ...(session !== undefined && { authorization: `Bearer ${session}` }),
  };
  const call = { method, headers, body: body && JSON.stringify(body) };
  const { status, text } = await callService(base + path, call).catch((error: NodeJS.ErrnoException) => {
    const why = error.code ?? error.message;
    throw new CommandFailed(
      `No response from ${base} (${why}). Is the service running there?`,
      EXIT.unreachable,
    );
  });
  if (status === 204) return undefined;
  const answer = parse(text);
  if (status < 300 && answer !== undefined) return answer;
  const { code, msg } = (answer ?? {}) as { code?: string; msg?: string };
  throw new CommandFailed(msg ? `${msg} (${code})` : `${base} answered ${status}: ${shortened(text)}`);
}
