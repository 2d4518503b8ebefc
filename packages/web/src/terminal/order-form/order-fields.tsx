/**
 * The fields of the order form: prices and amounts with their errors, the balance, and the options of limit orders.
 */

import type { TimeInForce } from '@bourse/client';
import { Slider as Radix } from 'radix-ui';
import { Decimal, formatAt, placesOf } from '../../decimal/decimal.ts';
import { Checkbox, DecimalField, SelectField, TextField } from '../../ui/field.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useMarket } from '../market-context.tsx';
import { amountFor, type OrderSurroundings, percentOf } from './order-cost.ts';
import {
  directionIn,
  directionWords,
  isMarket,
  isStop,
  type OrderDraft,
  triggersNow,
} from './order-draft.ts';
import type { DraftField, Violation } from './order-rules.ts';

export interface FieldErrorProps {
  readonly violation: Violation;
  readonly onFix: (value: string) => void;
}

/** The errors of a field, with buttons for valid values. */
export function FieldError({ violation, onFix }: FieldErrorProps) {
  return (
    <>
      {violation.text}
      {violation.fixes.map((fix) => (
        <button
          key={fix}
          type="button"
          onClick={() => onFix(fix)}
          className="ml-1.5 rounded border border-danger px-1 font-medium hover:bg-danger-tint"
        >
          Use {fix}
        </button>
      ))}
    </>
  );
}

export const violationOf = (wrong: readonly Violation[], field: DraftField): Violation | undefined =>
  wrong.find((each) => each.field === field);

export interface AmountFieldsProps {
  readonly draft: OrderDraft;
  readonly change: (next: Partial<OrderDraft>) => void;
  readonly around: OrderSurroundings;
  readonly wrong: readonly Violation[];
}

const SIZE_PLACES = 18;

type TextName = 'price' | 'size' | 'funds' | 'stopPrice' | 'limitPrice';

export function AmountFields({ draft, change, around, wrong }: AmountFieldsProps) {
  const { symbol } = useMarket();
  const market = isMarket(draft);
  const field = (name: TextName, label: string, unit: string, step: string) => {
    const violation = violationOf(wrong, name);
    const isAmount = name === 'size' || name === 'funds';
    const set = (value: string): void => change({ [name]: value, percent: null, total: null });
    return (
      <DecimalField
        id={`order-${name}`}
        label={label}
        value={draft[name]}
        onValue={set}
        step={step}
        from={isAmount ? undefined : around.last}
        suffix={name === 'price' ? <BestPrices {...{ around, change, unit }} /> : unit}
        error={violation && <FieldError violation={violation} onFix={set} />}
      />
    );
  };
  const price = (name: TextName, label: string) =>
    field(name, label, symbol.quoteCurrency, symbol.priceIncrement);
  const amount = market && draft.isByFunds ? 'funds' : 'size';

  return (
    <>
      <Available draft={draft} around={around} />
      {isStop(draft) && price('stopPrice', 'Stop price')}
      {!market && price('price', draft.kind === 'oco' ? 'Price of the limit order' : 'Price')}
      {draft.kind === 'oco' && (
        <div className="grid grid-cols-2 gap-2">
          {price('stopPrice', 'Stop price')}
          {price('limitPrice', 'Then limit at')}
        </div>
      )}
      <Trigger draft={draft} change={change} last={around.last} />
      {market && (
        <Segments
          label="Amount by"
          value={draft.isByFunds ? 'funds' : 'size'}
          onValue={(value) => change({ isByFunds: value === 'funds', percent: null })}
          choices={[
            { value: 'funds', label: `By funds (${symbol.quoteCurrency})` },
            { value: 'size', label: `By size (${symbol.baseCurrency})` },
          ]}
        />
      )}
      {amount === 'funds'
        ? field(
            'funds',
            draft.side === 'buy' ? 'Funds, fee included' : 'Funds',
            symbol.quoteCurrency,
            symbol.quoteIncrement,
          )
        : field('size', 'Size', symbol.baseCurrency, symbol.baseIncrement)}
      {hasTotal(draft) && <Total {...{ draft, change, around }} />}
      <PercentSlider
        label="Share of the available balance"
        value={percentOf(draft, around)}
        onValue={(percent) =>
          change({ percent, total: null, [amount]: percent === 0 ? '' : amountFor(percent, draft, around) })
        }
      />
    </>
  );
}

const hasTotal = ({ kind }: OrderDraft): boolean => kind === 'limit' || kind === 'stop-limit';

type PartProps = Pick<AmountFieldsProps, 'draft' | 'change' | 'around'>;

/** The total in the quote currency, which sets the size. */
function Total({ draft, change, around }: PartProps) {
  const { symbol } = around;
  const [price, size] = [Decimal.parse(draft.price), Decimal.parse(draft.size)];
  const computed = price === null || size === null ? '' : price.times(size).toString();
  return (
    <DecimalField
      id="order-total"
      label="Total"
      value={draft.total ?? computed}
      disabled={price === null || price.isZero}
      onValue={(total) => {
        const value = Decimal.parse(total);
        const fits =
          value === null || price === null || price.isZero
            ? ''
            : value.dividedBy(price, SIZE_PLACES).floorTo(Decimal.of(symbol.baseIncrement)).toString();
        change({ total, size: fits, percent: null });
      }}
      step={symbol.quoteIncrement}
      suffix={symbol.quoteCurrency}
    />
  );
}

interface BestPricesProps extends Pick<AmountFieldsProps, 'change' | 'around'> {
  readonly unit: string;
}

/** Buttons for the best price of each side. */
function BestPrices({ around, change, unit }: BestPricesProps) {
  const best = [
    ['Bid', around.bestBid],
    ['Ask', around.bestAsk],
  ] as const;
  return (
    <>
      {best.map(([name, price]) => (
        <button
          key={name}
          type="button"
          aria-label={`Use the best ${name.toLowerCase()}`}
          disabled={price === null || price === ''}
          onClick={() => change({ price: price ?? '', total: null, percent: null })}
          className="rounded border border-line-strong px-1 text-2xs text-muted hover:text-text disabled:text-faint"
        >
          {name}
        </button>
      ))}
      {unit}
    </>
  );
}

interface TriggerProps {
  readonly draft: OrderDraft;
  readonly change: (next: Partial<OrderDraft>) => void;
  readonly last: string | null;
}

/** The condition of the stop, or a warning that it would trigger at once. */
function Trigger({ draft, change, last }: TriggerProps) {
  const { priceIncrement } = useMarket().symbol;
  if ((!isStop(draft) && draft.kind !== 'oco') || draft.stopPrice === '') return null;
  const direction = directionIn(draft);
  const at = formatAt(draft.stopPrice, priceIncrement);
  if (!triggersNow(draft, last)) {
    return (
      <p className="text-xs text-muted">
        Triggers when the last price {directionWords(direction)} {at}.
      </p>
    );
  }
  const other = direction === 'entry' ? 'loss' : 'entry';
  const isOtherWaiting = draft.kind !== 'oco' && !triggersNow({ ...draft, stop: other }, last);
  return (
    <p role="alert" className="rounded-md bg-warning-tint px-2.5 py-1.5 text-xs text-warning">
      Would trigger now: the last price is {formatAt(last, priceIncrement)}.
      {isOtherWaiting && (
        <button
          type="button"
          onClick={() => change({ stop: other })}
          className="ml-1.5 rounded border border-warning px-1 font-medium"
        >
          Wait until it {directionWords(other)} {at}
        </button>
      )}
    </p>
  );
}

/** At least two decimal places, rounded down so that it never exceeds the balance. */
const CENT = '0.01';

interface AvailableProps {
  readonly draft: OrderDraft;
  readonly around: OrderSurroundings;
}

/** The balance that pays for the order. */
function Available({ draft, around }: AvailableProps) {
  const { symbol, quoteAvailable, baseAvailable } = around;
  const [amount, increment, currency] =
    draft.side === 'buy'
      ? [
          quoteAvailable,
          placesOf(symbol.priceIncrement) < 2 ? CENT : symbol.priceIncrement,
          symbol.quoteCurrency,
        ]
      : [baseAvailable, symbol.baseIncrement, symbol.baseCurrency];
  return (
    <p className="flex justify-between gap-3 text-xs whitespace-nowrap text-faint">
      Available
      <span className="truncate text-muted" title={amount === null ? undefined : `${amount} ${currency}`}>
        {formatAt(amount, increment)} {currency}
      </span>
    </p>
  );
}

interface PercentSliderProps {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
  readonly isDisabled?: boolean;
}

const marks = [0, 25, 50, 75, 100];

/** A percentage slider with marks at the quarters. */
function PercentSlider({ label, value, onValue, isDisabled = false }: PercentSliderProps) {
  return (
    <div className="flex items-center gap-2">
      <Radix.Root
        value={[value]}
        max={100}
        step={1}
        disabled={isDisabled}
        onValueChange={([next]) => onValue(next ?? 0)}
        className="relative flex h-6 w-full touch-none items-center px-1.5 select-none data-[disabled]:opacity-50"
      >
        <Radix.Track className="relative h-0.5 grow rounded bg-line-strong">
          <Radix.Range className="absolute h-full rounded bg-accent" />
          {marks.map((mark) => (
            <span
              key={mark}
              className="absolute top-1/2 size-1.5 -translate-x-1/2 -translate-y-1/2 rotate-45 bg-line-strong"
              style={{ left: `${mark}%` }}
            />
          ))}
        </Radix.Track>
        <Radix.Thumb
          aria-label={label}
          aria-valuetext={`${value} %`}
          className="block size-3.5 rounded-full border-2 border-accent bg-panel"
        />
      </Radix.Root>
      <output aria-hidden="true" className="w-9 shrink-0 text-right text-xs text-muted">
        {value} %
      </output>
    </div>
  );
}

export interface LimitOptionsProps {
  readonly draft: OrderDraft;
  readonly change: (next: Partial<OrderDraft>) => void;
  readonly wrong: readonly Violation[];
}

const times: readonly { readonly value: TimeInForce; readonly label: string }[] = [
  { value: 'GTC', label: 'GTC: until cancelled' },
  { value: 'GTT', label: 'GTT: for a number of seconds' },
  { value: 'IOC', label: 'IOC: fill at once, cancel the rest' },
  { value: 'FOK', label: 'FOK: fill completely or cancel' },
];

/** Time in force and visibility of a limit order. */
export function LimitOptions({ draft, change, wrong }: LimitOptionsProps) {
  const { symbol } = useMarket();
  const isAtOnce = draft.timeInForce === 'IOC' || draft.timeInForce === 'FOK';
  const seconds = violationOf(wrong, 'cancelAfter');
  const visible = violationOf(wrong, 'visibleSize');
  return (
    <>
      <div className={draft.timeInForce === 'GTT' ? 'grid grid-cols-[1fr_6rem] gap-2' : ''}>
        <SelectField
          label="Time in force"
          value={draft.timeInForce}
          onValue={(value) => change({ timeInForce: value as TimeInForce })}
          choices={times}
        />
        {draft.timeInForce === 'GTT' && (
          <TextField
            label="Seconds"
            inputMode="numeric"
            value={draft.cancelAfter}
            onValue={(cancelAfter) => change({ cancelAfter: cancelAfter.trim() })}
            error={
              seconds && <FieldError violation={seconds} onFix={(cancelAfter) => change({ cancelAfter })} />
            }
          />
        )}
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        <Checkbox
          label="Post only"
          isChecked={draft.isPostOnly && !isAtOnce}
          isDisabled={isAtOnce}
          onChecked={(isPostOnly) => change({ isPostOnly })}
          hint={isAtOnce ? 'Not with IOC or FOK, which never rest.' : 'Cancelled if it would trade at once.'}
        />
        <Checkbox
          label="Hidden"
          isChecked={draft.isHidden && !draft.isIceberg}
          isDisabled={draft.isIceberg}
          onChecked={(isHidden) => change({ isHidden })}
          hint="Not shown in the book; pays the taker fee."
        />
        <Checkbox
          label="Iceberg"
          isChecked={draft.isIceberg}
          onChecked={(isIceberg) => change({ isIceberg })}
          hint="Only a part is shown in the book; pays the taker fee."
        />
      </div>
      {draft.isIceberg && (
        <DecimalField
          label="Visible size"
          value={draft.visibleSize}
          onValue={(visibleSize) => change({ visibleSize })}
          step={symbol.baseIncrement}
          suffix={symbol.baseCurrency}
          error={
            visible && <FieldError violation={visible} onFix={(visibleSize) => change({ visibleSize })} />
          }
        />
      )}
    </>
  );
}
