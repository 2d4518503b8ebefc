/**
 * The market of a sandbox, bound to an exchange and a clock:
 *
 *   const market = await LivingMarket.open({ port, clock, ... });
 *   await market.begin({ preset: 'calm', seed: 1 });   // at a start, after a restore and in a fork
 *   market.nextAt                                      // when the next step is due, in exchange time
 *   await market.idle();                               // nothing in flight, everything durable
 *   await market.close();
 *
 * Its complete state is in the log (market-state.ts), so nothing is handed over when the exchange under it is replaced:
 * close this one, open another. It has one timer at a time, on the clock it was given.
 */

import type { Command, Exchange, Outcome } from '@bourse/core';
import { type Clock, type ExchangePort, OPERATOR, type Sender, submitAll } from '@bourse/engine';
import { agentCommands, fundingCommands } from './agents.ts';
import { exp, log } from './random.ts';
import { beginning, currenciesOf, leavingCommands, type MarketWords } from './beginning.ts';
import { livingCurrency, NUMERAIRE } from './values.ts';
import {
  checkPreset,
  checkReplay,
  checkSeed,
  checkSymbols,
  livableSymbols,
  MarketRefusal,
  shockedCurrency,
  type SimulatedMarket,
  simulatedMarket,
  simulationState,
} from './market-control.ts';
import {
  booksIn,
  currenciesIn,
  MARKET_NOTE,
  type SimulationState,
  nextStepAt,
  writeState,
} from './market-state.ts';
import { Replay } from '../replay/replay.ts';
import {
  noteMissed,
  noteWith,
  type ReplayRequest,
  replayState,
  type ReplayView,
  type TapeState,
  viewReplay,
} from '../replay/replay-state.ts';
import { pastCommands } from './past.ts';
import { stepCommands } from './step.ts';
import { Surroundings } from './symbol.ts';

export interface MarketParts {
  readonly port: ExchangePort;
  /** Its time is exchange time. */
  readonly clock: Clock;
  /** Directory of recorded markets; '' for none. */
  readonly recordings: string;
  /** A message for the operator of the sandbox: the market could not continue, and retries later. */
  readonly onProblem: (sentence: string) => void;
}

export interface MarketChange {
  readonly preset?: string;
  readonly seed?: number;
  readonly symbols?: readonly string[];
}

export interface Shock {
  readonly symbol?: string;
  readonly currency?: string;
  readonly factor: number;
}

const RETRY_MS = 1000;
/** Maximum distance of a value from its start; beyond it, prices would not fit their symbols' increments. */
const VALUE_FACTOR_MAX = 1000;

/** Commands sent together. If they exceeded one record, users would take turns, and orders could overtake quotes. */
const TOGETHER = 32;

export class LivingMarket {
  readonly #port: ExchangePort;
  readonly #clock: Clock;
  readonly #onProblem: (sentence: string) => void;
  readonly #surroundings: Surroundings;
  readonly #replay: Replay;
  readonly #unsubscribe: () => void;
  #cancelTimer: () => void = () => undefined;
  #nextAt = Infinity;
  /** Serialises steps and requested changes. */
  #working: Promise<unknown> = Promise.resolve();
  #pending = 0;
  /** Preset and seed given at start, because the log of a market that never ran does not contain them. */
  #start: Pick<MarketWords, 'preset' | 'seed'> = { preset: 'quiet', seed: 1 };
  #isClosed = false;

  private constructor({ port, clock, recordings, onProblem }: MarketParts, exchange: Exchange) {
    this.#replay = new Replay(recordings);
    this.#port = port;
    this.#clock = clock;
    this.#onProblem = onProblem;
    this.#surroundings = new Surroundings(exchange);
    this.#unsubscribe = port.subscribe(({ marketEvents }) => {
      const isNew = marketEvents.some(({ kind }) => kind === 'symbol-set' || kind === 'user-added');
      if (isNew) this.#surroundings.forget();
    });
  }

  static open(parts: MarketParts): Promise<LivingMarket> {
    return parts.port.read((exchange) => new LivingMarket(parts, exchange));
  }

  /** When the next step is due, in exchange time; Infinity while there is none. */
  get nextAt(): number {
    return this.#nextAt;
  }

  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    let working: Promise<unknown> | null = null;
    while (working !== this.#working) {
      working = this.#working;
      await working;
    }
  }

  /**
   * Continues the market in the log. If there is none, or it was started with other settings, starts a new one with
   * these.
   */
  begin({ preset, seed }: Omit<MarketWords, 'symbols'>): Promise<void> {
    this.#start = { preset, seed };
    return this.#alone(async () => {
      const state = await this.#port.read(simulationState);
      const isSame = state !== null && state.startPreset === preset && state.startSeed === seed;
      if (!isSame && !(state === null && preset === 'quiet')) {
        const symbols = state ? codesOf(state) : await this.#port.read(livableSymbols);
        const begun = await this.#enter({ preset, seed, symbols });
        await this.#remember({ ...begun, startPreset: preset, startSeed: seed });
      }
      await this.#step();
    });
  }

  view(): Promise<SimulatedMarket> {
    return this.#port.read((exchange) => simulatedMarket(exchange, this.#surroundings, this.#start.seed));
  }

  /** Omitted fields stay unchanged. Agents that leave cancel their orders first. */
  async set({ preset, seed, symbols }: MarketChange): Promise<SimulatedMarket> {
    await this.#alone(async () => {
      const before = await this.#port.read(simulationState);
      const words = await this.#port.read(
        (exchange): MarketWords => ({
          preset: checkPreset(preset ?? before?.preset ?? 'quiet'),
          seed: checkSeed(seed ?? before?.seed ?? this.#start.seed),
          symbols: checkSymbols(exchange, symbols ?? (before ? codesOf(before) : livableSymbols(exchange))),
        }),
      );
      const { preset: startPreset, seed: startSeed } = this.#start;
      await this.#remember({ ...(await this.#enter(words)), startPreset, startSeed });
      await this.#step();
    });
    return this.view();
  }

  /** Multiplies the latent value of a currency, or of a symbol's base currency. */
  async shock({ symbol, currency, factor }: Shock): Promise<SimulatedMarket> {
    await this.#alone(async () => {
      const state = await this.#port.read(simulationState);
      const code = await this.#port.read((exchange) => shockedCurrency(exchange, state, symbol, currency));
      if (typeof factor !== 'number' || !Number.isFinite(factor) || factor <= 0) {
        throw new MarketRefusal('factor: expected a number above 0: 0.5 halves the value, 2 doubles it.');
      }
      const shocked = currenciesIn(state!).find((each) => each.code === code)!;
      shocked.value += log(factor);
      const start = livingCurrency(code)!.value;
      const ratio = exp(shocked.value) / start;
      if (ratio > VALUE_FACTOR_MAX || ratio < 1 / VALUE_FACTOR_MAX) {
        throw new MarketRefusal(
          `factor ${factor} would move ${code} to ${exp(shocked.value)} USDT. It began at ${start} and must stay ` +
            `between 1/${VALUE_FACTOR_MAX} and ${VALUE_FACTOR_MAX} times that.`,
        );
      }
      await this.#remember(state!);
    });
    return this.view();
  }

  /** Plays a recorded market on the symbol; the agents leave it until it is over. */
  async startReplay(request: ReplayRequest): Promise<ReplayView> {
    await this.#alone(async () => {
      await this.#port.read((exchange) => checkReplay(exchange, request));
      const state = await this.#replay.prepare(request, this.#now());
      await this.#submit((exchange) => [
        ...leavingCommands(exchange, [request.symbol]),
        ...Replay.beginCommands(exchange),
      ]);
      await this.#submit((exchange) => Replay.fundingCommands(exchange, request.symbol));
      const startedAt = this.#now();
      await this.#submit((exchange) => [noteWith(exchange, { ...state, startedAt, nextAt: startedAt })]);
      await this.#step();
    });
    return this.replay();
  }

  replay(): Promise<ReplayView> {
    return this.#port.read(viewReplay);
  }

  /** In one symbol, or in all; does nothing without a replay. */
  async stopReplay(symbol?: string): Promise<ReplayView> {
    await this.#alone(async () => {
      const { tapes } = await this.#port.read(replayState);
      const codes = tapes.map((tape) => tape.symbol);
      for (const code of symbol === undefined ? codes : [symbol]) await this.#endReplay(code);
      await this.#step();
    });
    return this.replay();
  }

  async #endReplay(symbol: string): Promise<void> {
    await this.#submit((exchange) => Replay.endCommands(exchange, symbol), Replay.senderIn);
    await this.#replay.close(symbol);
  }

  /** Takes no further steps; resolves when the current one is done. Orders stay in the book, like any others. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#nextAt = Infinity;
    this.#unsubscribe();
    await this.idle();
    await this.#replay.close();
  }

  /** Adds missing agents, their money and past candles; removes agents from symbols without them. */
  async #enter(words: MarketWords): Promise<SimulationState> {
    const before = await this.#port.read(simulationState);
    const isQuiet = words.preset === 'quiet';
    const leaving = (before ? codesOf(before) : []).filter(
      (code) => isQuiet || !words.symbols.includes(code),
    );
    await this.#submit((exchange) => leavingCommands(exchange, leaving));
    if (!isQuiet) {
      await this.#submit(agentCommands);
      await this.#submit((exchange) =>
        fundingCommands(exchange, [NUMERAIRE, ...currenciesOf(exchange, words.symbols)]),
      );
    }
    const state = await this.#port.read((exchange) => beginning(exchange, words, this.#now(), before));
    if (!isQuiet) await this.#submitPast(state);
    return { ...state, since: this.#now(), nextAt: this.#now() };
  }

  /** One symbol at a time, to bound memory; the next candles are generated while a record syncs. */
  async #submitPast(state: SimulationState): Promise<void> {
    const past = await this.#port.read((exchange) => pastCommands(exchange, state, this.#now()));
    let written: Promise<unknown> = Promise.resolve();
    for (const commands of past) {
      await written;
      written = submitAll(this.#port, commands, senderOf);
      written.catch(() => undefined);
    }
    await written;
  }

  async #remember(state: SimulationState): Promise<void> {
    await this.#submit(() => writeState(state));
  }

  /** All commands based on one read of the exchange are sent together, so that they usually form one record. */
  async #submit(
    look: (exchange: Exchange) => readonly Command[],
    senderIn?: (exchange: Exchange) => Sender,
  ): Promise<Outcome[]> {
    const commands = await this.#port.read(look);
    const sender = senderIn && (await this.#port.read(senderIn));
    const outcomes: Outcome[] = [];
    const isOneOwner = commands.every((command) => senderOf(command) === OPERATOR);
    const together = isOneOwner ? commands.length : TOGETHER;
    for (let at = 0; at < commands.length; at += together) {
      const answers = await submitAll(
        this.#port,
        commands.slice(at, at + together),
        (command) => sender ?? senderOf(command),
      );
      for (const { outcome } of answers) outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Executes what is due, and sets a timer for the next step. */
  async #step(): Promise<void> {
    await this.#submit(() => stepCommands(this.#surroundings, this.#now()));
    const due = await this.#port.read(nextDue);
    if (due.tape <= this.#now()) await this.#play();
    const { agents, tape } = due.tape === Infinity ? due : await this.#port.read(nextDue);
    this.#arm(Math.min(agents, tape));
  }

  async #play(): Promise<void> {
    const now = this.#now();
    const { tapes } = await this.#port.read(replayState);
    for (const tape of tapes) {
      if (tape.nextAt > now) continue;
      try {
        await this.#playTape(tape, now);
      } catch (error) {
        if (!(error instanceof MarketRefusal)) throw error;
        this.#onProblem(`the replay stopped: ${error.message}`);
        await this.#endReplay(tape.symbol);
      }
    }
  }

  async #playTape(tape: TapeState, now: number): Promise<void> {
    const { exchange } = this.#surroundings;
    const events = await this.#replay.due(exchange, tape, now);
    const played = await this.#port.read(() => this.#replay.play(exchange, tape, events, now));
    const outcomes = await this.#submit(() => played.commands, Replay.senderIn);
    const missed = Replay.missedOf(tape, played, outcomes);
    if (missed.length === 0) return;
    await this.#submit(() => [noteMissed(exchange, missed)]);
    const [{ line, why }] = missed;
    this.#onProblem(
      `${tape.file}, line ${line} was not replayed on ${tape.symbol}: ${why}` +
        (missed.length > 1 ? `; and ${missed.length - 1} more lines of this step` : ''),
    );
  }

  #arm(nextAt: number): void {
    this.#cancelTimer();
    this.#nextAt = this.#isClosed ? Infinity : nextAt;
    if (this.#nextAt === Infinity) return;
    this.#cancelTimer = this.#clock.after(Math.max(0, nextAt - this.#now()), () => {
      void this.#alone(() => this.#step()).catch((error: unknown) => this.#later(error));
    });
  }

  /**
   * After a rejection, such as on a full disk. The note is the last command of a step, so without it the step is
   * repeated.
   */
  #later(error: unknown): void {
    if (this.#isClosed || this.#port.health.state === 'stopped') return;
    this.#onProblem(`the step of the market failed (${(error as Error).message}); retrying in a second`);
    this.#arm(this.#now() + RETRY_MS);
  }

  #now(): number {
    return Math.floor(this.#clock.now() + this.#port.aheadMs);
  }

  /** After everything started before, whatever its result. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#pending += 1;
    const done = this.#working.then(work).finally(() => (this.#pending -= 1));
    this.#working = done.catch(() => undefined);
    return done;
  }
}

const codesOf = (state: SimulationState): string[] => booksIn(state).map(({ code }) => code);

/** An agent's orders are queued like those of users. Everything else belongs to the sandbox. */
function senderOf(command: Command): Sender {
  switch (command.kind) {
    case 'place-order':
    case 'reduce-order':
    case 'cancel-order':
    case 'cancel-orders':
      return command.user;
    default:
      return OPERATOR;
  }
}

/** When agents act next, and when the next line of a recording is due; Infinity for never. */
function nextDue(exchange: Exchange): { readonly agents: number; readonly tape: number } {
  return {
    agents: nextStepAt(exchange.reference.note(MARKET_NOTE)),
    tape: Math.min(Infinity, ...replayState(exchange).tapes.map(({ nextAt }) => nextAt)),
  };
}
