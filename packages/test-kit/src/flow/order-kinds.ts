/** Names for the combinations of flags that must all occur: of orders, of fills, of self-trades. */

import type { OrderReceived, SelfTradeMode, TimeInForce } from '@bourse/core';

const SIDES = ['buy', 'sell'] as const;
const LOOKS = ['plain', 'hidden', 'iceberg'] as const;
const MODES: readonly SelfTradeMode[] = ['', 'CN', 'CO', 'CB', 'DC'];
const TIMES: readonly TimeInForce[] = ['GTC', 'GTT', 'IOC', 'FOK'];

type Look = (typeof LOOKS)[number];

function look(order: OrderReceived): Look {
  if (order.hidden) return 'hidden';
  return order.iceberg ? 'iceberg' : 'plain';
}

function modeName(mode: SelfTradeMode): string {
  return mode === '' ? '--' : mode;
}

export function orderKind(order: OrderReceived): string {
  const end = `${modeName(order.stp)} ${order.side}`;
  if (order.type === 'market') return `${order.size > 0 ? 'by-size' : 'by-funds'} ${end}`;
  return `${order.timeInForce} ${order.postOnly ? 'post-only ' : ''}${look(order)} ${end}`;
}

/** Every limit order as it counts after acceptance: IOC and FOK are never post-only, FOK is always CN. */
export const LIMIT_KINDS: readonly string[] = TIMES.flatMap((time) =>
  (time === 'GTC' || time === 'GTT' ? ['', 'post-only '] : ['']).flatMap((postOnly) =>
    LOOKS.flatMap((looks) =>
      MODES.filter((mode) => time !== 'FOK' || mode === 'CN').flatMap((mode) =>
        SIDES.map((side) => `${time} ${postOnly}${looks} ${modeName(mode)} ${side}`),
      ),
    ),
  ),
);

export const MARKET_KINDS: readonly string[] = ['by-size', 'by-funds'].flatMap((by) =>
  MODES.filter((mode) => mode !== 'DC').flatMap((mode) =>
    SIDES.map((side) => `${by} ${modeName(mode)} ${side}`),
  ),
);

export function fillKind(incoming: OrderReceived, resting: OrderReceived): string {
  const name =
    incoming.type === 'market' ? 'market' : `${incoming.postOnly ? 'post-only ' : ''}${look(incoming)}`;
  return `${name} meets ${look(resting)}`;
}

/** A post-only order never trades with an ordinary one. */
export const FILL_KINDS: readonly string[] = [
  ...['market', ...LOOKS].flatMap((incoming) => LOOKS.map((resting) => `${incoming} meets ${resting}`)),
  ...LOOKS.flatMap((incoming) =>
    ['hidden', 'iceberg'].map((resting) => `post-only ${incoming} meets ${resting}`),
  ),
];

/** The effect of self-trade prevention on one of the two orders; `incoming` determines the mode. */
export function selfTradeKind(
  incoming: OrderReceived,
  order: OrderReceived,
  what: 'done' | 'reduced',
): string {
  return `${modeName(incoming.stp)} ${order === incoming ? 'incoming' : look(order)} ${what}`;
}

export const SELF_TRADE_KINDS: readonly string[] = [
  'CN incoming done',
  ...LOOKS.map((resting) => `CO ${resting} done`),
  ...['incoming', ...LOOKS].map((order) => `CB ${order} done`),
  ...['incoming', ...LOOKS].flatMap((order) => [`DC ${order} done`, `DC ${order} reduced`]),
];
