/** The texts of mails. Each names the device and address it concerns, and has a link that freezes the account. */

import { randomUUID } from 'node:crypto';
import type { Mail } from './mail.ts';

export interface MailParts {
  readonly subject: string;
  /** Paragraphs. */
  readonly says: readonly string[];
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
    says: [
      'Somebody, probably you, signed up with this address. Open the link to confirm it; it works once, for 24 hours.',
      'If it was not you, do nothing: without the link there is no account.',
    ],
    action: { label: 'Confirm', link },
  }),
  alreadyRegistered: (link: string): MailParts => ({
    subject: 'You have an account already',
    says: [
      'Somebody, probably you, tried to sign up with this address, which already has an account. Sign in with it, or open the link to set a new password.',
    ],
    action: { label: 'Sign in', link },
  }),
  reset: (link: string): MailParts => ({
    subject: 'Set a new password',
    says: [
      'Somebody, probably you, asked for a new password. Open the link to set one; it works once, for 24 hours.',
      'If it was not you, do nothing: your password stays as it is.',
    ],
    action: { label: 'Set a new password', link },
  }),
  confirmEmail: (link: string): MailParts => ({
    subject: 'Confirm your new e-mail address',
    says: ['Open the link to use this address for your account from now on; it works once, for 24 hours.'],
    action: { label: 'Confirm', link },
  }),
  emailTaken: (): MailParts => ({
    subject: 'This address has an account already',
    says: ['Somebody asked to use this address for another account. It has one already, so nothing changes.'],
  }),
  emailAsked: (next: string): MailParts => ({
    subject: 'Your e-mail address is about to change',
    says: [`Somebody signed in to your account asked to change its e-mail address to ${next}.`],
  }),
  changed: (what: string): MailParts => ({
    subject: `Your account: ${what}`,
    says: [`${what[0]?.toUpperCase()}${what.slice(1)}.`],
  }),
} as const;

export function compose(parts: MailParts, context: MailContext): Mail {
  const { to, device, address, freezeLink, time } = context;
  const { subject, says, action } = parts;
  const from = `This was done from ${address || 'an unknown address'} with ${device || 'an unknown device'}, at ${new Date(time).toISOString()}.`;
  const alarm =
    'If it was not you, freeze your account: this ends all sessions and keys, cancels orders and stops withdrawals.';
  const text = [...says, ...(action ? [action.link] : []), from, `${alarm}\n${freezeLink}`].join('\n\n');
  const html = [
    ...says.map(paragraph),
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
