/**
 * Finds the position where a text stops being JSON. The parser's own message quotes the text, and settings
 * files contain secrets.
 */

const BLANKS = /[ \t\r\n]*/y;
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const OTHER_SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const [COMMA, COLON] = [/,/y, /:/y];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [/\[/y, /\]/y, /\{/y, /\}/y];

/** Such as `line 3, column 14`, both counted from 1: the place of the first character that is not JSON. */
export function jsonFault(text: string): string {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const isThere = pattern.test(text);
    if (isThere) at = pattern.lastIndex;
    return isThere;
  };
  const take = (pattern: RegExp): boolean => skip(BLANKS) && skip(pattern);
  const value = (): boolean => {
    if (take(LIST)) return take(LIST_END) || members(value, LIST_END);
    if (take(OBJECT)) return take(OBJECT_END) || members(pair, OBJECT_END);
    return take(STRING) || take(OTHER_SCALAR);
  };
  const pair = (): boolean => take(STRING) && take(COLON) && value();
  const members = (member: () => boolean, end: RegExp): boolean => {
    do if (!member()) return false;
    while (take(COMMA));
    return take(end);
  };
  value();
  skip(BLANKS);
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}
