/** A table with a fixed head. Cells that are figures stand at the right; a narrow page scrolls it sideways. */

import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Scrolled } from './scrolled.tsx';
import { visible } from './visible.ts';

export interface Column<Row> {
  readonly key: string;
  readonly label: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly isFigure?: boolean;
  readonly className?: string;
}

export interface TableProps<Row> {
  /** What it lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Shown instead of rows where there are none. */
  readonly empty?: ReactNode;
  readonly className?: string;
}

export function Table<Row>({ label, columns, rows, rowKey, empty, className }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <Scrolled label={label} className={classNames('h-full', className)}>
      <table className="w-full border-separate border-spacing-0 text-xs">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classNames(
                  'sticky top-0 z-10 h-7 border-b border-line bg-panel px-2.5 font-normal whitespace-nowrap text-faint first:pl-3 last:pr-3',
                  column.isFigure === true ? 'text-right' : 'text-left',
                )}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="group hover:bg-hover">
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={classNames(
                    'h-8 border-b border-line/60 px-2.5 whitespace-nowrap first:pl-3 last:pr-3',
                    column.isFigure === true && 'text-right',
                    column.className,
                  )}
                >
                  {shown(column.cell(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

const shown = (cell: ReactNode): ReactNode => (typeof cell === 'string' ? visible(cell) : cell);
