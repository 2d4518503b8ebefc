/** A mail, and what delivers it. */

export interface Mail {
  /** Unique, for ever the same for one mail: a second copy can be recognised by it. */
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
  /** Takes it; it is delivered some time later. */
  send(mail: Mail): void;
  close(): Promise<void>;
}
