/**
 * Operators' requests: a log line and a count for each, and an alarm if somebody seems to be guessing the token. The
 * response to a wrong token is delayed, to slow down guessing; a right one never is.
 */

import type { Clock } from '@bourse/engine';
import type { GatewayLog } from '../http/log.ts';

/** The log line of a request, without query, headers or body, which may contain secrets. */
export interface OperatorLine {
  /** Which interface: `operator`, or `sandbox` for its control. */
  readonly to: string;
  /** Undefined unless the token was right. */
  readonly operator: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The code of a refusal. */
  readonly code: string | undefined;
  readonly ip: string;
  readonly ms: number;
}

const WINDOW_MS = 60_000;
/** The first few mistakes are answered immediately. */
const SLIPS = 3;
const STEP_MS = 250;
const DELAY_MS_MAX = 5000;
/** Connections kept open while their response is delayed. */
const HELD_MAX = 64;
/** This many wrong tokens within a window raise the alarm. */
const GUESSES_ALARMING = 5;

export class OperatorTraffic {
  readonly #log: GatewayLog;
  readonly #isVenue: boolean;
  readonly #clock: Clock;
  readonly #byOutcome = new Map<string, number>();
  #windowEnd = -1;
  #wrong = 0;
  #held = 0;

  /**
   * At a venue each request is logged, unless the level is above `warn`. A sandbox's token is published, so nothing is
   * delayed there, and requests are logged like any others.
   */
  constructor(log: GatewayLog, { machine }: Clock, isVenue: boolean) {
    this.#log = isVenue ? log.child({}) : log;
    this.#isVenue = isVenue;
    this.#clock = machine;
    this.setLevel(log.level);
  }

  /** Applies the log level to the lines of a venue's operators. */
  setLevel(level: string): void {
    if (this.#isVenue) this.#log.level = level === 'warn' ? 'info' : level;
  }

  /** Answered requests, by the code of their refusal or `ok`. */
  get counts(): Iterable<readonly [outcome: string, count: number]> {
    return this.#byOutcome;
  }

  get isGuessed(): boolean {
    return this.#wrongTokens >= GUESSES_ALARMING;
  }

  /** Within the running window. */
  get #wrongTokens(): number {
    return this.#clock.elapsed() < this.#windowEnd ? this.#wrong : 0;
  }

  answered(line: OperatorLine): void {
    const { operator, code, ...others } = line;
    const outcome = code ?? 'ok';
    this.#byOutcome.set(outcome, (this.#byOutcome.get(outcome) ?? 0) + 1);
    this.#log.info({ ...others, ...(operator && { operator }), ...(code && { code }) }, 'operator request');
  }

  /**
   * Counts a wrong token. Resolves to true when it may be answered, or to false if its connection must be closed
   * because too many are pending.
   */
  async wrongToken(ip: string): Promise<boolean> {
    const now = this.#clock.elapsed();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + WINDOW_MS;
      this.#wrong = 0;
    }
    this.#wrong++;
    if (this.#wrong === GUESSES_ALARMING) {
      this.#log.warn(
        { ip, wrongTokens: this.#wrong },
        'several wrong operator tokens within a minute: somebody may be guessing. If it is not you, check who can reach operatorListen',
      );
    }
    if (!this.#isVenue || this.#wrong <= SLIPS) return true;
    if (this.#held >= HELD_MAX) return false;
    this.#held++;
    const delay = Math.min(DELAY_MS_MAX, (this.#wrong - SLIPS) * STEP_MS);
    await new Promise<void>((resolve) => void this.#clock.after(delay, resolve));
    this.#held--;
    return true;
  }
}
