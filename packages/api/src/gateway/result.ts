/** The result of a route: data or a command in flight, then rendered in the envelope of a dialect. */

import type { Command } from '@bourse/core';
import type { CommandResult, ExchangePort, Sender, Waiter } from '@bourse/engine';
import { type ErrorName, type ErrorRow, ERRORS } from './errors/errors.ts';
import type { Refusal } from './errors/refusal.ts';
import type { Dialect, Shape } from './route.ts';

/** A request that waits for the result of its route. */
export interface Awaiting {
  succeed(data: unknown): void;
  refuse(error: unknown): void;
}

/** Replaces a promise at the cost of one object: the outcome is passed directly to the pending request. */
export class SentCommand implements Waiter {
  readonly #show: (answer: CommandResult) => unknown;
  #awaiting: Awaiting | undefined;

  /** Throws refusals, like `show`, which converts the outcome into the route's result: data, or a promise of it. */
  constructor(
    port: Pick<ExchangePort, 'send'>,
    command: Command,
    sender: Sender,
    show: (answer: CommandResult) => unknown,
  ) {
    this.#show = show;
    port.send(command, this, sender);
  }

  /** Call it before the port can respond: in the event loop iteration in which the route returned this. */
  deliverTo(awaiting: Awaiting): void {
    this.#awaiting = awaiting;
  }

  answered(answer: CommandResult): void {
    const awaiting = this.#awaiting!;
    let given: unknown;
    try {
      given = this.#show(answer);
    } catch (error) {
      awaiting.refuse(error);
      return;
    }
    settle(given, awaiting);
  }

  failed(error: Error): void {
    this.#awaiting!.refuse(error);
  }
}

/** Passes the result of a route to the request: at once, or when it resolves. */
export function settle(given: unknown, awaiting: Awaiting): void {
  if (given instanceof SentCommand) given.deliverTo(awaiting);
  else if (given instanceof Promise) {
    given.then(
      (data: unknown) => awaiting.succeed(data),
      (error: unknown) => awaiting.refuse(error),
    );
  } else awaiting.succeed(given);
}

/** The same as a promise. */
export function settled(given: unknown): Promise<unknown> {
  return new Promise((succeed, refuse) => settle(given, { succeed, refuse }));
}

/** JSON that is already text. For frequent responses, and for integers beyond 2^53. */
export class Raw {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

export function renderSuccess(dialect: Dialect, shape: Shape, data: unknown): string {
  if (dialect.isLiteral && shape === 'bare') return textOfData(data);
  return `{${successMembers(dialect, shape, data)}}`;
}

/** The members of a response with an envelope, without the braces. */
export function successMembers(dialect: Dialect, shape: Shape, data: unknown): string {
  const text = textOfData(data);
  if (!dialect.isLiteral || shape === 'A') return `"code":"200000","data":${text}`;
  return `"success":true,"code":"200","msg":"success","retry":false,"data":${text}`;
}

const textOfData = (data: unknown): string =>
  data instanceof Raw ? data.json : (JSON.stringify(data) ?? 'null');

export function statusOf(dialect: Dialect, error: ErrorName): number {
  const row: ErrorRow = ERRORS[error];
  return row.business && !dialect.isLiteral ? 200 : row.status;
}

/**
 * The literal dialect explains in `msg`, after the table's text; in the family dialect `msg` is the text alone, because
 * its clients compare it exactly, and the explanation is in `detail`.
 */
export function renderRefusal(dialect: Dialect, shape: Shape, refusal: Refusal): string {
  const { code, retry } = ERRORS[refusal.error];
  const text = errorText(dialect, refusal);
  const { detail } = refusal;
  if (!dialect.isLiteral) {
    const extra = detail ? `,"detail":${JSON.stringify(detail)}` : '';
    return `{"code":"${code}","msg":${JSON.stringify(text)}${extra}}`;
  }
  const msg = JSON.stringify(withDetail(text, detail));
  if (shape === 'B') return `{"success":false,"code":"${code}","msg":${msg},"retry":${retry},"data":null}`;
  return `{"code":"${code}","msg":${msg}}`;
}

/** The table's text first and unchanged, then the explanation. */
export function withDetail(text: string, detail: string): string {
  if (detail === '') return text;
  return /[.!]$/.test(text) ? `${text} ${detail}` : `${text}: ${detail}`;
}

export function errorText(dialect: Dialect, refusal: Refusal): string {
  const { text }: ErrorRow = ERRORS[refusal.error];
  if (!text.includes('{')) return text;
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    name === 'PREFIX' ? dialect.prefix : (refusal.values[name] ?? place),
  );
}
