/**
 * Untrusted text, made safe to show. Shortened for an error message: its beginning is enough to find it, and no
 * message grows with the request. Escaped for a terminal: control characters would move its cursor or change its
 * colours and title, and bidirectional marks would disguise the text. Both become \\u and four digits, as in
 * JSON.
 */

const SHOWN_LENGTH_MAX = 64;

export function shortened(text: string): string {
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX).toWellFormed()}...`;
}

/** C0, C1 and DEL; bidirectional marks, embeddings, overrides and isolates; line and paragraph separators. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
/** Line breaks and tabs are kept. */
const UNSEEN_IN_LINES = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One line: even line ends are escaped. */
export const visibleLine = (text: string): string => text.replace(UNSEEN, escaped);

/** Several lines. JSON keeps its meaning. */
export const visibleLines = (text: string): string => text.replace(UNSEEN_IN_LINES, escaped);

/** Error codes of the operating system as messages that say what would be right. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EEXIST', 'it is a file, but a directory is needed'],
  ['ENOTDIR', 'a part of this path is a file, but a directory is needed'],
  ['EISDIR', 'it is a directory, but a file is needed'],
  ['ENOENT', 'there is no such file or directory'],
  ['EACCES', 'permission denied; grant it to this user, or use another path'],
  ['EPERM', 'permission denied; grant it to this user, or use another path'],
  ['EROFS', 'the file system is read-only; use a path on another one'],
  ['ENAMETOOLONG', 'the path is too long; use a shorter one'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['ENOSPC', 'the disk is full; free some space'],
  ['EDQUOT', 'the disk quota of this user is exhausted; free some space'],
  ['EMFILE', 'this process has too many open files; raise `ulimit -n`'],
]);

/** Without the path; undefined if it is not an operating system error. */
export function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const words = REASONS.get(code);
  return words === undefined ? shortened(message) : `${words} (${code})`;
}

/** With the path, or `named` if the error has none. */
export function systemSentence(error: unknown, named = ''): string | undefined {
  const reason = systemReason(error);
  if (reason === undefined) return undefined;
  return `${shortened((error as NodeJS.ErrnoException).path ?? named)}: ${reason}.`;
}

/** The disk is full, or the user's quota is exhausted. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
