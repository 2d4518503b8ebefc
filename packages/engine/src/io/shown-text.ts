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
