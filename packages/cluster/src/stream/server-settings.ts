/**
 * The configuration of the log servers, as far as they reveal it: `deploy/make-credentials.sh` lets only nodes query it
 * from the system account. A server that acknowledges before it syncs looks like any other until the power fails.
 */

import type { NatsConnection } from '@nats-io/transport-node';

export interface LogServerSettings {
  readonly name: string;
  /** It syncs before it acknowledges. */
  readonly isSynced: boolean;
  /** Its max_payload. */
  readonly messageBytesMax: number;
}

interface Varz {
  readonly server?: { readonly name?: string };
  readonly data?: {
    readonly max_payload?: number;
    readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
  };
}

const SUBJECT = '$SYS.REQ.SERVER.PING.VARZ';
/** Every server replies for itself; nobody says how many there are. */
const ANSWERS_MS = 1000;

/** Of the servers that reply; none if they do not reveal it. */
export async function askServerSettings(connection: NatsConnection): Promise<LogServerSettings[]> {
  const found: LogServerSettings[] = [];
  try {
    const answers = await connection.requestMany(SUBJECT, '{}', { maxWait: ANSWERS_MS, strategy: 'timer' });
    for await (const answer of answers) {
      const { server, data } = answer.json<Varz>();
      if (!data?.jetstream?.config) continue;
      found.push({
        name: server?.name ?? '',
        isSynced: data.jetstream.config.sync_always === true,
        messageBytesMax: data.max_payload ?? 0,
      });
    }
  } catch {
    // Not allowed, or nobody there: return the replies so far.
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
