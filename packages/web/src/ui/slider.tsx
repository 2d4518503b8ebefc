/** A slider in per cent, with marks at the quarters. */

import { Slider as Radix } from 'radix-ui';

export interface PercentSliderProps {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
  readonly isDisabled?: boolean;
}

const marks = [0, 25, 50, 75, 100];

export function PercentSlider({ label, value, onValue, isDisabled = false }: PercentSliderProps) {
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
