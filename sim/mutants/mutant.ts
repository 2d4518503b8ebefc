/** Mutants of a source file: every change that an operator can make to it, and how each is identified. */

import type { Edit } from '@bourse/test-kit/changed-sources.ts';
import { parseSync } from 'rolldown/utils';
import { type Change, changesOf, type Node } from './operators.ts';

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
