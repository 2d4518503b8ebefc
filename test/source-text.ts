// A scanner that separates code from comments, strings and regular expressions. It is not a parser: a word in a comment
// must not count as code, and positions must not change.

export type Source = { readonly path: string; readonly text: string };

export type Import = { readonly specifier: string; readonly line: number };

/**
 * After one of these a slash starts a regular expression. After a name, a number or `)` it is a division, and right after
 * `<` it closes a tag.
 */
const regexAfter =
  /(?:^|[([{,;=:!&|?+\-*%~^<>]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield))$/;

/** The text with everything except code blanked: same length, same lines, quotes kept. */
export function codeOnly(text: string): string {
  let out = '';
  let at = 0;
  /** The depth of braces inside the current `${` of each open template. */
  const templates: number[] = [];

  const blankTo = (end: number): void => {
    out += text.slice(at, end).replace(/[^\n]/g, ' ');
    at = end;
  };
  const keep = (count: number): void => {
    out += text.slice(at, at + count);
    at += count;
  };

  while (at < text.length) {
    const char = text[at]!;
    const pair = text.slice(at, at + 2);
    if (pair === '//') {
      blankTo(endOf(text, '\n', at));
    } else if (pair === '/*') {
      blankTo(endOf(text, '*/', at + 2) + 2);
    } else if (char === "'" || char === '"') {
      const end = endOfQuoted(text, at + 1, char);
      keep(1);
      blankTo(end);
      keep(1);
    } else if (char === '/' && !out.endsWith('<') && regexAfter.test(out.trimEnd().slice(-12))) {
      const end = endOfRegex(text, at + 1);
      keep(1);
      blankTo(end);
      keep(1);
    } else if (char === '`') {
      keep(1);
      template();
    } else if (templates.length > 0 && char === '{') {
      templates[templates.length - 1]! += 1;
      keep(1);
    } else if (templates.length > 0 && char === '}') {
      const depth = templates.pop()!;
      keep(1);
      if (depth > 0) templates.push(depth - 1);
      else template();
    } else {
      keep(1);
    }
  }
  return out;

  /** Scans from inside a template to its end or to the next `${`. */
  function template(): void {
    let end = at;
    while (end < text.length && text[end] !== '`' && text.slice(end, end + 2) !== '${') {
      end += text[end] === '\\' ? 2 : 1;
    }
    blankTo(end);
    if (text[at] === '$') {
      templates.push(0);
      keep(2);
    } else {
      keep(1);
    }
  }
}

const importForms = [
  /(?<![.\w$])from\s*(['"])(?<name>[^\n]*?)\1/dg,
  /(?<![.\w$])import\s*\(?\s*(['"])(?<name>[^\n]*?)\1/dg,
  // The file of a worker thread; it counts as imported.
  /\bnew\s+URL\(\s*(['"])(?<name>[^\n]*?)\1\s*,\s*import\.meta\.url/dg,
];

/** Everything that a file imports, including types: the direction is a matter of design, not of run time. */
export function importsOf(text: string): Import[] {
  const code = codeOnly(text);
  const found: Import[] = [];
  for (const form of importForms) {
    for (const match of code.matchAll(form)) {
      const [start, end] = match.indices!.groups!.name!;
      found.push({ specifier: text.slice(start, end), line: lineAt(text, start) });
    }
  }
  return found;
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end;
}

function endOfQuoted(text: string, from: number, quote: string): number {
  let end = from;
  while (end < text.length && text[end] !== quote && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
  return end;
}

function endOfRegex(text: string, from: number): number {
  let end = from;
  let inClass = false;
  while (end < text.length && text[end] !== '\n' && (inClass || text[end] !== '/')) {
    if (text[end] === '[') inClass = true;
    else if (text[end] === ']') inClass = false;
    end += text[end] === '\\' ? 2 : 1;
  }
  return end;
}
