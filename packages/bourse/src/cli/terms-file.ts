/** Terms of a currency or symbol, sent as they are in a JSON file. */

import { readText, systemSentence } from '@bourse/engine';
import { jsonFault } from '../config/json-fault.ts';
import { CommandFailed, EXIT } from './exit-codes.ts';
import { type ConnectOptions, OperatorClient } from './operator-client.ts';
import { show } from './users.ts';

interface Options extends ConnectOptions {
  readonly json?: boolean;
  readonly reason: string;
}

export async function sendFile(path: string, file: string, options: Options): Promise<void> {
  const body = await readTerms(file);
  const client = await OperatorClient.open(options);
  show(options, await client.post(path, { ...body, reason: options.reason }));
}

export async function readTerms(file: string): Promise<Record<string, unknown>> {
  const text = await readText(file).catch((error: unknown) => {
    throw new CommandFailed(
      systemSentence(error, file) ?? `${file}: ${(error as Error).message}.`,
      EXIT.usage,
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandFailed(`${file}: not JSON from ${jsonFault(text)} on.`, EXIT.usage);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new CommandFailed(`${file}: it must hold one JSON object, such as {"precision": 2}.`, EXIT.usage);
}
