/** Removes secrets, passphrases, passwords and tokens from the texts of requests and responses. */

const NAMES = 'secret|passphrase|password|token|signature';
const HAS_NAME = new RegExp(`${NAMES}|sign`, 'i');
/**
 * A name is short, so that looking for one takes no longer than reading the text. The value is a text, also one that is
 * cut off, or anything else that a client may put in its place.
 */
const IN_JSON = new RegExp(
  `("[^"\\\\]{0,40}?(?:${NAMES})[^"\\\\]{0,40}"\\s{0,8}:\\s{0,8})(?:"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)|\\[[^\\]]*\\]?|\\{[^}]*\\}?|[^\\s",{}[\\]]+)`,
  'gi',
);
/** JSON inside a text of JSON, as an error message quotes it. */
const IN_QUOTED_JSON = new RegExp(
  `(\\\\"[^"\\\\]{0,40}?(?:${NAMES})[^"\\\\]{0,40}\\\\"\\s{0,8}:\\s{0,8})(?:\\\\"[^"\\\\]*(?:\\\\"|$)|[^\\s",{}[\\]\\\\]+)`,
  'gi',
);
const IN_QUERY = new RegExp(`((?:^|[?&])[^=&]{0,40}?(?:${NAMES}|sign)[^=&]{0,40}=)[^&]*`, 'gi');

export function withoutSecrets(text: string): string {
  if (!HAS_NAME.test(text)) return text;
  return text
    .replace(IN_JSON, '$1"***"')
    .replace(IN_QUOTED_JSON, String.raw`$1\"***\"`)
    .replace(IN_QUERY, '$1***');
}
