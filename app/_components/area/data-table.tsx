import type { ReactNode } from 'react';
import { ScrolledTable } from '../scrolled.tsx';

type DataTableProps<T> = Readonly<{
  caption: string;
  /** For a caption that repeats a heading: only screen readers get it. */
  isCaptionHidden?: boolean;
  rows: readonly T[];
  toId: (row: T) => string;
  /** Whether a row is there for completeness only. */
  isOff?: (row: T) => boolean;
  /** The first cell of a row is its heading. */
  columns: readonly (readonly [heading: string, toCell: (row: T) => ReactNode])[];
  /** Headings of numbers, which stand to the right as the numbers do. */
  numbers?: readonly string[];
  /** A last column for buttons, whose heading only screen readers get. */
  action?: Readonly<{ heading: string; toButton: (row: T) => ReactNode }>;
  className?: string;
}>;

/** A table of figures, which scrolls where it is too wide. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { caption, isCaptionHidden = true, rows, toId, isOff, columns, action } = props;
  const { numbers = [], className = '' } = props;
  const toNumber = (heading: string) => (numbers.includes(heading) ? '' : undefined);
  const [first, ...others] = columns;
  return (
    <ScrolledTable className={`data-table ${className}`.trimEnd()}>
      <caption className={isCaptionHidden ? 'visually-hidden' : undefined}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(([heading]) => (
            <th key={heading} scope="col" data-number={toNumber(heading)}>
              {heading}
            </th>
          ))}
          {action && (
            <th scope="col">
              <span className="visually-hidden">{action.heading}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={toId(row)} className={isOff?.(row) ? 'is-off' : undefined}>
            <th scope="row">{first?.[1](row)}</th>
            {others.map(([heading, toCell]) => (
              <td key={heading} data-label={heading} data-number={toNumber(heading)}>
                {toCell(row)}
              </td>
            ))}
            {action && <td>{action.toButton(row)}</td>}
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}

/** How much of the most it is, as a bar. */
export function ShareBar({ share }: Readonly<{ share: number }>) {
  return <span className="share-bar" style={{ inlineSize: `${100 * share}%` }} />;
}
