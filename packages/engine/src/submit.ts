/** A command with a promise of its answer. Where orders come by the thousand, the waiter of `send` costs less. */

import type { Command } from '@bourse/core';
import type { Answer, ExchangePort, Sender } from './exchange-port.ts';

/** Rejects with Unavailable when the command is not taken, or fails. */
export function submit(port: Pick<ExchangePort, 'send'>, command: Command, sender: Sender): Promise<Answer> {
  return new Promise((answered, failed) => port.send(command, { answered, failed }, sender));
}
