import type { ReactNode } from 'react';
import { ScrolledTable } from '../../_components/scrolled.tsx';

type DataTableProps = Readonly<{
  caption: string;
  /** For a caption that repeats a heading: only screen readers get it. */
  isCaptionHidden?: boolean;
  headings: readonly string[];
  /** Those of numbers, which stand to the right as the numbers do. */
  numbers?: readonly string[];
  /** Adds a last column for buttons, with this heading for screen readers only. */
  action?: string;
  className?: string;
  /** Its rows. */
  children: ReactNode;
}>;

/** A table of figures, which scrolls where it is too wide. */
export function DataTable(props: DataTableProps) {
  const {
    caption,
    isCaptionHidden = true,
    headings,
    numbers = [],
    action,
    className = '',
    children,
  } = props;
  return (
    <ScrolledTable className={`data-table ${className}`.trimEnd()}>
      <caption className={isCaptionHidden ? 'visually-hidden' : undefined}>{caption}</caption>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col" data-number={numbers.includes(heading) ? '' : undefined}>
              {heading}
            </th>
          ))}
          {action !== undefined && (
            <th scope="col">
              <span className="visually-hidden">{action}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </ScrolledTable>
  );
}
