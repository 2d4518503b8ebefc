/** Commands that make one call each, `bourse people …` and `bourse sandbox …`. Fields are `name=value`. */

import type { Command } from 'commander';
import { fieldsOf, WrongField } from '@bourse/sandbox/basics';
import { CommandFailed, EXIT } from './output.ts';

interface RouteCall {
  /** The id of the route. */
  readonly id: string;
  readonly description: string;
  /** The path parameter that is given as an argument. */
  readonly argument?: string;
  /** The columns to print. */
  readonly columns?: readonly string[];
}

/** By the words on the command line: the command, or its group and the command. */
export type RouteCalls = ReadonlyMap<string, RouteCall>;

export type RunCall<Options> = (
  call: RouteCall,
  argument: string,
  given: readonly string[],
  options: Options,
) => Promise<void>;

/** `owner`: whose groups they are. `add` adds the command of a call, with its options, to `parent` or a group. */
export function addCalls<Options>(
  parent: Command,
  owner: string,
  calls: RouteCalls,
  run: RunCall<Options>,
  add: (group: Command, usage: string, call: RouteCall) => Command,
): void {
  const groups = new Map<string, Command>();
  for (const [words, call] of calls) {
    const [first = '', second] = words.split(' ');
    let group = second === undefined ? parent : groups.get(first);
    if (!group) groups.set(first, (group = parent.command(first).description(`${owner} ${first}`)));
    const argument = call.argument === undefined ? '' : ` <${call.argument}>`;
    add(group, `${second ?? first}${argument} [field=value...]`, call).action((...given: unknown[]) => {
      const [fields, options] = given.slice(-3) as [readonly string[], Options];
      return run(call, call.argument === undefined ? '' : String(given[0]), fields, options);
    });
  }
}

/** The fields, with the types of the call's schema. */
export function readFields(...given: Parameters<typeof fieldsOf>): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(...given);
  } catch (error) {
    throw error instanceof WrongField ? new CommandFailed(error.message, EXIT.usage) : error;
  }
}

/** With its question mark; empty without fields. */
export function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
