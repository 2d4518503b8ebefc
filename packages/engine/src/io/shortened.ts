/** Text from outside in a sentence: its beginning is enough to find it by, and no sentence grows with what was sent. */

const SHOWN_LENGTH_MAX = 64;

export function shortened(text: string): string {
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX).toWellFormed()}...`;
}
