import type { DirectoryLayout } from '#lib/events/query/directory-search.ts';

const storageKey = 'layout';

/** Remembers the layout for the next visit. The script in the page’s head applies it before the first paint. */
export function rememberLayout(layout: DirectoryLayout): void {
  try {
    localStorage.setItem(storageKey, layout);
  } catch {
    // Storage is disabled: the URL still has it.
  }
}

/** The layout that the script in the head applied, where the URL has none. From then on the page applies it. */
export function takeRememberedLayout(): DirectoryLayout | null {
  const { dataset } = document.documentElement;
  if (dataset.layout !== 'list') return null;
  delete dataset.layout;
  return 'list';
}
