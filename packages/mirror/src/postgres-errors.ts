/** Errors of PostgreSQL and its connection, as messages that say what would be right. */

/** The mirror cannot continue; the message says why, and what to do. */
export class MirrorRefused extends Error {
  override readonly name: string = 'MirrorRefused';
}

/** No server responds at the address. */
export class MirrorUnreachable extends MirrorRefused {
  override readonly name = 'MirrorUnreachable';
}

const LOST = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  // Shut down by the operator, crashed, or still starting.
  '57P01',
  '57P02',
  '57P03',
];

/** Errors for which the driver gives no code. */
const LOST_WITHOUT_CODE = [
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'timeout expired',
];
const NO_PASSWORD = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether it may become available again soon. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== '') return LOST.includes(code);
  return error instanceof Error && LOST_WITHOUT_CODE.includes(error.message);
}

/** `url` is shown without its password. */
export function translate(error: unknown, url: string): unknown {
  if (error instanceof MirrorRefused || !(error instanceof Error)) return error;
  const { host, user, database } = partsOf(url);
  const hasNoPassword = error.message === NO_PASSWORD;
  const said = hasNoPassword ? 'it requires a password, and none was given' : error.message;
  switch (hasNoPassword ? '28P01' : codeOf(error)) {
    case '28P01':
    case '28000':
      return new MirrorRefused(
        `PostgreSQL at ${host} does not let ${user} in (${said}). Give the right name and password in the address, or the ` +
          'password in PGPASSWORD.',
      );
    case '3D000':
      return new MirrorRefused(
        `PostgreSQL at ${host} has no database ${database}. Make it with: createdb ${database}`,
      );
    case '42501':
      return new MirrorRefused(
        `${user} may not make the schema "bourse" in the database ${database} (${said}). Grant it CREATE on the database.`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new MirrorUnreachable(`Unknown host ${host}. Check the address of the database.`);
    default:
  }
  if (!isConnectionLost(error)) return error;
  return new MirrorUnreachable(
    `PostgreSQL at ${host} does not answer (${said}). Check that it runs, and listens at that address.`,
  );
}

/** Not the address of a database; it is not shown, because it may contain a password. */
export class MirrorAddressWrong extends MirrorRefused {
  override readonly name = 'MirrorAddressWrong';

  constructor(what: string) {
    super(`${what} Write it like postgres://bourse@127.0.0.1:5432/bourse`);
  }
}

/** Throws MirrorAddressWrong. */
export function checkDatabaseUrl(url: string): void {
  if (!URL.canParse(url)) throw new MirrorAddressWrong('That is not the address of a database.');
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new MirrorAddressWrong(`An address that begins with ${protocol} is not one of PostgreSQL.`);
  }
  if (pathname.length < 2) throw new MirrorAddressWrong('The address names no database.');
}

function partsOf(url: string): { host: string; user: string; database: string } {
  const { host, username, pathname } = new URL(url);
  return { host, user: username === '' ? 'you' : `user ${username}`, database: pathname.slice(1) };
}
