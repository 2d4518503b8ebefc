/**
 * Backs up and restores everything on the log servers: the store of snapshots, then the log, then people's keys, each in
 * the servers' own format. In this order, even while records are appended, no snapshot is beyond the end of the
 * log, and everybody in the log has a key.
 */

import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { readFilePieces, readText, writeFileFrom, writePrivateText } from '@bourse/engine';
import { nameOfKeys } from '../states/key-stream.ts';
import { saltOf, type StreamConfig } from './nats-stream.ts';
import { ClusterUnfit, NO_PEERS, NO_STREAM, UNAVAILABLE, untilAnswered } from './nats-link.ts';

const PIECE_BYTES = 1 << 17;
const ANSWER_MS_MAX = 30_000;
/** Servers that have just started have no leader yet and drop requests instead of replying later. So the first request is retried. */
const FIRST_ANSWER_MS_MAX = 2000;
const LEADER_MS_MAX = 60_000;
/** Written last: a directory that has it is a complete copy. */
const CONTENTS = 'backup.json';

interface StreamCopy {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly messages: number;
  readonly lastMessage: number;
  /** In the form in which the servers want them back. */
  readonly config: object;
  readonly state: object;
}

export interface BackupContents {
  readonly stream: string;
  readonly copies: readonly StreamCopy[];
}

interface ApiAnswer {
  readonly error?: { readonly code?: number; readonly err_code?: number; readonly description?: string };
  readonly config?: object;
  readonly state?: { readonly messages: number; readonly last_seq: number };
  readonly deliver_subject?: string;
}

/** The order matters: see above. */
const streamsOf = (stream: string): string[] => [`OBJ_${stream}-snapshots`, stream, nameOfKeys(stream)];

/** Into a directory without a copy. Throws ClusterUnfit. */
export async function backUp(
  connection: NatsConnection,
  stream: string,
  dir: string,
): Promise<BackupContents> {
  if (await readText(join(dir, CONTENTS)).catch(() => null))
    throw new ClusterUnfit(`${dir} has a backup already. Name another directory.`);
  const copies: StreamCopy[] = [];
  for (const name of streamsOf(stream)) copies.push(await copyOut(connection, name, dir));
  const contents = { stream, copies };
  await writePrivateText(join(dir, CONTENTS), `${JSON.stringify(contents, null, 2)}\n`);
  return contents;
}

/**
 * The last message of the log in a complete backup of this very stream. Reads every byte of it. Throws ClusterUnfit if it
 * is damaged, or of another cluster.
 */
export async function verifyBackup(dir: string, stream: string, salt: string): Promise<number> {
  const contents = await readContents(dir, stream);
  const log = contents.copies.find(({ name }) => name === stream);
  if (log === undefined || saltOf(log.config as StreamConfig) !== salt)
    throw new ClusterUnfit(`${dir} is a backup of another cluster with a stream of this name.`);
  for (const copy of contents.copies) await checkCopy(copy, dir);
  return log.lastMessage;
}

/** Into servers that have neither: nothing is overwritten. Throws ClusterUnfit. */
export async function restore(
  connection: NatsConnection,
  stream: string,
  dir: string,
): Promise<BackupContents> {
  const contents = await readContents(dir, stream);
  for (const { name } of contents.copies) {
    const { state, error } = await untilAnswered(
      connection,
      () => ask(connection, `STREAM.INFO.${name}`, {}, FIRST_ANSWER_MS_MAX),
      LEADER_MS_MAX,
    );
    if (error && error.err_code !== NO_STREAM) throw refused(name, error);
    if (state) throw isThere(name, state.messages);
  }
  for (const copy of contents.copies) await checkCopy(copy, dir);
  for (const copy of contents.copies) await copyBack(connection, copy, dir);
  return contents;
}

async function readContents(dir: string, stream: string): Promise<BackupContents> {
  const text = await readText(join(dir, CONTENTS)).catch(() => null);
  if (!text) throw new ClusterUnfit(`${dir} has no whole backup: ${CONTENTS} is missing.`);
  const contents = JSON.parse(text) as BackupContents;
  if (contents.stream === stream) return contents;
  throw new ClusterUnfit(
    `${dir} is a backup of the stream '${contents.stream}', not of '${stream}'. Name it with --cluster-stream.`,
  );
}

async function copyOut(connection: NatsConnection, name: string, dir: string): Promise<StreamCopy> {
  const inbox = `_INBOX.${randomBytes(12).toString('hex')}`;
  const pieces = connection.subscribe(inbox);
  try {
    const query = { deliver_subject: inbox, no_consumers: true, chunk_size: PIECE_BYTES };
    const { error, config, state } = await ask(connection, `STREAM.SNAPSHOT.${name}`, query);
    if (error || !config || !state) throw refused(name, error);
    const file = `${name}.stream`;
    const hash = createHash('sha256');
    let bytes = 0;
    const body = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        if (piece.data.length === 0) {
          // A header says why the servers stopped before everything was sent.
          if (piece.headers?.hasError) throw new ClusterUnfit(`${name}: ${piece.headers.description}`);
          return;
        }
        hash.update(piece.data);
        bytes += piece.data.length;
        yield piece.data;
        piece.respond();
      }
    };
    await writeFileFrom(join(dir, file), body());
    const { messages, last_seq: lastMessage } = state;
    return { name, file, bytes, sha256: hash.digest('hex'), messages, lastMessage, config, state };
  } finally {
    pieces.unsubscribe();
  }
}

async function checkCopy({ file, sha256 }: StreamCopy, dir: string): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of readFilePieces(join(dir, file), PIECE_BYTES)) hash.update(piece);
  if (hash.digest('hex') !== sha256)
    throw new ClusterUnfit(`${join(dir, file)} is damaged: it does not match its hash. Nothing was changed.`);
}

async function copyBack(connection: NatsConnection, copy: StreamCopy, dir: string): Promise<void> {
  const { name, file, config, state } = copy;
  const begun = await untilAnswered(connection, () =>
    ask(connection, `STREAM.RESTORE.${name}`, { config, state }),
  );
  if (begun.error || begun.deliver_subject === undefined) throw refused(name, begun.error);
  const send = async (bytes: Uint8Array): Promise<Msg> =>
    connection.request(begun.deliver_subject!, bytes, { timeout: ANSWER_MS_MAX });
  for await (const piece of readFilePieces(join(dir, file), PIECE_BYTES)) {
    const { data } = await send(piece);
    if (data.length > 0) throw refused(name, (JSON.parse(Buffer.from(data).toString()) as ApiAnswer).error);
  }
  const { error } = (await send(new Uint8Array())).json<ApiAnswer>();
  if (error) throw refused(name, error);
}

/** Throws errors that `untilAnswered` retries. */
async function ask(
  connection: NatsConnection,
  what: string,
  body: object,
  timeout = ANSWER_MS_MAX,
): Promise<ApiAnswer> {
  const reply = await connection.request(`$JS.API.${what}`, JSON.stringify(body), { timeout });
  const answer = reply.json<ApiAnswer>();
  const { code, err_code: errorCode, description } = answer.error ?? {};
  if (code === UNAVAILABLE || errorCode === NO_PEERS)
    throw Object.assign(new Error(description), { status: code, code: errorCode });
  return answer;
}

const refused = (name: string, error: ApiAnswer['error']): ClusterUnfit =>
  new ClusterUnfit(
    `The log servers refuse the copy of '${name}' (${error?.description ?? 'without a reason'}).`,
  );

const isThere = (name: string, messages: number): ClusterUnfit =>
  new ClusterUnfit(
    `The log servers have '${name}' already, with ${messages} messages. A backup is restored into servers without it: stop ` +
      'all nodes and log servers, move the directory `jetstream` of every log server away, start the log servers, and ' +
      'restore again. Nothing was changed.',
  );
