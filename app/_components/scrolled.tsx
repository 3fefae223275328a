import type { ComponentProps } from 'react';

/** Code that may be wider than its place: it scrolls by itself, by keyboard too. */
export function ScrolledCode(props: ComponentProps<'pre'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: no element is a group that is neither a form's nor a landmark
    <pre role="group" aria-label="Code" tabIndex={0} {...props} />
  );
}

/** The same for a table, which keeps its own role. */
export function ScrolledTable(props: ComponentProps<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div className="table-frame" role="group" aria-label="Table" tabIndex={0}>
      <table {...props} />
    </div>
  );
}
