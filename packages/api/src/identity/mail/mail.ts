/** Mails: their texts, the interface of their senders, and the limit per address. */

import { randomUUID } from 'node:crypto';

export interface Mail {
  /** Unique and stable, so that a duplicate can be recognised. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Exchange time, milliseconds. */
  readonly time: number;
  readonly links: readonly string[];
}

export interface MailSender {
  /** Enqueues it; delivery is asynchronous. `isRequested`: less important than a notice of what was done. */
  send(mail: Mail, isRequested: boolean): void;
  close(): Promise<void>;
}

const KEPT_MAX = 1000;

/** The latest mails of a sandbox without a mail server, in memory. */
export class Mailbox implements MailSender {
  readonly #mails: Mail[] = [];

  send(mail: Mail): void {
    this.#mails.push(mail);
    if (this.#mails.length > KEPT_MAX) this.#mails.shift();
  }

  /** Newest first; without `to`, everybody's. */
  list(to?: string): Mail[] {
    const wanted = to?.trim().toLowerCase();
    return this.#mails
      .filter((mail) => wanted === undefined || mail.to.toLowerCase() === wanted)
      .toReversed();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Per address or person and window. */
const MAILS_MAX = 10;
const WINDOW_MS = 60 * 60_000;
const OWNERS_MAX = 100_000;

/**
 * Limits requested mails: to one address, because strangers can trigger them by signing up or resetting a password, and of
 * one person, who may name any address as the new one. In memory and bounded. Nodes of a cluster report sent mails to each
 * other.
 */
export class MailBudget {
  readonly #windows = new Map<string, { since: number; count: number }>();
  readonly #now: () => number;
  #onSpent: (owner: string) => void = () => undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether another mail may be sent. `owner` is the keyed hash of an address, or a person's id. */
  spend(owner: string): boolean {
    if (this.#windowOf(owner).count >= MAILS_MAX) return false;
    this.note(owner);
    this.#onSpent(owner);
    return true;
  }

  /** Milliseconds until `spend` counts anew. */
  waitMs(owner: string): number {
    return this.#windowOf(owner).since + WINDOW_MS - this.#now();
  }

  /** Counts a mail that another node has sent. */
  note(owner: string): void {
    this.#windowOf(owner).count++;
  }

  /** Called for each mail that may be sent. */
  onSpent(listener: (owner: string) => void): void {
    this.#onSpent = listener;
  }

  #windowOf(owner: string): { since: number; count: number } {
    const now = this.#now();
    const window = this.#windows.get(owner);
    if (window && now - window.since < WINDOW_MS) return window;
    const next = { since: now, count: 0 };
    this.#windows.delete(owner);
    this.#windows.set(owner, next);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > OWNERS_MAX && oldest !== undefined) this.#windows.delete(oldest);
    return next;
  }
}

// The texts of mails. Each names the device and address it concerns, and has a link that freezes the account.

export interface MailParts {
  readonly subject: string;
  /** Paragraphs. */
  readonly paragraphs: readonly string[];
  /** The link to click, if there is one. */
  readonly action?: { readonly label: string; readonly link: string };
}

export interface MailContext {
  readonly to: string;
  readonly device: string;
  readonly address: string;
  readonly freezeLink: string;
  readonly time: number;
}

export const MAILS = {
  signUp: (link: string): MailParts => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'Somebody, probably you, signed up with this address. Open the link to confirm it; it works once, for 24 hours.',
      'If it was not you, do nothing: without the link there is no account.',
    ],
    action: { label: 'Confirm', link },
  }),
  alreadyRegistered: (link: string): MailParts => ({
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, probably you, tried to sign up with this address, which already has an account. Sign in with it, or open the link to set a new password.',
    ],
    action: { label: 'Sign in', link },
  }),
  reset: (link: string): MailParts => ({
    subject: 'Set a new password',
    paragraphs: [
      'Somebody, probably you, asked for a new password. Open the link to set one; it works once, for 24 hours.',
      'If it was not you, do nothing: your password stays as it is.',
    ],
    action: { label: 'Set a new password', link },
  }),
  operator: (link: string): MailParts => ({
    subject: 'Your operator access',
    paragraphs: [
      'The account of this address is being given operator access to this exchange. Sign in as usual. If you have no password yet, or want a new one, open the link to set it; it works once, for 24 hours.',
    ],
    action: { label: 'Set a password', link },
  }),
  invitedOperator: (link: string): MailParts => ({
    subject: 'Your operator access',
    paragraphs: [
      'This address is being given operator access to this exchange, and has no account yet. Open the link to sign up with this address and a password; it works once, for seven days.',
    ],
    action: { label: 'Sign up', link },
  }),
  confirmEmail: (link: string): MailParts => ({
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      'Open the link to use this address for your account from now on; it works once, for 24 hours.',
    ],
    action: { label: 'Confirm', link },
  }),
  emailTaken: (): MailParts => ({
    subject: 'This address has an account already',
    paragraphs: [
      'Somebody asked to use this address for another account. It has one already, so nothing changes.',
    ],
  }),
  emailAsked: (next: string): MailParts => ({
    subject: 'Your e-mail address is about to change',
    paragraphs: [`Somebody signed in to your account asked to change its e-mail address to ${next}.`],
  }),
  changed: (what: string): MailParts => ({
    subject: `Your account: ${what}`,
    paragraphs: [`${what[0]?.toUpperCase()}${what.slice(1)}.`],
  }),
} as const;

export function compose(parts: MailParts, context: MailContext): Mail {
  const { to, device, address, freezeLink, time } = context;
  const { subject, paragraphs, action } = parts;
  const from = `This was done from ${address || 'an unknown address'} with ${device || 'an unknown device'}, at ${new Date(time).toISOString()}.`;
  const alarm =
    'If it was not you, freeze your account: this ends all sessions and keys, cancels orders and stops withdrawals.';
  const text = [...paragraphs, ...(action ? [action.link] : []), from, `${alarm}\n${freezeLink}`].join(
    '\n\n',
  );
  const html = [
    ...paragraphs.map(paragraph),
    ...(action ? [`<p>${anchor(action.link, action.label)}</p>`] : []),
    paragraph(from),
    `<p>${escape(alarm)} ${anchor(freezeLink, 'Freeze my account')}</p>`,
  ].join('\n');
  const links = [...(action ? [action.link] : []), freezeLink];
  return { id: randomUUID(), to, subject, text, html, time, links };
}

const paragraph = (text: string): string => `<p>${escape(text)}</p>`;
const anchor = (link: string, label: string): string => `<a href="${escape(link)}">${escape(label)}</a>`;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
