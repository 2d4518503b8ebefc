/** The dead man's switch: unless it is renewed in time, the caller's orders are cancelled. Times are in seconds. */

import type { SymbolSet } from '@bourse/core';
import { submit } from '@bourse/engine';
import { Type } from '../../schema.ts';
import { explain } from '../../errors/explain.ts';
import { invalid } from '../../errors/refusal.ts';
import { symbolOf } from '../../members.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const SYMBOLS_MAX = 50;
const OFF = -1;

const seconds = Type.Integer({ description: 'Seconds since 1970.' });
const toSeconds = (ms: number): number => Math.floor(ms / 1000);

export function switchRoutes(services: Services): Route[] {
  const { port, catalogue } = services;
  const common = { access: 'spot', pool: 'spot', weight: 2, shape: 'A' } as const;
  return [
    route({
      ...common,
      id: 'set-switch',
      method: 'POST',
      path: '/api/v1/hf/orders/dead-cancel-all',
      summary: "Sets the dead man's switch; timeout -1 turns it off.",
      body: {
        timeout: Type.Integer({ description: '-1, or 5 to 86400 seconds.' }),
        symbols: Type.Optional(
          Type.String({ description: `Comma-separated, up to ${SYMBOLS_MAX}; empty for all.` }),
        ),
      },
      answer: Type.Object({ currentTime: seconds, triggerTime: seconds }),
      async handle({ user, body, once }) {
        const { timeout, symbols: list = '' } = body;
        const symbols = symbolsNamed(services, list).map(({ symbol }) => symbol);
        const { outcome, time } = await submit(
          port,
          {
            kind: 'set-switch',
            user,
            timeoutSec: timeout,
            symbols,
            ...(once && { once }),
          },
          user,
        );
        if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue);
        if (outcome.kind !== 'switch') throw new Error(`unexpected outcome '${outcome.kind}' of a switch`);
        return { currentTime: toSeconds(time), triggerTime: toSeconds(outcome.triggerAt) };
      },
    }),
    route({
      ...common,
      id: 'get-switch',
      method: 'GET',
      path: '/api/v1/hf/orders/dead-cancel-all/query',
      summary: "The current dead man's switch; null if it is off.",
      answer: Type.Union([
        Type.Object({
          timeout: Type.Integer(),
          symbols: Type.String(),
          currentTime: seconds,
          triggerTime: seconds,
        }),
        Type.Null(),
      ]),
      async handle({ user, time }) {
        const set = await port.read(({ reference }) => reference.switchOf(user));
        if (!set || set.timeoutSec === OFF) return null;
        return {
          timeout: set.timeoutSec,
          symbols: set.symbols.map((symbol) => catalogue.symbolAt(symbol).code).join(','),
          currentTime: toSeconds(time),
          triggerTime: toSeconds(set.triggerAt),
        };
      },
    }),
  ];
}

function symbolsNamed({ catalogue }: Services, list: string): SymbolSet[] {
  const codes = list.split(',').filter((code) => code !== '');
  if (codes.length > SYMBOLS_MAX) {
    throw invalid(
      `symbols names ${codes.length} trading pairs; at most ${SYMBOLS_MAX} can be named, or none for all.`,
    );
  }
  return codes.map((code) => symbolOf(catalogue, code));
}
