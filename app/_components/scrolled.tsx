import type { ComponentProps } from 'react';

/** Code that scrolls when it is too wide, by keyboard too. */
export function ScrolledCode(props: ComponentProps<'pre'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, a section would be a landmark
    <pre role="group" aria-label="Code" tabIndex={0} {...props} />
  );
}

type ScrolledTableProps = ComponentProps<'table'> &
  Readonly<{
    /** For style sheets, where its height matters before it is laid out. */
    rows?: number | undefined;
  }>;

/** A table that scrolls when it is too wide. The frame has the role, so that the table stays a table. */
export function ScrolledTable({ rows, ...table }: ScrolledTableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      className="table-frame"
      role="group"
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
      tabIndex={0}
      style={{ '--rows': rows }}
    >
      <table {...table} />
    </div>
  );
}
