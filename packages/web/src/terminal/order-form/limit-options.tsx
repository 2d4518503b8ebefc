/** How long a limit order stands, and who sees it. */

import type { TimeInForce } from '@bourse/client';
import { Checkbox, DecimalField, SelectField, TextField } from '../../ui/field.tsx';
import { useMarket } from '../market-context.tsx';
import { FieldError, violationOf } from './field-error.tsx';
import type { OrderDraft } from './order-draft.ts';
import type { Violation } from './order-rules.ts';

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
