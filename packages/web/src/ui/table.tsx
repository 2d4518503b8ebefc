/**
 * A table with a fixed header. Figures are right-aligned. If space is short, it scrolls sideways below its actions
 * column, which stays visible. On a phone each row is a card.
 */

import { type PointerEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Figure, placesOfAll } from './figure.tsx';
import { Scrolled } from './panel.tsx';
import { useIsPhone } from './size.ts';
import { classNames, visible } from './text.ts';

export interface Column<Row> {
  readonly key: string;
  readonly label: ReactNode;
  readonly cell?: (row: Row) => ReactNode;
  /** A decimal instead of a cell. All rows of the column get the same number of decimal places, so the points align. */
  readonly amount?: (row: Row) => string | null | undefined;
  /** The amount's unit, such as USDT. */
  readonly unit?: (row: Row) => string;
  /** The amount is a change, shown with its sign. */
  readonly isSigned?: boolean;
  readonly isFigure?: boolean;
  /** Its cells may wrap to two lines if space is short. */
  readonly mayWrap?: boolean;
  /** The actions of a row: always visible. */
  readonly isAction?: boolean;
  /** On a card it is in the first line, without its label. */
  readonly isTitle?: boolean;
  readonly className?: string;
}

export interface TableProps<Row> {
  /** The table's name, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Shown instead of an empty list. */
  readonly empty?: ReactNode;
  readonly className?: string;
}

export function Table<Row>({ label, columns, rows, rowKey, empty, className }: TableProps<Row>) {
  const isPhone = useIsPhone();
  const { shown, handlers } = useSteadyRows(rows, rowKey);
  if (shown.length === 0 && empty !== undefined) return <>{empty}</>;
  const Rows = isPhone && columns.some((column) => column.isTitle === true) ? Cards : Lines;
  return (
    <Scrolled label={label} className={classNames('h-full', className)}>
      <div {...handlers}>
        <Rows
          label={label}
          columns={columns.map((column) =>
            drawn(
              column,
              shown.map(({ row }) => row),
            ),
          )}
          rows={shown}
        />
      </div>
    </Scrolled>
  );
}

type DrawnColumn<Row> = Column<Row> & Required<Pick<Column<Row>, 'cell'>>;

function drawn<Row>(column: Column<Row>, rows: readonly Row[]): DrawnColumn<Row> {
  const { amount, unit, isSigned, cell = () => '' } = column;
  if (amount === undefined) return { ...column, cell };
  const places = placesOfAll(rows.map(amount));
  return {
    ...column,
    isFigure: true,
    cell: (row) => <Figure value={amount(row)} unit={unit?.(row)} {...{ places, isSigned }} />,
  };
}

interface RowsProps<Row> {
  readonly label: string;
  readonly columns: readonly DrawnColumn<Row>[];
  readonly rows: readonly SteadyRow<Row>[];
}

/** Tables with more columns have narrower cell padding. */
const COLUMNS_APART_MAX = 7;

function Lines<Row>({ label, columns, rows }: RowsProps<Row>) {
  const padding = columns.length > COLUMNS_APART_MAX ? 'px-1.5' : 'px-2.5';
  return (
    <table className="w-full border-separate border-spacing-0 text-xs">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              className={classNames(
                'sticky top-0 h-7 border-b border-line bg-panel font-normal whitespace-nowrap text-faint first:pl-3 last:pr-3',
                padding,
                column.isAction === true ? 'right-0 z-20' : 'z-10',
                column.isFigure === true ? 'text-right' : 'text-left',
              )}
            >
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, row, isGone }) => (
          <tr
            key={key}
            inert={isGone}
            className={classNames('group', isGone ? 'opacity-40' : 'hover:bg-hover')}
          >
            {columns.map((column) => (
              <td
                key={column.key}
                className={classNames(
                  'h-8 border-b border-line/60 transition-opacity first:pl-3 last:pr-3',
                  padding,
                  column.mayWrap === true ? 'leading-4' : 'whitespace-nowrap',
                  column.isFigure === true && 'text-right',
                  column.isAction === true &&
                    'sticky right-0 bg-panel shadow-[-8px_0_8px_-4px_var(--panel)] group-hover:bg-hover',
                  column.className,
                )}
              >
                {shownCell(column.cell(row))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards<Row>({ label, columns, rows }: RowsProps<Row>) {
  const titles = columns.filter((column) => column.isTitle === true);
  const actions = columns.filter((column) => column.isAction === true);
  const facts = columns.filter((column) => column.isTitle !== true && column.isAction !== true);
  return (
    <ul aria-label={label} className="flex flex-col text-xs">
      {rows.map(({ key, row, isGone }) => (
        <li
          key={key}
          inert={isGone}
          className={classNames('border-b border-line px-3 py-2 transition-opacity', isGone && 'opacity-40')}
        >
          <div className="flex min-h-8 items-center gap-2 text-sm font-medium">
            {titles.map((column) => (
              <span key={column.key} className="whitespace-nowrap">
                {shownCell(column.cell(row))}
              </span>
            ))}
            <span className="ml-auto flex [&_button]:min-h-9 [&_button]:min-w-9">
              {actions.map((column) => (
                <span key={column.key}>{column.cell(row)}</span>
              ))}
            </span>
          </div>
          <dl className="flex flex-col gap-y-0.5">
            {facts
              .map((column) => ({ column, cell: column.cell(row) }))
              .filter(({ cell }) => cell !== '')
              .map(({ column, cell }) => (
                <div key={column.key} className="flex min-w-0 justify-between gap-2">
                  <dt className="shrink-0 text-faint">{column.label}</dt>
                  <dd className="truncate text-right">{shownCell(cell)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const shownCell = (cell: ReactNode): ReactNode => (typeof cell === 'string' ? visible(cell) : cell);

interface SteadyRow<Row> {
  readonly key: string;
  readonly row: Row;
  readonly isGone: boolean;
}

/** How long rows stay after the last tap: a finger leaves the list with every tap. */
const TOUCH_MS = 2_000;

/**
 * Rows that keep their places under the pointer: a removed row stays dimmed and inert, and new rows go to the end,
 * until the pointer leaves the list. Otherwise the next row could slide below a second click.
 */
function useSteadyRows<Row>(rows: readonly Row[], rowKey: (row: Row) => string) {
  const [isHeld, setIsHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const before = useRef<readonly SteadyRow<Row>[]>([]);
  const now = new Map(rows.map((row) => [rowKey(row), { key: rowKey(row), row, isGone: false }]));
  const kept = isHeld ? before.current.map((each) => now.get(each.key) ?? { ...each, isGone: true }) : [];
  const keys = new Set(kept.map(({ key }) => key));
  const shown: readonly SteadyRow<Row>[] = [
    ...kept,
    ...[...now.values()].filter(({ key }) => !keys.has(key)),
  ];
  useLayoutEffect(() => {
    before.current = shown;
  });
  useEffect(() => () => clearTimeout(timer.current), []);

  const hold = ({ pointerType }: PointerEvent): void => {
    clearTimeout(timer.current);
    setIsHeld(true);
    if (pointerType === 'touch') timer.current = setTimeout(() => setIsHeld(false), TOUCH_MS);
  };
  const leave = ({ pointerType }: PointerEvent): void => {
    if (pointerType !== 'touch') setIsHeld(false);
  };
  return { shown, handlers: { onPointerMove: hold, onPointerDown: hold, onPointerLeave: leave } };
}
