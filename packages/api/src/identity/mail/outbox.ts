/**
 * Mails in flight to a mail server. They stay in an encrypted file until the server has accepted them, so an unavailable
 * server or a restart only delays them. A crash between the acceptance and the next write of the file sends a mail again,
 * with the same Message-ID.
 *
 * A line of the file is a sealed mail, `late ID TIME` for one that the server first deferred then, or `gone ID` for a mail
 * that no longer waits. Lines are appended; the file is rewritten when nothing waits any more, or when it has too many
 * lines.
 */

import type { Transporter } from 'nodemailer';
import { DAY_MS } from '@bourse/core';
import { appendDurableText, type Clock, isFile, readText, writeDurableText } from '@bourse/engine';
import type { VenueKeys } from '../venue-keys.ts';
import type { Mail, MailSender } from './mail.ts';

/** The name of the file in the data directory. */
export const OUTBOX_FILE = 'outbox';

const MAILS_MAX = 1000;
/** The rest is for notices, such as that of a changed password: nobody can use it up by requesting mails. */
const REQUESTED_MAX = 800;
/** Notices follow what a person does, so one person can cause many. */
const MAILS_PER_ADDRESS_MAX = 20;
/** With more, the file is rewritten: once in a thousand mails, or less often. */
const LINES_MAX = 3 * MAILS_MAX;
const GONE = 'gone ';
const LATE = 'late ';
/** While the server is unavailable. */
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 5 * 60_000;
/** For one mail that the server has deferred: the first retry, doubled up to the longest. */
const DEFERRED_MS_MIN = 60_000;
const DEFERRED_MS_MAX = 60 * 60_000;
/** As long as mail servers themselves keep trying (RFC 5321, 4.5.4.1). */
const GIVE_UP_MS = 5 * DAY_MS;
const SMTP_TIMEOUT_MS = 30_000;
/** A stop waits this long for the mail in flight. After that the mail stays in the file, and the next start sends it. */
const STOP_MS = 3000;

export interface OutboxOptions {
  readonly smtpUrl: string;
  readonly from: string;
  readonly path: string;
  readonly keys: VenueKeys;
  /** The machine's. */
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Overrides LINES_MAX. */
  readonly linesMax?: number;
}

interface Pending {
  readonly mail: Mail;
  /** The mail as it is in the file. */
  readonly line: string;
  /** When the server first deferred it, in the machine's time; 0 if it has not. */
  lateSince: number;
  /** How long it waits after the next deferral. */
  retryMs: number;
  /** Set while it waits for its own retry. */
  cancelRetry?: (() => void) | undefined;
}

const pending = (mail: Mail, line: string): Pending => ({
  mail,
  line,
  lateSince: 0,
  retryMs: DEFERRED_MS_MIN,
});

const linesOf = ({ mail, line, lateSince }: Pending): string =>
  lateSince === 0 ? line : `${line}${LATE}${mail.id} ${lateSince}\n`;

/**
 * `rejected` and `deferred` concern this mail, with a reply of the server (5xx or 4xx) or as a message that cannot be sent;
 * a retry of a rejected one would fail too. Everything else concerns all mails: the connection, TLS, authentication.
 */
function failureOf(error: unknown): 'rejected' | 'deferred' | 'unavailable' {
  const { code = '', responseCode = 0 } = error as { code?: string; responseCode?: number };
  const isOfMail = MAIL_ERRORS.has(code) && responseCode !== AUTHENTICATION_REQUIRED;
  if (!isOfMail) return 'unavailable';
  return responseCode >= 400 && responseCode < 500 ? 'deferred' : 'rejected';
}

const MAIL_ERRORS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);
/** Some servers reply so to the sender instead of offering authentication. */
const AUTHENTICATION_REQUIRED = 530;

export class Outbox implements MailSender {
  readonly #options: OutboxOptions;
  readonly #transport: Transporter;
  readonly #pending = new Map<string, Pending>();
  /** Lines that are not in the file yet. */
  #added: string[] = [];
  #lines = 0;
  /** The file may be missing or end with part of a line, so it cannot be appended to. */
  #needsRewrite = true;
  #written: Promise<void> = Promise.resolve();
  #sending: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #retryMs = RETRY_MS_MIN;
  #isClosed = false;
  #isEnded = false;

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
    for (const line of (await isFile(path)) ? (await readText(path)).split(/(?<=\n)/) : []) {
      // A crash truncated a line without an end.
      if (!line.endsWith('\n')) continue;
      if (line.startsWith(GONE)) {
        outbox.#pending.delete(line.slice(GONE.length, -1));
        continue;
      }
      if (line.startsWith(LATE)) {
        const [id = '', since] = line.slice(LATE.length, -1).split(' ');
        const late = outbox.#pending.get(id);
        if (late) late.lateSince = Number(since);
        continue;
      }
      const text = keys.openMail(line.slice(0, -1));
      if (text === null) {
        warn(`${path}: a mail was encrypted with a different secretKey; it was dropped`);
        continue;
      }
      const mail = JSON.parse(text) as Mail;
      outbox.#pending.set(mail.id, pending(mail, line));
    }
    outbox.#wake();
    return outbox;
  }

  get size(): number {
    return this.#pending.size;
  }

  send(mail: Mail, isRequested: boolean): void {
    const count = this.#pending.size;
    if (count >= (isRequested ? REQUESTED_MAX : MAILS_MAX)) {
      const what = isRequested ? 'requested one' : 'one';
      this.#options.warn(`${count} mails are waiting for the mail server; a new ${what} was dropped`);
      return;
    }
    let toSame = 0;
    for (const { mail: each } of this.#pending.values()) if (each.to === mail.to) toSame++;
    if (toSame >= MAILS_PER_ADDRESS_MAX) {
      this.#options.warn(
        `${toSame} mails to one address are waiting for the mail server; a new one was dropped`,
      );
      return;
    }
    const line = `${this.#options.keys.sealMail(JSON.stringify(mail))}\n`;
    this.#pending.set(mail.id, pending(mail, line));
    this.#write(line);
    this.#wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    for (const { cancelRetry } of this.#pending.values()) cancelRetry?.();
    this.#transport.close();
    await this.#finishSending();
    this.#isEnded = true;
    await this.#written;
  }

  #finishSending(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(STOP_MS, resolve);
      void Promise.resolve(this.#sending).then(() => {
        cancel();
        resolve();
      });
    });
  }

  #wake(): void {
    if (this.#isClosed || this.#sending || this.#cancelRetry) return;
    const next = this.#next();
    if (!next) return;
    this.#sending = this.#deliver(next).finally(() => {
      this.#sending = undefined;
      this.#wake();
    });
  }

  /** The oldest mail that does not wait for a retry of its own. */
  #next(): Pending | undefined {
    for (const each of this.#pending.values()) if (!each.cancelRetry) return each;
    return undefined;
  }

  async #deliver(next: Pending): Promise<void> {
    const { id, to, subject, text, html, time } = next.mail;
    const { from, warn } = this.#options;
    try {
      const messageId = `<${id}@${from.split('@').at(-1)?.replace('>', '') ?? 'localhost'}>`;
      await this.#transport.sendMail({ from, to, subject, text, html, messageId, date: new Date(time) });
    } catch (error) {
      const { responseCode = 'no reply', message } = error as Error & { responseCode?: number };
      switch (failureOf(error)) {
        case 'rejected':
          warn(`the mail server rejected a mail (${responseCode}); it was dropped`);
          this.#remove(id);
          return;
        case 'deferred':
          this.#retryMs = RETRY_MS_MIN;
          this.#defer(next, String(responseCode));
          return;
        case 'unavailable':
          if (!this.#isClosed) this.#pause(next, message);
          return;
      }
    }
    this.#retryMs = RETRY_MS_MIN;
    this.#remove(id);
  }

  /** Retries this mail later; the others go on. */
  #defer(late: Pending, reply: string): void {
    const { clock, warn } = this.#options;
    const { id } = late.mail;
    const now = clock.now();
    if (late.lateSince === 0) {
      late.lateSince = now;
      warn(`the mail server deferred a mail (${reply}); it is retried for ${GIVE_UP_MS / DAY_MS} days`);
      this.#write(`${LATE}${id} ${now}\n`);
    } else if (now - late.lateSince >= GIVE_UP_MS) {
      warn(`the mail server deferred a mail (${reply}) for ${GIVE_UP_MS / DAY_MS} days; it was dropped`);
      this.#remove(id);
      return;
    }
    if (this.#isClosed) return;
    late.cancelRetry = clock.after(late.retryMs, () => {
      late.cancelRetry = undefined;
      this.#wake();
    });
    late.retryMs = Math.min(DEFERRED_MS_MAX, late.retryMs * 2);
  }

  /** All mails wait. The next attempt begins with another mail: a server may close the connection because of this one. */
  #pause(failed: Pending, message: string): void {
    const { clock, warn } = this.#options;
    warn(`the mail server is unavailable; mails are queued: ${message}`);
    this.#pending.delete(failed.mail.id);
    this.#pending.set(failed.mail.id, failed);
    this.#cancelRetry = clock.after(this.#retryMs, () => {
      this.#cancelRetry = undefined;
      this.#wake();
    });
    this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * 2);
  }

  #remove(id: string): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#needsRewrite = true;
    this.#write(`${GONE}${id}\n`);
  }

  /** Writes are serialised; each writes all lines that were added since the last one. */
  #write(line: string): void {
    // The directory may have another owner by now.
    if (this.#isEnded) return;
    this.#added.push(line);
    const { path, warn } = this.#options;
    this.#written = this.#written
      .then(() => this.#flush())
      .catch((error: unknown) => warn(`${path} cannot be written: ${(error as Error).message}`));
  }

  async #flush(): Promise<void> {
    const { path, linesMax = LINES_MAX } = this.#options;
    const added = this.#added;
    if (added.length === 0) return;
    this.#added = [];
    this.#lines += added.length;
    const isWhole = this.#needsRewrite || this.#lines > linesMax;
    // Reset before the write: a removal during the write sets it again.
    this.#needsRewrite = false;
    try {
      if (isWhole) {
        this.#lines = this.#pending.size;
        await writeDurableText(path, Array.from(this.#pending.values(), linesOf).join(''));
      } else await appendDurableText(path, added.join(''));
    } catch (error) {
      this.#needsRewrite = true;
      throw error;
    }
  }
}
