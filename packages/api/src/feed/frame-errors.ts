/** All error frames: code, text, and cause. */

interface FrameErrorRow {
  readonly code: number;
  /** `{name}` is replaced with a value. */
  readonly text: string;
  readonly when: string;
}

export const FRAME_ERRORS = {
  'token-invalid': { code: 401, text: 'token is invalid', when: 'the token is not one of ours; then closed' },
  'token-expired': { code: 401, text: 'token is expired', when: 'its 24 hours are over; then closed' },
  'right-ended': {
    code: 401,
    text: 'token is invalid: {reason}',
    when: 'the key of a private token is gone or has expired, lacks General, or may not be used from this address; then closed',
  },
  'connections-many': {
    code: 509,
    text: 'exceed max session count limitation of {max}',
    when: 'the user or address has too many connections; then closed',
  },
  'connects-many': {
    code: 509,
    text: 'service busy, please retry later',
    when: 'too many new connections within a minute; then closed',
  },
  'topic-invalid': { code: 400, text: 'topic is invalid', when: 'the topic has not the form it needs' },
  'login-required': { code: 403, text: 'login is required', when: 'a private topic with a public token' },
  'topic-unknown': {
    code: 404,
    text: 'topic {topic} is not found',
    when: 'no such topic, symbol or interval',
  },
  'topic-missing': { code: 406, text: 'topic is required', when: 'the message names no topic' },
  'topics-per-call': {
    code: 509,
    text: 'exceed max subscription count limitation of {max} per time',
    when: 'too many topics in one message',
  },
  'topics-many': {
    code: 509,
    text: 'exceed max subscription count limitation of {max} per session',
    when: 'too many topics on one connection',
  },
  'tunnel-invalid': {
    code: 400,
    text: 'tunnelId is invalid',
    when: 'not 1 to 64 letters, digits, `-` or `_`',
  },
  'tunnel-unknown': { code: 404, text: 'tunnel {tunnel} is not found', when: 'the tunnel is not open' },
  'tunnels-many': {
    code: 509,
    text: 'exceed max tunnel count limitation of {max} per session',
    when: 'too many tunnels on one connection',
  },
  'ping-timeout': {
    code: 400,
    text: 'ping timeout',
    when: 'the client was silent for too long; then closed',
  },
  'type-unknown': { code: 415, text: 'type is not supported', when: 'not a JSON object with a type we know' },
  'messages-many': { code: 509, text: 'exceed max permits per second', when: 'too many messages' },
} as const satisfies Readonly<Record<string, FrameErrorRow>>;

export type FrameErrorName = keyof typeof FRAME_ERRORS;

/** An error message to a client. */
export class FrameError {
  readonly name: FrameErrorName;
  readonly values: Readonly<Record<string, string | number>>;

  readonly code: number;

  /** `code`: overrides the table's. */
  constructor(
    name: FrameErrorName,
    values: Readonly<Record<string, string | number>> = {},
    code: number = FRAME_ERRORS[name].code,
  ) {
    this.name = name;
    this.values = values;
    this.code = code;
  }

  get text(): string {
    return FRAME_ERRORS[this.name].text.replace(/\{(\w+)\}/, (_, name: string) => String(this.values[name]));
  }

  toFrame(id: string): string {
    const { code } = this;
    return `{"id":${JSON.stringify(id)},"type":"error","code":${code},"data":${JSON.stringify(this.text)}}`;
  }
}
