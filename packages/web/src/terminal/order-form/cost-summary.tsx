/** The order's cost before it is sent, estimated from the book for a market order; and the advanced fields. */

import type { Level, SelfTradePrevention } from '@bourse/client';
import type { ReactNode } from 'react';
import {
  type Decimal,
  formatExact,
  formatFeeRate,
  formatMoney,
  formatRate,
  placesOf,
} from '../../decimal/decimal.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Figure } from '../../ui/figure.tsx';
import { orderCost, type OrderSurroundings } from './order-cost.ts';
import { isMarket, isStop, type OrderDraft } from './order-draft.ts';
import { FieldError, violationOf } from './order-fields.tsx';
import { marketEstimate, type Violation } from './order-rules.ts';

export interface CostSummaryProps {
  readonly draft: OrderDraft;
  readonly change: (next: Partial<OrderDraft>) => void;
  readonly around: OrderSurroundings;
  readonly wrong: readonly Violation[];
}

const preventions: readonly { readonly value: SelfTradePrevention | ''; readonly label: string }[] = [
  { value: '', label: 'Off: own orders may trade with each other' },
  { value: 'CN', label: 'CN: cancel the new one' },
  { value: 'CO', label: 'CO: cancel the old one' },
  { value: 'CB', label: 'CB: cancel both' },
  { value: 'DC', label: 'DC: decrease and cancel' },
];

export function CostSummary({ draft, change, around, wrong }: CostSummaryProps) {
  const { quoteCurrency, priceIncrement } = around.symbol;
  const money = (amount: Decimal): string => formatMoney(amount.toString(), priceIncrement);
  const cost = orderCost(draft, around);
  const mark = cost?.isEstimate === true ? '≈ ' : '';
  const areRatesKnown = around.takerFeeRate !== null;
  const rate = (text: string | null): string => (text === null ? '' : ` ${formatFeeRate(text)}`);
  const isFeeTaker = isMarket(draft) || draft.isHidden || draft.isIceberg;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 rounded-md bg-raised px-2.5 py-2 text-xs">
        <Line name="Value">{cost === null ? '–' : `${mark}${money(cost.value)} ${quoteCurrency}`}</Line>
        <Line name={`Fee as taker${rate(around.takerFeeRate)}`}>
          {cost === null || !areRatesKnown ? '–' : `${mark}${money(cost.takerFee)} ${quoteCurrency}`}
        </Line>
        {!isFeeTaker && (
          <Line name={`Fee as maker${rate(around.makerFeeRate)}`}>
            {cost === null || !areRatesKnown ? '–' : `${money(cost.makerFee)} ${quoteCurrency}`}
          </Line>
        )}
        <Line name="Held">
          {isStop(draft)
            ? 'nothing until it triggers'
            : cost === null || !areRatesKnown || cost.available === null
              ? '–'
              : `${draft.side === 'buy' ? money(cost.held) : formatExact(cost.held.toString())} ${cost.heldCurrency}`}
        </Line>
      </dl>
      <details className="group text-xs">
        <summary className="cursor-pointer text-muted select-none hover:text-text">
          Self-trade prevention, client id, remark
        </summary>
        <div className="mt-2 flex flex-col gap-2">
          {draft.kind !== 'oco' && (
            <SelectField
              label="Self-trade prevention"
              value={draft.timeInForce === 'FOK' && draft.kind === 'limit' ? 'CN' : draft.stp}
              disabled={draft.timeInForce === 'FOK' && draft.kind === 'limit'}
              hint={draft.timeInForce === 'FOK' && draft.kind === 'limit' ? 'FOK always has CN.' : ''}
              onValue={(stp) => change({ stp: stp as OrderDraft['stp'] })}
              choices={isMarket(draft) ? preventions.filter(({ value }) => value !== 'DC') : preventions}
            />
          )}
          <ShortText name="clientOid" label="Client id" {...{ draft, change, wrong }} />
          <ShortText name="remark" label="Remark" {...{ draft, change, wrong }} />
        </div>
      </details>
    </>
  );
}

interface ShortTextProps extends Omit<CostSummaryProps, 'around'> {
  readonly name: 'clientOid' | 'remark';
  readonly label: string;
}

function ShortText({ name, label, draft, change, wrong }: ShortTextProps) {
  const violation = violationOf(wrong, name);
  return (
    <TextField
      label={label}
      value={draft[name]}
      onValue={(value) => change({ [name]: value })}
      error={violation && <FieldError violation={violation} onFix={(value) => change({ [name]: value })} />}
    />
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="whitespace-nowrap text-faint">{name}</dt>
      <dd className="truncate text-right whitespace-nowrap text-muted">{children}</dd>
    </>
  );
}

interface MarketEstimateProps {
  readonly draft: OrderDraft;
  readonly around: OrderSurroundings;
  /** The side of the book that the order takes. */
  readonly opposite: readonly Level[];
  readonly isLive: boolean;
}

/** Estimates a market order's fill from the current book: average price, worst price and slippage. */
export function MarketEstimate({ draft, around, opposite, isLive }: MarketEstimateProps) {
  const { symbol } = around;
  const estimate = marketEstimate(draft, around, opposite);
  if (estimate === null) return null;
  const price = placesOf(symbol.priceIncrement);
  return (
    <>
      {!isLive && <p className="px-2.5 text-xs text-warning">From an order book that is not up to date:</p>}
      <dl
        aria-label="Estimate from the book"
        className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 px-2.5 text-xs [&>dd]:text-right [&>dt]:text-faint"
      >
        <dt>Size</dt>
        <dd>
          ≈{' '}
          <Figure
            value={estimate.size.toString()}
            places={placesOf(symbol.baseIncrement)}
            unit={symbol.baseCurrency}
          />
        </dd>
        <dt>Average</dt>
        <dd>
          ≈ <Figure value={estimate.average.toString()} places={price} />
        </dd>
        <dt>Worst price</dt>
        <dd>
          <Figure value={estimate.worst} places={price} />
        </dd>
        <dt>Slippage</dt>
        <dd>{formatRate(estimate.slippage.toString()).replace('+', '')}</dd>
      </dl>
    </>
  );
}
