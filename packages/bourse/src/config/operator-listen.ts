/** The operators' listener. A venue has a separate one; a sandbox has one address for everything. */

import type { ListenAddress } from '@bourse/engine';

const OPERATOR_HOST = '127.0.0.1';
const OPERATOR_PORT = 8081;
const PORT_MAX = 65_535;

/** A unix socket, or a port with an optional host. */
export const LISTEN_PATTERN = '^([.]{0,2}/.+|([^/\\s]+:)?[0-9]{1,5})?$';

interface ListenSettings {
  readonly venue: boolean;
  readonly port: number;
  readonly operatorListen: string;
}

/** Undefined in a sandbox. */
export function operatorListenAddress(settings: ListenSettings): ListenAddress | undefined {
  const { venue, port: publicPort, operatorListen: text } = settings;
  if (!venue) return undefined;
  // With any free port there may be several exchanges, and the usual port is free for only one of them.
  if (text === '') return { host: OPERATOR_HOST, port: publicPort === 0 ? 0 : OPERATOR_PORT };
  if (text.includes('/')) return { path: text };
  const [, host = OPERATOR_HOST, port] = /^(?:(.+):)?([0-9]+)$/.exec(text)!;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** A message for each problem in the operator settings. */
export function findOperatorConflicts(
  settings: ListenSettings & { readonly operatorPublicUrl: string; readonly operatorRemote: boolean },
): string[] {
  const { venue, operatorListen, operatorPublicUrl, operatorRemote } = settings;
  const conflicts: string[] = [];
  for (const [name, value] of Object.entries({ operatorListen, operatorPublicUrl })) {
    if (value !== '' && !venue) {
      conflicts.push(
        `${name}: only a venue has a listener for operators; a sandbox has one address. Leave it out.`,
      );
    }
  }
  if (venue && operatorPublicUrl !== '' && !operatorRemote) {
    conflicts.push(
      'operatorPublicUrl: requests through a proxy are rejected unless operatorRemote is set. Set it, or omit operatorPublicUrl.',
    );
  }
  const port = /(?:^|:)([0-9]+)$/.exec(operatorListen.includes('/') ? '' : operatorListen)?.[1];
  if (Number(port ?? 0) > PORT_MAX) {
    conflicts.push(
      `operatorListen: ${port} is not a port. Give one from 0 to ${PORT_MAX}, 0 for a free one.`,
    );
  }
  return conflicts;
}
