/** Mutants of a source file: every change that an operator can make to it, and how each is identified. */

import type { Edit } from '@bourse/test-kit/changed-sources.ts';
import { parseSync } from 'rolldown/utils';

/** One change of one file. Its position is given by file, function, operator and text, so it survives reformatting. */
export interface Place {
  /** Path relative to the root. */
  readonly file: string;
  /** The enclosing functions and classes, such as `Book.add`; '' at the top level. */
  readonly scope: string;
  readonly operator: string;
  /** The source text with whitespace collapsed. */
  readonly text: string;
  /** Its index, from 1, if a function contains the same text several times. */
  readonly nth: number;
}

export interface Mutant extends Place {
  readonly line: number;
  readonly edit: Edit;
}

/** Error text is for people: no test should depend on its wording, nor on a check that never fails. */
const NOT_MUTATED = new Set(['ImportDeclaration', 'TemplateLiteral', 'ThrowStatement']);
const NOT_MUTATED_CALLS = /^(assert|console|fail|violated|unreachable)\b|Error$/;

/** Type nodes that contain an expression. All others execute nothing. */
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
]);

const NUMERIC = new Set(['constant changed', 'arithmetic changed']);

/** Every mutant of a file, from its beginning to its end. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source, { lang: 'ts', sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const lines = lineStarts(source);
  const counts = new Map<string, number>();
  const mutants: Mutant[] = [];
  const add = ({ operator, node, from, to, text: replacement }: Change, scope: string): void => {
    const text = singleSpaced(source.slice(node.start, node.end));
    const place = { file, scope, operator, text };
    const nth = (counts.get(keyOf({ ...place, nth: 1 })) ?? 0) + 1;
    counts.set(keyOf({ ...place, nth: 1 }), nth);
    const line = lines.findLastIndex((start) => start <= from) + 1;
    mutants.push({ ...place, nth, line, edit: { from, to, text: replacement } });
  };
  const visit = (node: Node, parent: Node, scope: string): void => {
    if (isLeftAlone(node, source)) return;
    const inner = joined(scope, nameOf(node, parent, source));
    // Numbers outside of functions are parameters; a test of each would only repeat it.
    for (const change of changesOf(node, source, parent)) {
      if (inner !== '' || !NUMERIC.has(change.operator)) add(change, inner);
    }
    for (const child of childrenOf(node)) visit(child, node, inner);
  };
  visit(program as unknown as Node, program as unknown as Node, '');
  return mutants;
}

/** Equal for two places that differ only in formatting. */
export function keyOf({ file, scope, operator, text, nth }: Place): string {
  const plain = text.replaceAll(/\s+/g, '').replaceAll(/,(?=[)\]}])/g, '');
  return [file, scope, operator, plain, nth].join('\n');
}

export function describe({ file, line, scope, operator, text, nth }: Mutant): string {
  const short = text.length > 90 ? `${text.slice(0, 87)}...` : text;
  return `${file}:${line} ${scope || '(file)'}: ${operator}: ${short}${nth > 1 ? ` (${nth})` : ''}`;
}

function isLeftAlone(node: Node, source: string): boolean {
  if (node.type.startsWith('TS')) return !WRAPPERS.has(node.type);
  if (NOT_MUTATED.has(node.type)) return true;
  const call = node.type === 'ExpressionStatement' ? (node['expression'] as Node) : node;
  if (call.type !== 'CallExpression' && call.type !== 'NewExpression') return false;
  const { start, end } = call['callee'] as Node;
  return NOT_MUTATED_CALLS.test(source.slice(start, end));
}

function* childrenOf(node: Node): Generator<Node> {
  for (const [member, value] of Object.entries(node)) {
    if (member === 'parent') continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && typeof each === 'object' && typeof (each as Node).type === 'string')
        yield each as Node;
    }
  }
}

const NAMED = new Set(['FunctionDeclaration', 'ClassDeclaration', 'MethodDefinition', 'PropertyDefinition']);
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

/** The name that a node adds to the scope of its children, or ''. Anonymous functions belong to the enclosing one. */
function nameOf(node: Node, parent: Node, source: string): string {
  const named = NAMED.has(node.type)
    ? (node['id'] ?? node['key'])
    : FUNCTIONS.has(node.type) && (parent['id'] ?? null);
  return named ? source.slice((named as Node).start, (named as Node).end) : '';
}

const joined = (scope: string, name: string): string => [scope, name].filter((each) => each !== '').join('.');

const singleSpaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

// The mutation operators on the syntax tree. Each returns one replacement of text, so that a mutated file
// keeps every other position.

/** A node of the syntax tree (ESTree with TypeScript, as oxc parses it). */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

interface Change extends Edit {
  readonly operator: string;
  /** The node that the operator was applied to. */
  readonly node: Node;
}

type Operator = (node: Node, source: string, parent: Node) => Edit | null;

const BOUNDARY = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);
const COMPARISON = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['==', '!='],
  ['!=', '=='],
  ['<', '>='],
  ['<=', '>'],
  ['>', '<='],
  ['>=', '<'],
]);
const ARITHMETIC = new Map([
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['&', '|'],
  ['|', '&'],
  ['^', '&'],
  ['<<', '>>'],
  ['>>', '<<'],
  ['>>>', '<<'],
]);
const ASSIGNMENT = new Map([
  ['+=', '-='],
  ['-=', '+='],
  ['*=', '/='],
  ['/=', '*='],
  ['|=', '&='],
  ['&=', '|='],
  ['^=', '|='],
  ['++', '--'],
  ['--', '++'],
]);
const METHODS = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
  ['push', 'unshift'],
  ['shift', 'pop'],
  ['pop', 'shift'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);
const EXITS = new Set(['ReturnStatement', 'ContinueStatement', 'BreakStatement', 'ThrowStatement']);

const textOf = (node: Node, source: string): string => source.slice(node.start, node.end);
const nodeOf = (node: Node, member: string): Node => node[member] as Node;
const replace = ({ start, end }: Node, text: string): Edit => ({ from: start, to: end, text });

/**
 * `left op right` with another operator; the operator is found between the operands, past parentheses and comments.
 */
function withSign(node: Node, source: string, signs: ReadonlyMap<string, string>): Edit | null {
  const sign = node['operator'] as string;
  const other = signs.get(sign);
  if (other === undefined) return null;
  const { end } = nodeOf(node, 'left');
  const between = source.slice(end, nodeOf(node, 'right').start);
  const from = end + blankComments(between).indexOf(sign);
  return { from, to: from + sign.length, text: other };
}

const blankComments = (text: string): string =>
  text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length));

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node['value'] === 'string') ||
  (node.type === 'BinaryExpression' && (isText(nodeOf(node, 'left')) || isText(nodeOf(node, 'right'))));

const isComparison = ({ type, operator }: Node): boolean =>
  type === 'BinaryExpression' && COMPARISON.has(operator as string);

const isNegation = ({ type, operator }: Node): boolean => type === 'UnaryExpression' && operator === '!';

function isExit(node: Node): boolean {
  if (EXITS.has(node.type)) return true;
  const last = node.type === 'BlockStatement' ? (node['body'] as Node[]).at(-1) : undefined;
  return last !== undefined && EXITS.has(last.type);
}

const REMOVABLE = new Set(['CallExpression', 'AssignmentExpression', 'UpdateExpression', 'UnaryExpression']);

export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  [
    'boundary moved',
    (node, source) => (node.type === 'BinaryExpression' ? withSign(node, source, BOUNDARY) : null),
  ],
  [
    'comparison turned',
    (node, source) => (node.type === 'BinaryExpression' ? withSign(node, source, COMPARISON) : null),
  ],
  [
    'arithmetic changed',
    (node, source) =>
      node.type === 'BinaryExpression' && !isText(node) ? withSign(node, source, ARITHMETIC) : null,
  ],
  [
    'assignment changed',
    (node, source, parent) => {
      if (node.type === 'AssignmentExpression') return withSign(node, source, ASSIGNMENT);
      // A loop that counts in the other direction never ends, which tests nothing else.
      if (node.type !== 'UpdateExpression' || parent.type === 'ForStatement') return null;
      const sign = node['operator'] as string;
      const from = node['prefix'] === true ? node.start : node.end - sign.length;
      return { from, to: from + sign.length, text: ASSIGNMENT.get(sign) as string };
    },
  ],
  [
    'condition negated',
    (node, source) => {
      if (node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return null;
      const test = nodeOf(node, 'test');
      // Other operators generate the same change of these.
      if (isComparison(test) || isNegation(test)) return null;
      return replace(test, `!(${textOf(test, source)})`);
    },
  ],
  [
    'negation removed',
    (node, source) =>
      isNegation(node) ? replace(node, `(${textOf(nodeOf(node, 'argument'), source)})`) : null,
  ],
  [
    'and, or',
    (node, source) => {
      if (node.type !== 'LogicalExpression' || node['operator'] === '??') return null;
      const [left, right] = [nodeOf(node, 'left'), nodeOf(node, 'right')];
      const sign = node['operator'] === '&&' ? '||' : '&&';
      // Parentheses keep the precedence of the surrounding expression.
      return replace(node, `((${textOf(left, source)}) ${sign} (${textOf(right, source)}))`);
    },
  ],
  [
    'fall-back removed',
    (node, source) =>
      node.type === 'LogicalExpression' && node['operator'] === '??'
        ? replace(node, `(${textOf(nodeOf(node, 'left'), source)})`)
        : null,
  ],
  [
    'constant changed',
    (node) => {
      if (node.type !== 'Literal') return null;
      const value = node['value'];
      if (typeof value === 'number') return replace(node, value === 1 ? '0' : String(value + 1));
      if (typeof value === 'bigint') return replace(node, value === 1n ? '0n' : `${value + 1n}n`);
      return null;
    },
  ],
  [
    'boolean turned',
    (node) =>
      node.type === 'Literal' && typeof node['value'] === 'boolean'
        ? replace(node, String(!node['value']))
        : null,
  ],
  [
    'statement removed',
    (node) => {
      if (node.type !== 'ExpressionStatement') return null;
      const expression = nodeOf(node, 'expression');
      const inner = expression.type === 'AwaitExpression' ? nodeOf(expression, 'argument') : expression;
      if (!REMOVABLE.has(inner.type) || isSuperCall(inner)) return null;
      return replace(node, ';');
    },
  ],
  [
    'not awaited',
    (node, source) => {
      if (node.type !== 'ExpressionStatement') return null;
      const expression = nodeOf(node, 'expression');
      if (expression.type !== 'AwaitExpression') return null;
      const awaited = textOf(nodeOf(expression, 'argument'), source);
      return replace(node, `Promise.resolve(${awaited}).catch(() => undefined);`);
    },
  ],
  [
    'exit removed',
    (node) => {
      if (node.type !== 'IfStatement' || node['alternate']) return null;
      return isExit(nodeOf(node, 'consequent')) ? replace(node, ';') : null;
    },
  ],
  [
    'else removed',
    (node) =>
      node.type === 'IfStatement' && node['alternate']
        ? { from: nodeOf(node, 'consequent').end, to: nodeOf(node, 'alternate').end, text: '' }
        : null,
  ],
  [
    'arguments swapped',
    (node, source) => {
      if (node.type !== 'CallExpression') return null;
      const [first, second] = node['arguments'] as Node[];
      if (first === undefined || second === undefined) return null;
      if ([first, second].some(({ type }) => type === 'SpreadElement' || type.includes('Function')))
        return null;
      const [one, other] = [textOf(first, source), textOf(second, source)];
      if (one === other || /^Math\.(?:min|max|hypot)$/.test(textOf(nodeOf(node, 'callee'), source)))
        return null;
      return { from: first.start, to: second.end, text: `${other}, ${one}` };
    },
  ],
  [
    'method exchanged',
    (node) => {
      if (node.type !== 'CallExpression') return null;
      const callee = nodeOf(node, 'callee');
      if (callee.type !== 'MemberExpression' || callee['computed'] === true) return null;
      const property = nodeOf(callee, 'property');
      const other = METHODS.get(String(property['name']));
      return other === undefined ? null : replace(property, other);
    },
  ],
]);

const isSuperCall = (node: Node): boolean =>
  node.type === 'CallExpression' && nodeOf(node, 'callee').type === 'Super';

/** All mutations of this node. */
function changesOf(node: Node, source: string, parent: Node): Change[] {
  const changes: Change[] = [];
  for (const [operator, apply] of OPERATORS) {
    const edit = apply(node, source, parent);
    if (edit !== null) changes.push({ operator, node, ...edit });
  }
  return changes;
}
