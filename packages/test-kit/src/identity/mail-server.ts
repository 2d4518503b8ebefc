/** A mail server on loopback that stores the mails it receives. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface Received {
  readonly to: string;
  readonly text: string;
}

export class MailServer {
  readonly received: Received[] = [];
  /** Replies to recipients, such as 451; a recipient without one is accepted. */
  readonly replies = new Map<string, number>();
  /** Recipients that the server was asked for, refused ones too. */
  readonly asked: string[] = [];
  readonly #server: SMTPServer;
  readonly #waiting: (() => void)[] = [];

  constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _, done) => {
        this.asked.push(address);
        const responseCode = this.replies.get(address);
        done(responseCode === undefined ? null : Object.assign(new Error('not now'), { responseCode }));
      },
      onData: (stream, session, done) => {
        let text = '';
        stream.on('data', (piece: Buffer) => (text += piece));
        stream.on('end', () => {
          const [to] = session.envelope.rcptTo;
          this.received.push({ to: to?.address ?? '', text });
          for (const wake of this.#waiting.splice(0)) wake();
          done();
        });
      },
    });
  }

  async listen(port = 0): Promise<number> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server.server, 'listening');
    return (this.#server.server.address() as AddressInfo).port;
  }

  async next(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Waits for a mail with a link to the page; returns the token of the newest one. */
  async tokenOf(page: string, to: string): Promise<string> {
    for (;;) {
      for (const { to: whom, text } of this.received.toReversed()) {
        // Decode quoted-printable: soft line breaks, and the escaped `=`.
        const plain = text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
        const [, token] = new RegExp(`/${page}\\?token=([\\w-]+)`).exec(plain) ?? [];
        if (whom === to && token !== undefined) return token;
      }
      await this.next(this.received.length + 1);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
