/**
 * Mails in flight to a mail server. They stay in an encrypted file until the server has accepted them, so an unavailable
 * server or a restart only delays them. A crash between the acceptance and the next write of the file sends a mail again,
 * with the same Message-ID.
 */

import type { Transporter } from 'nodemailer';
import { type Clock, isFile, readText, writeDurableText } from '@bourse/engine';
import type { VenueKeys } from '../venue-keys.ts';
import type { Mail, MailSender } from './mail.ts';

/** The name of the file in the data directory. */
export const OUTBOX_FILE = 'outbox';

const MAILS_MAX = 1000;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 5 * 60_000;
const SMTP_TIMEOUT_MS = 30_000;

export interface OutboxOptions {
  readonly smtpUrl: string;
  readonly from: string;
  readonly path: string;
  readonly keys: VenueKeys;
  /** The machine's. */
  readonly clock: Clock;
  readonly warn: (sentence: string) => void;
}

export class Outbox implements MailSender {
  readonly #options: OutboxOptions;
  readonly #transport: Transporter;
  readonly #pending = new Map<string, Mail>();
  #written: Promise<void> = Promise.resolve();
  #sending: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #retryMs = RETRY_MS_MIN;
  #isClosed = false;

  private constructor(options: OutboxOptions, transport: Transporter) {
    this.#options = options;
    this.#transport = transport;
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    // Imported lazily: 40 files that only a venue with a mail server needs.
    const { createTransport } = await import('nodemailer');
    const timeouts = {
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
    };
    const outbox = new Outbox(options, createTransport({ url: options.smtpUrl, ...timeouts }));
    const { path, keys, warn } = options;
    if (await isFile(path)) {
      for (const line of (await readText(path)).split('\n')) {
        const text = line === '' ? null : keys.openMail(line);
        if (text !== null) {
          const mail = JSON.parse(text) as Mail;
          outbox.#pending.set(mail.id, mail);
        } else if (line !== '')
          warn(`${path}: a mail was encrypted with a different secretKey; it was dropped`);
      }
    }
    outbox.#wake();
    return outbox;
  }

  get size(): number {
    return this.#pending.size;
  }

  send(mail: Mail): void {
    if (this.#pending.size >= MAILS_MAX) {
      this.#options.warn(`${MAILS_MAX} mails are waiting for the mail server; a new one was dropped`);
      return;
    }
    this.#pending.set(mail.id, mail);
    this.#write();
    this.#wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#transport.close();
    await this.#sending;
    await this.#written;
  }

  #wake(): void {
    if (this.#isClosed || this.#sending || this.#cancelRetry || this.#pending.size === 0) return;
    this.#sending = this.#deliver().finally(() => {
      this.#sending = undefined;
      this.#wake();
    });
  }

  /** Oldest first; after a failure all mails wait for the retry. */
  async #deliver(): Promise<void> {
    const [mail] = this.#pending.values();
    if (!mail) return;
    const { id, to, subject, text, html, time } = mail;
    const { from, clock, warn } = this.#options;
    try {
      const messageId = `<${id}@${from.split('@').at(-1)?.replace('>', '') ?? 'localhost'}>`;
      await this.#transport.sendMail({ from, to, subject, text, html, messageId, date: new Date(time) });
    } catch (error) {
      const { responseCode = 0, message } = error as { responseCode?: number; message: string };
      // A permanent error (5xx): a retry would fail too.
      if (responseCode >= 500 && responseCode < 600) {
        warn(`the mail server rejected a mail (${responseCode}); it was dropped`);
        this.#remove(id);
        return;
      }
      if (!this.#isClosed) warn(`the mail server is unavailable; mails are queued: ${message}`);
      this.#cancelRetry = clock.after(this.#retryMs, () => {
        this.#cancelRetry = undefined;
        this.#wake();
      });
      this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * 2);
      return;
    }
    this.#retryMs = RETRY_MS_MIN;
    this.#remove(id);
  }

  #remove(id: string): void {
    this.#pending.delete(id);
    this.#write();
  }

  #write(): void {
    const { path, keys, warn } = this.#options;
    this.#written = this.#written
      .then(() => {
        const lines = Array.from(
          this.#pending.values(),
          (mail) => `${keys.sealMail(JSON.stringify(mail))}\n`,
        );
        return writeDurableText(path, lines.join(''));
      })
      .catch((error: unknown) => warn(`${path} cannot be written: ${(error as Error).message}`));
  }
}
