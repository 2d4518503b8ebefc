/**
 * Patterns of expectations: the usual words of regular expressions, without those that would need to look back. All
 * ways through a pattern are followed at once, one character after the other, so a match takes time by the lengths of
 * text and pattern; where both are long that is too much, and the rest of the text is not looked at: no pattern, and no
 * number of them, can hold anybody up. A text matches if any part of it does; `^` and `$` are its ends.
 */

const LENGTH_MAX = 200;
const STATES_MAX = 2000;
const REPEATS_MAX = 100;
/** Bodies and answers have up to 64 KiB. A pattern of words is in one or two states at each character of them. */
const VISITED_MAX = 500_000;

/** What all patterns may still visit of one event, however many wait for it. */
export class PatternBudget {
  left = 4 * VISITED_MAX;
}

type Matcher = (subject: string, budget?: PatternBudget) => boolean;
type Test = (code: number) => boolean;

/** Undefined for what is no such pattern. */
export function compilePattern(text: string): Matcher | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  try {
    return matcherOf(new PatternReader(text).read());
  } catch (error) {
    if (error instanceof PatternFault) return undefined;
    throw error;
  }
}

class PatternFault extends Error {}

type Node =
  | { readonly kind: 'test'; readonly test: Test }
  | { readonly kind: 'begin' | 'end' }
  | { readonly kind: 'row' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number };

const isDigit: Test = (code) => code >= 48 && code <= 57;
const isWord: Test = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isBlank: Test = (code) => code === 32 || (code >= 9 && code <= 13);
const CLASSES = new Map<string, Test>([
  ['d', isDigit],
  ['w', isWord],
  ['s', isBlank],
  ['D', (code) => !isDigit(code)],
  ['W', (code) => !isWord(code)],
  ['S', (code) => !isBlank(code)],
]);

class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Node {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw new PatternFault();
    return node;
  }

  #choice(): Node {
    const parts = [this.#row()];
    while (this.#take('|')) parts.push(this.#row());
    return { kind: 'choice', parts };
  }

  #row(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at])) {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'row', parts };
  }

  #repeated(part: Node): Node {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    const [min, max] = bounds;
    // A lazy one matches the same texts.
    this.#take('?');
    if ('*+?{'.includes(this.#text[this.#at] ?? ' ')) throw new PatternFault();
    return { kind: 'repeat', part, min, max };
  }

  #bounds(): [number, number] | undefined {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    const found = /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(this.#text.slice(this.#at));
    if (found === null) return undefined;
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Infinity : Number(found[3]);
    if (max < min || min > REPEATS_MAX || (max > REPEATS_MAX && max !== Infinity)) throw new PatternFault();
    return [min, max];
  }

  #atom(): Node {
    const character = this.#next();
    switch (character) {
      case '^':
        return { kind: 'begin' };
      case '$':
        return { kind: 'end' };
      case '.':
        return { kind: 'test', test: () => true };
      case '[':
        return { kind: 'test', test: this.#set() };
      case '\\':
        return { kind: 'test', test: this.#escape() };
      case '(': {
        if (this.#take('?') && !this.#take(':')) throw new PatternFault();
        const inner = this.#choice();
        if (!this.#take(')')) throw new PatternFault();
        return inner;
      }
      case '*':
      case '+':
      case '?':
      case '{':
        throw new PatternFault();
      default:
        return { kind: 'test', test: equals(character) };
    }
  }

  #set(): Test {
    const isNot = this.#take('^');
    const tests: Test[] = [];
    do {
      const from = this.#next();
      if (from === '\\') tests.push(this.#escape());
      else if (this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']') {
        this.#at++;
        const [low, high] = [from.charCodeAt(0), this.#next().charCodeAt(0)];
        if (high < low) throw new PatternFault();
        tests.push((code) => code >= low && code <= high);
      } else tests.push(equals(from));
    } while (!this.#take(']'));
    return (code) => tests.some((test) => test(code)) !== isNot;
  }

  #escape(): Test {
    const character = this.#next();
    const known = CLASSES.get(character);
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(character)) throw new PatternFault();
    return equals(character);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    if (this.#at >= this.#text.length) throw new PatternFault();
    return this.#text[this.#at++];
  }
}

const equals = (character: string): Test => {
  const wanted = character.charCodeAt(0);
  return (code) => code === wanted;
};

/** A state goes on to others for nothing, or with one character that passes its test. */
interface State {
  readonly free: number[];
  readonly only: 'begin' | 'end' | undefined;
  readonly test: Test | undefined;
  next: number;
}

function matcherOf(node: Node): Matcher {
  const states: State[] = [];
  const add = (state: Partial<State>): number => {
    if (states.length >= STATES_MAX) throw new PatternFault();
    return states.push({ free: [], only: undefined, test: undefined, next: -1, ...state }) - 1;
  };
  /** Builds from the end: each part knows what comes after it. */
  const build = (part: Node, after: number): number => {
    switch (part.kind) {
      case 'test':
        return add({ test: part.test, next: after });
      case 'begin':
      case 'end':
        return add({ only: part.kind, free: [after] });
      case 'row':
        return part.parts.reduceRight((next, each) => build(each, next), after);
      case 'choice':
        return add({ free: part.parts.map((each) => build(each, after)) });
      case 'repeat':
        return buildRepeat(part, after);
    }
  };
  const buildRepeat = ({ part, min, max }: Extract<Node, { kind: 'repeat' }>, after: number): number => {
    let start: number;
    if (max === Infinity) {
      start = add({ free: [after] });
      states[start].free.push(build(part, start));
    } else {
      start = after;
      for (let times = min; times < max; times++) start = add({ free: [build(part, start), after] });
    }
    for (let times = 0; times < min; times++) start = build(part, start);
    return start;
  };
  const end = add({});
  const begin = build(node, end);
  return (subject, budget = new PatternBudget()) => {
    let present = new Places(states, subject.length);
    let following = new Places(states, subject.length);
    const visitedMax = Math.min(VISITED_MAX, budget.left);
    let visited = 0;
    for (let at = 0; at <= subject.length && visited < visitedMax; at++) {
      // A match may begin anywhere.
      present.reach(begin, at);
      if (present.has(end)) return true;
      const code = subject.charCodeAt(at);
      visited += present.count;
      budget.left -= present.count;
      for (let each = 0; each < present.count; each++) {
        const { test, next } = states[present.list[each]];
        if (test?.(code)) following.reach(next, at + 1);
      }
      [present, following] = [following, present];
      following.clear();
    }
    return false;
  };
}

/** The states that can be reached with the characters so far, each once. */
class Places {
  readonly list: Uint16Array;
  count = 0;
  readonly #states: readonly State[];
  readonly #length: number;
  /** By state: the round in which it was reached. */
  readonly #rounds: Uint32Array;
  readonly #open: number[] = [];
  #round = 1;

  /** `length`: of the text. */
  constructor(states: readonly State[], length: number) {
    this.#states = states;
    this.#length = length;
    this.list = new Uint16Array(states.length);
    this.#rounds = new Uint32Array(states.length);
  }

  has(state: number): boolean {
    return this.#rounds[state] === this.#round;
  }

  clear(): void {
    this.count = 0;
    this.#round++;
  }

  /** Also what can be reached from there for nothing, `at` so many characters. */
  reach(from: number, at: number): void {
    const open = this.#open;
    open.push(from);
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (this.has(state)) continue;
      const { free, only } = this.#states[state];
      if ((only === 'begin' && at > 0) || (only === 'end' && at < this.#length)) continue;
      this.#rounds[state] = this.#round;
      this.list[this.count++] = state;
      for (const each of free) open.push(each);
    }
  }
}
