/** The order book: asks above, bids below, the spread in between. Painted once per frame. */

import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Decimal, formatAt, formatSize } from '../../decimal/decimal.ts';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { useConnectionState, useFrames, useLastPrice } from '../../exchange/live-tickers.ts';
import { BOOK_SIDES, setPreferences } from '../../preferences/preferences.ts';
import { usePreferences } from '../../preferences/use-preferences.ts';
import { useHeight } from '../../ui/size.ts';
import { Empty, Loading } from '../../ui/states.tsx';
import { classNames } from '../../ui/text.ts';
import { useOpenOrders } from '../../user/user-queries.ts';
import { useMarket } from '../market-context.tsx';
import { useMarketNotes } from '../market-notes.tsx';
import { takePrice } from '../order-form/order-drafts.ts';
import { type BookSide, groupSteps, type ShownLevel, shownLevels } from './levels.ts';

const LEVEL_HEIGHT = 20;
const SPREAD_HEIGHT = 42;
/** More levels than fit on screen, so that wide groups are complete, too. */
const LEVELS_GROUPED = 2_000;

/** Price, size and sum: a small size has the most digits. */
const COLUMNS = 'grid grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)_minmax(0,1fr)]';

const CHOICE = 'h-6 rounded border border-line bg-raised px-1 text-text';

const never = new FrameSignal();

export function OrderBookView() {
  const { symbol, watch } = useMarket();
  const line = useConnectionState();
  const steps = useMemo(() => groupSteps(symbol.priceIncrement), [symbol.priceIncrement]);
  const [chosen, setChosen] = useState({ symbol: '', step: '' });
  const step = chosen.symbol === symbol.symbol ? chosen.step : steps[0]!;
  useFrames(watch?.bookChanged ?? never);
  const pick = (price: string, size?: string): void => takePrice(symbol.symbol, price, size);
  const [area, height] = useHeight();
  const { bookSides } = usePreferences();
  const lists = bookSides === 'both' ? 2 : 1;
  const count = Math.max(1, Math.floor((height - SPREAD_HEIGHT) / lists / LEVEL_HEIGHT));
  const own = useOwnLevels(symbol.symbol, step);
  // With the smallest step each level is its own group.
  const levelsRead = step === steps[0] ? count : LEVELS_GROUPED;
  const hasBook = watch?.hasBook === true;

  const side = (name: BookSide): ShownLevel[] =>
    watch === undefined ? [] : shownLevels(watch.levels(name, levelsRead), name, step, count);
  const asks = side('asks');
  const bids = side('bids');
  const isStale = line === 'lost' || watch?.book?.isSynced === false;
  const notes = useMarketNotes();
  const warning = isStale ? 'stale' : notes.join(', ');
  const state = watch?.book === undefined ? 'connecting' : 'live';

  return (
    <div className="flex min-h-0 flex-1 flex-col text-xs">
      <div className="flex h-8 shrink-0 items-center justify-between px-3 text-faint">
        <span aria-live="polite" className={warning === '' ? '' : 'truncate text-warning'}>
          {warning === '' ? state : warning}
        </span>
        <span className="flex shrink-0 gap-1.5">
          <select
            aria-label="Sides of the book"
            value={bookSides}
            onChange={({ target }) =>
              setPreferences({ bookSides: BOOK_SIDES.find((sides) => sides === target.value) ?? 'both' })
            }
            className={CHOICE}
          >
            <option value="both">Both</option>
            <option value="bids">Bids</option>
            <option value="asks">Asks</option>
          </select>
          <select
            aria-label="Group"
            value={step}
            onChange={(event) => setChosen({ symbol: symbol.symbol, step: event.target.value })}
            className={CHOICE}
          >
            {steps.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </span>
      </div>
      <div aria-hidden="true" className={classNames(COLUMNS, 'px-3 pb-1 text-2xs text-faint')}>
        <span>Price {symbol.quoteCurrency}</span>
        <span className="text-right">Size {symbol.baseCurrency}</span>
        <span className="text-right">Sum</span>
      </div>
      {!hasBook ? (
        <Loading label="The order book is loading" lines={14} />
      ) : (
        <div ref={area} className={classNames('flex min-h-0 flex-1 flex-col', isStale && 'grayscale')}>
          {bookSides !== 'bids' && (
            <Levels
              name="Asks"
              levels={asks.toReversed()}
              {...{ own, step, pick }}
              isUp={false}
              className="justify-end"
            />
          )}
          <Spread bid={bids[0]?.price} ask={asks[0]?.price} />
          {bookSides !== 'asks' && (
            <Levels name="Bids" levels={bids} {...{ own, step, pick }} isUp className="justify-start" />
          )}
        </div>
      )}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const item = (event.target as HTMLElement).closest('li');
  const next =
    event.key === 'ArrowDown'
      ? item?.nextElementSibling
      : event.key === 'ArrowUp'
        ? item?.previousElementSibling
        : null;
  if (!next) return;
  event.preventDefault();
  next.querySelector('button')?.focus();
}

interface LevelsProps {
  readonly name: string;
  readonly levels: readonly ShownLevel[];
  readonly own: ReadonlyMap<string, string>;
  readonly step: string;
  readonly isUp: boolean;
  /** Called with a level's price; from the sum column, also with the size that takes the book down to that level. */
  readonly pick: (price: string, size?: string) => void;
  readonly className: string;
}

function Levels({ name, levels, own, step, isUp, pick, className }: LevelsProps) {
  if (levels.length === 0) return <Empty title={`No ${name.toLowerCase()}`} className="min-h-0 flex-1" />;
  return (
    <ul
      aria-label={name}
      onKeyDown={moveFocus}
      className={classNames('flex min-h-0 flex-1 basis-0 flex-col overflow-hidden', className)}
    >
      {levels.map((level, at) => {
        const isBest = at === (isUp ? 0 : levels.length - 1);
        const ownSize = own.get(`${isUp ? 'buy' : 'sell'} ${level.price}`);
        const isOwn = ownSize !== undefined;
        return (
          // Layout containment: a change within a row affects nothing outside it.
          <li key={level.price} className="h-5 shrink-0 contain-strict">
            <button
              type="button"
              // One tab stop; the arrow keys move on from the best price.
              tabIndex={isBest ? 0 : -1}
              onClick={({ target }) =>
                pick(level.price, (target as HTMLElement).closest('[data-sum]') ? level.sum : undefined)
              }
              {...(isOwn && { title: `Yours: ${ownSize}` })}
              className={classNames(
                COLUMNS,
                'relative h-full w-full items-center px-3 text-left hover:bg-hover',
              )}
            >
              <span
                aria-hidden="true"
                className={classNames(
                  'absolute inset-x-0 inset-y-px origin-right',
                  isUp ? 'bg-up-tint' : 'bg-down-tint',
                )}
                style={{ transform: `scaleX(${level.share})` }}
              />
              <span className={classNames('relative', isUp ? 'text-up' : 'text-down')}>
                {isOwn && (
                  <span
                    aria-hidden="true"
                    className="absolute top-1/2 -left-2 size-1.5 -translate-y-1/2 rounded-full bg-accent"
                  />
                )}
                <span className="sr-only">{isUp ? 'Bid ' : 'Ask '}</span>
                {formatAt(level.price, step)}
              </span>
              <Flash value={level.size} className="relative text-right">
                <span className="sr-only">size </span>
                {formatSize(level.size)}
              </Flash>
              <span data-sum className="relative text-right text-muted hover:text-text hover:underline">
                <span className="sr-only">sum </span>
                {formatSize(level.sum)}
                {isOwn && <span className="sr-only"> of which yours {ownSize}</span>}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Spread({ bid, ask }: { readonly bid: string | undefined; readonly ask: string | undefined }) {
  const { symbol } = useMarket();
  const last = useLastPrice(symbol.symbol);
  const tick = useTick(last);
  const spread = bid === undefined || ask === undefined ? null : Decimal.of(ask).minus(Decimal.of(bid));
  return (
    <div className="my-1 flex h-8 shrink-0 items-center justify-between border-y border-line px-3">
      <button
        type="button"
        onClick={() => last && takePrice(symbol.symbol, last)}
        className={classNames('text-sm font-semibold hover:underline', tick)}
      >
        <span className="sr-only">Use the last price </span>
        {formatAt(last, symbol.priceIncrement)}
      </button>
      <span className="text-2xs text-faint">
        {spread === null ? 'no spread' : spread.units <= 0n ? 'crossed' : `spread ${spread.toString()}`}
      </span>
    </div>
  );
}

/** The colour of the last price change; '' before the first. */
function useTick(price: string | null | undefined): string {
  const [seen, setSeen] = useState({ price, className: '' });
  if (seen.price !== price) {
    const order = Decimal.of(price).compare(Decimal.of(seen.price));
    const isFirst = seen.price === null || seen.price === undefined;
    setSeen({ price, className: isFirst || order === 0 ? '' : order > 0 ? 'text-up' : 'text-down' });
  }
  return seen.className;
}

/** The size of the user's own orders in each group, keyed by `side price`. */
function useOwnLevels(symbol: string, step: string): ReadonlyMap<string, string> {
  const { data } = useOpenOrders();
  return useMemo(() => {
    const own = (data ?? []).filter((order) => order.symbol === symbol && !order.hidden);
    const sums = new Map<string, string>();
    for (const { side, price, remainSize } of own) {
      const [level] = shownLevels([[price, remainSize]], side === 'buy' ? 'bids' : 'asks', step, 1);
      const key = `${side} ${level?.price}`;
      sums.set(key, Decimal.of(sums.get(key)).plus(Decimal.of(remainSize)).toString());
    }
    return sums;
  }, [data, symbol, step]);
}

interface FlashProps {
  readonly value: string;
  readonly children: ReactNode;
  readonly className?: string;
}

const FLASH_MS = 150;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** Flashes when its value changes, unless the system requests reduced motion. */
function Flash({ value, children, className }: FlashProps) {
  const place = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    if (!calm.matches)
      place.current?.animate({ backgroundColor: ['var(--line-strong)', 'transparent'] }, FLASH_MS);
  }, [value]);
  return (
    <span ref={place} className={className}>
      {children}
    </span>
  );
}
