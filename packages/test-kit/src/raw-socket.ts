/** Raw bytes to a server and back, without a client that would correct them. */

import { connect } from 'node:net';

const WAIT_MS_MAX = 30_000;

/** Sends the bytes and returns everything received until the server closes, or until `count` responses are complete. */
export function sendBytes(
  port: number,
  bytes: string | Buffer,
  count = Number.POSITIVE_INFINITY,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const finish = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(WAIT_MS_MAX, () => {
      socket.destroy();
      reject(new Error(`no end of ${JSON.stringify(received.slice(0, 200))}`));
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (count !== Number.POSITIVE_INFINITY && splitAnswers(received).length >= count) finish();
    });
    socket.on('close', finish);
    socket.on('error', finish);
  });
}

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The complete responses in the received bytes. */
export function splitAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const head = rest.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (rest.length < end + 4 + length) return answers;
    answers.push({ status: Number(head.slice(9, 12)), head, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
}
