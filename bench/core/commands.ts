/** The flow as commands of the core and as calls of the rival; both are created outside the measured time. */

import type { CancelOrder, PlaceOrder } from '@bourse/core';
import { CANCEL, COMMAND_BYTES, type Flow, IOC } from './flow.ts';
import { limitOrder } from './venue.ts';

export interface RivalOrder {
  readonly id: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly size: number;
  readonly timeInForce: 'GTC' | 'IOC';
}

interface Entry {
  readonly kind: number;
  readonly side: number;
  readonly account: number;
  readonly id: number;
  readonly ticks: number;
  readonly lots: number;
}

/** A piece of a flow, as a range of command indexes. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

export const commandCount = ({ bytes }: Flow): number => bytes.length / COMMAND_BYTES;

/** Yields the flow's commands in small pieces: real callers send fresh commands, not a million prepared ones. */
export function* piecesOf(from: number, to: number): Generator<Piece> {
  for (let at = from; at < to; at += PIECE) yield { from: at, to: Math.min(at + PIECE, to) };
}

const PIECE = 1000;

function* entriesOf(flow: Flow, { from, to }: Piece): Generator<Entry> {
  const { bytes } = flow;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from * COMMAND_BYTES; at < to * COMMAND_BYTES; at += COMMAND_BYTES) {
    yield {
      kind: view.getUint8(at),
      side: view.getUint8(at + 1),
      account: view.getUint16(at + 2, true),
      id: view.getUint32(at + 4, true),
      ticks: view.getUint32(at + 8, true),
      lots: view.getUint32(at + 12, true),
    };
  }
}

/** The core's order ids follow those of the flow; `firstOrder` is the id of order 1. Account 0 is unused. */
export function coreCommands(
  flow: Flow,
  firstOrder: number,
  piece: Piece = { from: 0, to: commandCount(flow) },
): (PlaceOrder | CancelOrder)[] {
  const commands: (PlaceOrder | CancelOrder)[] = [];
  for (const { kind, side, account, id, ticks, lots } of entriesOf(flow, piece)) {
    commands.push(
      kind === CANCEL
        ? { kind: 'cancel-order', user: account, symbol: 0, order: firstOrder + id - 1 }
        : limitOrder(account, 0, side, ticks, lots, kind === IOC ? 'IOC' : 'GTC'),
    );
  }
  return commands;
}

/** A string cancels the order with that id. */
export function rivalCommands(flow: Flow, piece: Piece): (RivalOrder | string)[] {
  const commands: (RivalOrder | string)[] = [];
  for (const { kind, side, id, ticks, lots } of entriesOf(flow, piece)) {
    commands.push(
      kind === CANCEL
        ? String(id)
        : {
            id: String(id),
            side: side === 0 ? 'buy' : 'sell',
            price: ticks,
            size: lots,
            timeInForce: kind === IOC ? 'IOC' : 'GTC',
          },
    );
  }
  return commands;
}
