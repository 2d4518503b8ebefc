/**
 * The text of scenarios: a line at the left edge is a name, the indented lines under it are its steps. A step
 * is `[label:] words [-> what is expected]`, where `->` may begin a line of its own. Words are separated by
 * blanks; 'quotes' keep blanks and empty texts.
 */

export interface Step {
  /** Counted from the scenario's name. */
  readonly line: number;
  readonly text: string;
}

export interface Scenario {
  /** Begins with the ids it is about: `R7 ...`, `S4 ...`, `R7+R8 ...`, `L active orders per pair: ...`. */
  readonly name: string;
  readonly steps: readonly Step[];
}

export function parseScenarios(text: string): Scenario[] {
  const found: { name: string; steps: Step[]; start: number }[] = [];
  text.split('\n').forEach((raw, index) => {
    const line = raw.trimEnd();
    const trimmed = line.trimStart();
    if (trimmed === '' || trimmed.startsWith('# ')) return;
    if (trimmed.length === line.length) {
      found.push({ name: trimmed, steps: [], start: index });
      return;
    }
    const current = found.at(-1);
    if (current === undefined) throw new Error(`step before the first name: ${trimmed}`);
    const last = current.steps.at(-1);
    if (trimmed.startsWith('->') && last !== undefined) {
      current.steps[current.steps.length - 1] = { ...last, text: `${last.text} ${trimmed}` };
    } else current.steps.push({ line: index - current.start, text: trimmed });
  });
  for (const { name, steps } of found) {
    if (ruleIds(name).length === 0) throw new Error(`no rule id at the beginning of: ${name}`);
    if (steps.length === 0) throw new Error(`no step in: ${name}`);
  }
  return found.map(({ name, steps }) => ({ name, steps }));
}

/** `R7+R8 text` is about R7 and R8. */
export function ruleIds(name: string): string[] {
  const first = name.split(' ')[0] ?? '';
  const ids = first.split('+');
  return ids.every((id) => /^(R\d+|S\d+|O\d+|A\d+|[LMTDKUPHC]|rejection)$/.test(id)) ? ids : [];
}

export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/(?:[^\s']|'[^']*')+/g)) {
    const word = match[0];
    words.push(word.length > 1 && word.endsWith(',') ? word.slice(0, -1) : word);
  }
  return words;
}

/** The words of one part of a step, read from left to right; unread words are an error. */
export class Words {
  #at = 0;
  readonly #words: readonly string[];

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  get ended(): boolean {
    return this.#at >= this.#words.length;
  }

  peek(): string {
    return this.#words[this.#at] ?? '';
  }

  next(what: string): string {
    if (this.ended) throw new Error(`${what} is missing at the end of: ${this.#words.join(' ')}`);
    return this.#words[this.#at++]!;
  }

  /** Reads the word if it is next. */
  take(word: string): boolean {
    if (this.peek() !== word) return false;
    this.#at++;
    return true;
  }

  expect(word: string): void {
    if (!this.take(word)) throw new Error(`expected the word '${word}', not '${this.peek()}'`);
  }

  /** The word that follows `word`, anywhere ahead. */
  after(word: string): string | undefined {
    const index = this.#words.indexOf(word, this.#at);
    return index < 0 ? undefined : this.#words[index + 1];
  }

  rest(): string[] {
    const rest = this.#words.slice(this.#at);
    this.#at = this.#words.length;
    return rest;
  }

  /** The rest as `key=value` pairs with known keys, and flags (keys without a value, as 'true'). */
  pairs(known: readonly string[]): Map<string, string> {
    const pairs = new Map<string, string>();
    for (const word of this.rest()) {
      const [key, value] = keyValue(word);
      if (!known.includes(key)) throw new Error(`unknown word: ${word}`);
      pairs.set(key, value);
    }
    return pairs;
  }

  end(): void {
    if (!this.ended) throw new Error(`unknown word: ${this.peek()}`);
  }
}

export function keyValue(word: string): [string, string] {
  const index = word.indexOf('=');
  if (index < 0) return [word, 'true'];
  return [word.slice(0, index), unquote(word.slice(index + 1))];
}

export function unquote(text: string): string {
  return text.replaceAll("'", '');
}
