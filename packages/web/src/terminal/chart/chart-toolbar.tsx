/** What the chart shows and how: interval, type, indicators, lines, scale. */

import { setPreferences } from '../../preferences/preferences.ts';
import { usePreferences } from '../../preferences/use-preferences.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuCheck, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { chartTypeOf, chartTypes, indicators, intervals } from './chart-types.ts';
import { removeDrawings, useDrawings } from './drawings.ts';

export type DrawingKind = 'horizontal' | 'trend';

export interface ChartToolbarProps {
  readonly symbol: string;
  readonly interval: string;
  /** False: the last candle is out of sight. */
  readonly isAtNow: boolean;
  readonly onNow: () => void;
  readonly onDraw: (kind: DrawingKind) => void;
  readonly isFull: boolean;
  readonly onFull: (isFull: boolean) => void;
}

export function ChartToolbar(props: ChartToolbarProps) {
  const { symbol, interval, isAtNow, onNow, onDraw, isFull, onFull } = props;
  const { chartType, isLogScale, indicators: chosen } = usePreferences();
  const drawn = useDrawings(symbol).length;
  const shown = indicators.filter(({ value }) => chosen.includes(value));
  const type = chartTypeOf(chartType);
  return (
    <div
      role="toolbar"
      aria-label="Chart"
      className="flex h-8 shrink-0 items-center gap-1 scroll-cue px-2 text-xs"
    >
      <div role="group" aria-label="Interval of a candle" className="flex gap-0.5">
        {intervals.map((each) => (
          <Toggle
            key={each.type}
            isPressed={each.type === interval}
            onPress={() => setPreferences({ interval: each.type })}
          >
            {each.label}
          </Toggle>
        ))}
      </div>
      <span aria-hidden="true" className="mx-1 h-4 w-px shrink-0 bg-line" />
      <Menu
        trigger={
          <Button
            kind="quiet"
            size="small"
            aria-label={`Chart type: ${chartTypes.find(({ value }) => value === type)?.label}`}
          >
            <Icon name="chart" />
          </Button>
        }
      >
        {chartTypes.map(({ value, label }) => (
          <MenuItem
            key={value}
            isChosen={value === type}
            onSelect={() => setPreferences({ chartType: value })}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        trigger={
          <Button kind="quiet" size="small">
            <Icon name="wave" />
            Indicators{shown.length > 0 && ` (${shown.length})`}
          </Button>
        }
      >
        {indicators.map(({ value, label }) => (
          <MenuCheck
            key={value}
            isChecked={chosen.includes(value)}
            onChecked={(isChecked) =>
              setPreferences({
                indicators: indicators
                  .map((each) => each.value)
                  .filter((each) => (each === value ? isChecked : chosen.includes(each))),
              })
            }
          >
            {label}
          </MenuCheck>
        ))}
      </Menu>
      <Menu
        trigger={
          <Button kind="quiet" size="small">
            <Icon name="pencil" />
            Draw
          </Button>
        }
      >
        <MenuItem onSelect={() => onDraw('horizontal')}>Horizontal line</MenuItem>
        <MenuItem onSelect={() => onDraw('trend')}>Trend line</MenuItem>
        <MenuLine />
        <MenuItem isDisabled={drawn === 0} onSelect={() => removeDrawings(symbol)}>
          {drawn === 1 ? 'Remove the line' : `Remove all ${drawn} lines`}
        </MenuItem>
      </Menu>
      <Toggle isPressed={isLogScale} onPress={() => setPreferences({ isLogScale: !isLogScale })}>
        Log
      </Toggle>
      <span className="ml-auto flex items-center gap-1">
        {!isAtNow && (
          <Button size="small" onClick={onNow} title="Back to the last candle">
            Now
          </Button>
        )}
        <IconButton
          icon={isFull ? 'shrink' : 'expand'}
          size="small"
          label={isFull ? 'Leave full screen' : 'Chart in full screen'}
          onClick={() => onFull(!isFull)}
        />
      </span>
    </div>
  );
}

interface ToggleProps {
  readonly isPressed: boolean;
  readonly onPress: () => void;
  readonly children: React.ReactNode;
}

function Toggle({ isPressed, onPress, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className={classNames(
        'h-6 rounded px-1.5 hover:text-text',
        isPressed ? 'bg-hover font-medium text-accent' : 'text-muted',
      )}
    >
      {children}
    </button>
  );
}
