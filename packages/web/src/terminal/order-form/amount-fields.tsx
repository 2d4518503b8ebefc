/** Prices and amounts of the order. */

import { formatExact } from '../../decimal/format.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { PercentSlider } from '../../ui/slider.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useMarket } from '../market-context.tsx';
import { FieldError, violationOf } from './field-error.tsx';
import { amountFor, type OrderSurroundings } from './order-cost.ts';
import { isMarket, isStop, type OrderDraft } from './order-draft.ts';
import type { Violation } from './order-rules.ts';

export interface AmountFieldsProps {
  readonly draft: OrderDraft;
  readonly change: (next: Partial<OrderDraft>) => void;
  readonly around: OrderSurroundings;
  readonly wrong: readonly Violation[];
  readonly percent: number;
  readonly setPercent: (percent: number) => void;
}

type TextName = 'price' | 'size' | 'funds' | 'stopPrice' | 'limitPrice';

export function AmountFields({ draft, change, around, wrong, percent, setPercent }: AmountFieldsProps) {
  const { symbol } = useMarket();
  const market = isMarket(draft);
  const field = (name: TextName, label: string, unit: string) => {
    const violation = violationOf(wrong, name);
    return (
      <TextField
        label={label}
        inputMode="decimal"
        value={draft[name]}
        onValue={(value) => {
          if (name === 'size' || name === 'funds') setPercent(0);
          change({ [name]: value.trim() });
        }}
        suffix={unit}
        error={violation && <FieldError violation={violation} onFix={(value) => change({ [name]: value })} />}
      />
    );
  };
  const amount = market && draft.isByFunds ? 'funds' : 'size';
  const available =
    draft.side === 'buy'
      ? `${formatExact(around.quoteAvailable)} ${symbol.quoteCurrency}`
      : `${formatExact(around.baseAvailable)} ${symbol.baseCurrency}`;

  return (
    <>
      <p className="flex justify-between text-xs text-faint">
        Available <span className="text-muted">{available}</span>
      </p>
      {isStop(draft) && (
        <div className="grid grid-cols-2 gap-2">
          <SelectField
            label="Triggers when last"
            value={draft.stop}
            onValue={(stop) => change({ stop: stop as OrderDraft['stop'] })}
            choices={[
              { value: 'loss', label: 'falls to' },
              { value: 'entry', label: 'rises to' },
            ]}
          />
          {field('stopPrice', 'Stop price', symbol.quoteCurrency)}
        </div>
      )}
      {!market &&
        field('price', draft.kind === 'oco' ? 'Price of the limit order' : 'Price', symbol.quoteCurrency)}
      {draft.kind === 'oco' && (
        <div className="grid grid-cols-2 gap-2">
          {field('stopPrice', 'Stop price', symbol.quoteCurrency)}
          {field('limitPrice', 'Then limit at', symbol.quoteCurrency)}
        </div>
      )}
      {market && (
        <Segments
          label="Amount by"
          value={draft.isByFunds ? 'funds' : 'size'}
          onValue={(value) => {
            setPercent(0);
            change({ isByFunds: value === 'funds' });
          }}
          choices={[
            { value: 'funds', label: `By funds (${symbol.quoteCurrency})` },
            { value: 'size', label: `By size (${symbol.baseCurrency})` },
          ]}
        />
      )}
      {amount === 'funds'
        ? field('funds', draft.side === 'buy' ? 'Funds, fee included' : 'Funds', symbol.quoteCurrency)
        : field('size', 'Size', symbol.baseCurrency)}
      <PercentSlider
        label="Part of what is available"
        value={percent}
        onValue={(value) => {
          setPercent(value);
          change({ [amount]: value === 0 ? '' : amountFor(value, draft, around) });
        }}
      />
    </>
  );
}
