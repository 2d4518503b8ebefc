/**
 * The keyring of a cluster: people's wrapped keys, in a separate stream on the log servers that every node reads. It is
 * not part of the log, because the log is never rewritten, but keys must be erasable. Rows are wrapped with the venue's
 * secret and bound to their person: without the secret, access to the servers allows destroying rows, but not reading or
 * forging them.
 */

import type { NatsConnection } from '@nats-io/transport-node';
import { nodeClock, Unavailable } from '@bourse/engine';
import { ClusterUnfit, NO_PEERS, NO_STREAM, UNAVAILABLE, untilAnswered } from '../stream/nats-link.ts';

const ASK_MS_MAX = 2000;
/** How long a call may wait while the servers elect a leader. */
const WAIT_MS_MAX = 10_000;
/** A key without a person that is older was left over from a crash: people are added within seconds of their key. */
const LEFT_OVER_MS = 3_600_000;
const NAME_IN_USE = 10_058;
const NO_MESSAGE = 10_037;

interface Reply {
  readonly error?: { readonly code: number; readonly err_code?: number; readonly description?: string };
  /** `data` is base64. */
  readonly message?: { readonly seq: number; readonly data?: string; readonly time: string };
  /** The number of messages per subject. */
  readonly state?: { readonly subjects?: object };
  /** The total number of subjects, which are paged. */
  readonly total?: number;
}

export const nameOfKeys = (stream: string): string => `${stream}-keyring`;

export class KeyStream {
  readonly #connection: NatsConnection;
  readonly #name: string;

  private constructor(connection: NatsConnection, stream: string) {
    this.#connection = connection;
    this.#name = nameOfKeys(stream);
  }

  /** Creates the stream if it does not exist. Throws ClusterUnfit. */
  static async open(connection: NatsConnection, stream: string, replicas: number): Promise<KeyStream> {
    const keys = new KeyStream(connection, stream);
    const { error } = await keys.#ask('STREAM.INFO', {});
    if (error?.err_code === NO_STREAM) await keys.#create(replicas);
    else if (error) throw keys.#refused(error);
    return keys;
  }

  async find(person: string): Promise<string | null> {
    const message = await this.#message(person);
    return message ? Buffer.from(message.data ?? '', 'base64').toString() : null;
  }

  /** Resolves when a majority of the servers has stored the row. */
  async add(person: string, wrapped: string): Promise<void> {
    const { error } = await this.#request(this.#subject(person), wrapped);
    if (error) throw this.#refused(error);
  }

  /** The servers overwrite the row. */
  async remove(person: string): Promise<void> {
    const message = await this.#message(person);
    if (!message) return;
    const { error } = await this.#ask('STREAM.MSG.DELETE', { seq: message.seq, no_erase: false });
    // Another node may have removed it first.
    if (error && error.err_code !== NO_MESSAGE && (await this.#message(person))) throw this.#refused(error);
  }

  /** Removes keys without a person, left over from a crash. */
  async tidy(isKnown: (person: string) => boolean): Promise<void> {
    const before = nodeClock.now() - LEFT_OVER_MS;
    for (const person of await this.#people()) {
      if (isKnown(person)) continue;
      const message = await this.#message(person);
      if (message && Date.parse(message.time) < before) await this.remove(person);
    }
  }

  async #create(replicas: number): Promise<void> {
    const config = {
      name: this.#name,
      subjects: [`${this.#name}.*`],
      num_replicas: replicas,
      storage: 'file',
      retention: 'limits',
      discard: 'new',
      max_msgs_per_subject: 1,
      duplicate_window: 0,
    };
    const { error } = await this.#ask('STREAM.CREATE', config);
    if (!error || error.err_code === NAME_IN_USE) return;
    throw new ClusterUnfit(
      `The key stream '${this.#name}' with ${replicas} replicas cannot be created (${error.description}). Start at least that ` +
        'many log servers, with free space, or set a smaller number with --cluster-copies.',
    );
  }

  async #people(): Promise<string[]> {
    const people: string[] = [];
    for (;;) {
      const query = { subjects_filter: '>', offset: people.length };
      const { state, total = 0, error } = await this.#ask('STREAM.INFO', query);
      if (error) throw this.#refused(error);
      const page = Object.keys(state?.subjects ?? {});
      people.push(...page.map((subject) => subject.slice(this.#name.length + 1)));
      if (page.length === 0 || people.length >= total) return people;
    }
  }

  /** Read from the stream's leader, because a replica may lag. */
  async #message(person: string): Promise<Reply['message'] | null> {
    const { message, error } = await this.#ask('STREAM.MSG.GET', { last_by_subj: this.#subject(person) });
    if (error && error.err_code !== NO_MESSAGE) throw this.#refused(error);
    return message ?? null;
  }

  /** The exchange generates people's ids from letters, digits and hyphens, which are valid in subjects. */
  #subject(person: string): string {
    return `${this.#name}.${person.replaceAll(/[^\w-]/g, '_')}`;
  }

  #ask(what: string, body: object): Promise<Reply> {
    return this.#request(`$JS.API.${what}.${this.#name}`, JSON.stringify(body));
  }

  /** Retrying is safe, because a person has at most one row. Throws Unavailable. */
  async #request(subject: string, body: string): Promise<Reply> {
    const send = async (): Promise<Reply> => {
      const answer = await this.#connection.request(subject, body, { timeout: ASK_MS_MAX });
      const reply = answer.json<Reply>();
      const { code, err_code: errorCode, description } = reply.error ?? {};
      if (code !== UNAVAILABLE && errorCode !== NO_PEERS) return reply;
      throw Object.assign(new Error(description), { status: code, code: errorCode });
    };
    try {
      return await untilAnswered(this.#connection, send, WAIT_MS_MAX);
    } catch (error) {
      if (!(error instanceof ClusterUnfit)) throw error;
      throw new Unavailable('no-leader', `${error.message} Nothing has changed; try again.`);
    }
  }

  #refused(error: Reply['error']): ClusterUnfit {
    return new ClusterUnfit(
      `The log servers rejected a request to '${this.#name}': ${error?.description ?? 'no reason given'}.`,
    );
  }
}
