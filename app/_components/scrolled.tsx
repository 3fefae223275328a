import type { ComponentProps } from 'react';

/** Code that scrolls when it is too wide, by keyboard too. */
export function ScrolledCode(props: ComponentProps<'pre'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, a section would be a landmark
    <pre role="group" aria-label="Code" tabIndex={0} {...props} />
  );
}

/** A table that scrolls when it is too wide. The frame has the role, so that the table stays a table. */
export function ScrolledTable(table: ComponentProps<'table'>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      className="table-frame"
      role="group"
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
      tabIndex={0}
    >
      <table {...table} />
    </div>
  );
}
