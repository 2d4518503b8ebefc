/** Sends a command as the user it names, or as the operator, and resolves with its answer. */

import type { Command } from '@bourse/core';
import {
  type CommandResult,
  type ExchangePort,
  OPERATOR,
  type Sender,
  submit as submitAs,
} from '../../engine/src/exchange-port.ts';

export const senderOf = (command: Command): Sender =>
  'user' in command && typeof command.user === 'number' && !('by' in command) ? command.user : OPERATOR;

export const submit = (port: Pick<ExchangePort, 'send'>, command: Command): Promise<CommandResult> =>
  submitAs(port, command, senderOf(command));
