/** Alters an order: another price or size in one step, or a part cancelled without losing its place in the queue. */

import type { Order } from '@bourse/client';
import { useState } from 'react';
import { Decimal } from '../../decimal/decimal.ts';
import { formatExact } from '../../decimal/format.ts';
import { useSymbol } from '../../exchange/market-data.ts';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DecimalField } from '../../ui/field.tsx';
import { sentenceOf } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useAct } from '../../user/actions.ts';
import { alterOrder, cancelPart } from './order-actions.ts';

export interface AlterDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

export function AlterDialog({ order, onClose }: AlterDialogProps) {
  const symbol = useSymbol(order.symbol);
  const [price, setPrice] = useState(order.price);
  const [size, setSize] = useState(order.size);
  const [part, setPart] = useState('');
  const act = useAct();
  const alter = alterOrder(order, price, size);
  const cancel = cancelPart(order, part);
  const wrong = (text: string, increment: string | undefined, name: string): string | undefined => {
    if (text === '' || increment === undefined) return undefined;
    const value = Decimal.parse(text);
    return value !== null && !value.isZero && value.isMultipleOf(Decimal.of(increment))
      ? undefined
      : `Must be a positive multiple of ${name} ${increment}.`;
  };
  const priceError = wrong(price, symbol?.priceIncrement, 'priceIncrement');
  const sizeError = wrong(size, symbol?.baseIncrement, 'baseIncrement');
  const partError = wrong(part, symbol?.baseIncrement, 'baseIncrement');
  const isSame = price === order.price && size === order.size;

  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      title={`Alter the ${order.side} order`}
      about={`${order.symbol}, ${formatExact(order.remainSize)} open at ${formatExact(order.price)}`}
    >
      <form
        aria-label="New price and size"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(alter, {
            onSuccess: () => {
              showToast('done', 'Order altered', 'A new order stands in its stead.');
              onClose();
            },
          });
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <DecimalField
            label="New price"
            value={price}
            onValue={setPrice}
            step={symbol?.priceIncrement}
            error={priceError}
          />
          <DecimalField
            label="New size, with what is filled"
            value={size}
            onValue={setSize}
            step={symbol?.baseIncrement}
            error={sizeError}
          />
        </div>
        <p className="text-xs text-faint">
          The order is cancelled and a new one placed in its stead, or neither happens. It goes to the end of
          the queue at its price.
        </p>
        <div className="flex gap-2">
          <Button
            type="submit"
            kind="primary"
            isBusy={act.isPending}
            disabled={
              isSame || price === '' || size === '' || priceError !== undefined || sizeError !== undefined
            }
          >
            Alter
          </Button>
          <ShowMeButton action={alter} />
        </div>
      </form>
      <form
        aria-label="Cancel a part"
        className="mt-4 flex flex-col gap-3 border-t border-line pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(cancel, {
            onSuccess: () => {
              showToast('done', 'Part cancelled', 'The rest keeps its place in the queue.');
              onClose();
            },
          });
        }}
      >
        <DecimalField
          label="Or cancel a part, the rest keeps its place"
          value={part}
          onValue={setPart}
          step={symbol?.baseIncrement}
          error={partError}
          suffix={symbol?.baseCurrency}
        />
        <div className="flex gap-2">
          <Button type="submit" isBusy={act.isPending} disabled={part === '' || partError !== undefined}>
            Cancel this part
          </Button>
          <ShowMeButton action={cancel} />
        </div>
      </form>
      {act.isError && (
        <p role="alert" className="mt-3 text-xs break-words text-danger">
          {sentenceOf(act.error)}
        </p>
      )}
    </Dialog>
  );
}
