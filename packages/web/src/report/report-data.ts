/** The sandbox's report of a user: the fields that the pages show. */

import { callSandbox } from '../session/sandbox.ts';

export interface Counted {
  readonly code: string;
  readonly count: number;
}

export interface ReportSlippage {
  readonly cost: string;
  readonly bp: string;
}

export interface InventoryRow {
  readonly currency: string;
  readonly start: string;
  readonly moved: string;
  readonly traded: string;
  readonly fees: string;
  readonly end: string;
  readonly averageCost: string | null;
  readonly price: string | null;
  readonly worth: string | null;
  readonly realised: string;
  readonly unrealised: string | null;
}

export interface SymbolRow {
  readonly symbol: string;
  readonly orders: number;
  readonly maker: number;
  readonly taker: number;
  readonly bought: string;
  readonly sold: string;
  readonly turnover: string;
  readonly fees: string;
}

export interface RateLimitRow {
  readonly pool: string;
  readonly limit: number;
  readonly peak: number;
  readonly used: number;
  readonly refused: number;
}

export interface ReportData {
  readonly user: string;
  readonly currency: string;
  readonly from: number;
  readonly until: number;
  readonly orders: {
    readonly placed: number;
    readonly open: number;
    readonly done: readonly Counted[];
    readonly refused: readonly Counted[];
  };
  readonly fills: {
    readonly count: number;
    readonly maker: number;
    readonly taker: number;
    readonly makerShare: string;
    readonly takerShare: string;
    readonly turnover: string;
  };
  readonly pnl: {
    readonly total: string;
    readonly realised: string;
    readonly unrealised: string;
    readonly fees: string;
    readonly trading: string;
    readonly holding: string;
    readonly worthAtEnd: string;
    readonly moved: string;
  };
  readonly inventory: readonly InventoryRow[];
  readonly slippage: { readonly taker: ReportSlippage; readonly maker: ReportSlippage };
  readonly symbols: readonly SymbolRow[];
  readonly curve: readonly {
    readonly time: number;
    readonly worth: string;
    readonly pnl: string;
    readonly trading: string;
  }[];
  readonly requests: {
    readonly total: number;
    readonly refused: readonly (Counted & { readonly message: string })[];
    readonly rateLimits: readonly RateLimitRow[];
  };
}

/** The report periods, back from now; 0 means everything. */
export const PERIODS = [
  { value: '0', label: 'Everything' },
  { value: '3600000', label: 'Last hour' },
  { value: '86400000', label: 'Last day' },
  { value: '604800000', label: 'Last week' },
] as const;

export interface ReportAsked {
  readonly user: string;
  readonly period: string;
  readonly currency: string;
}

export async function loadReport({ user, period, currency }: ReportAsked): Promise<ReportData> {
  const query = new URLSearchParams({ user: user.trim(), currency: currency.trim() });
  if (period !== '0') {
    const { time } = await callSandbox<{ readonly time: number }>('GET', '/clock');
    query.set('from', String(Math.max(0, Math.floor(time) - Number(period))));
  }
  return callSandbox<ReportData>('GET', `/report?${query}`);
}

const AMOUNT_PLACES = 8;
/** Currencies shown in cents. */
const CENTS: ReadonlySet<string> = new Set(['USDT', 'USDC']);

/** Decimal places shown for a sum in that currency. */
export const placesIn = (currency: string): number => (CENTS.has(currency) ? 2 : AMOUNT_PLACES);

type CurvePoint = ReportData['curve'][number];

/**
 * The curve from the first complete funding on. Points taken while the first deposits arrived, each less than half of
 * the next, would compress the rest of the curve into a line.
 */
export function fundedPart(curve: readonly CurvePoint[]): readonly CurvePoint[] {
  const moved = ({ worth, pnl }: CurvePoint): number => Number(worth) - Number(pnl);
  const first = curve.findIndex((point, at) => {
    const next = curve[at + 1];
    return next === undefined || moved(point) * 2 >= moved(next);
  });
  return curve.slice(Math.max(0, first));
}
