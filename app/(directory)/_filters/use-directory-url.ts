import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import {
  type DirectoryLayout,
  readLayout,
  toDirectorySearch,
} from '#lib/events/query/directory-search.ts';
import {
  type FilterName,
  type FilterTexts,
  filterNames,
  readFilterTexts,
  toSearch,
} from '#lib/events/query/filters.ts';
import { type ChangeKind, useUrlHistory } from '../../_components/use-url-history.ts';

type DirectoryUrl = Readonly<{ filters: FilterTexts; layout: DirectoryLayout }>;

type DirectoryUrlOptions = DirectoryUrl &
  Readonly<{
    form: RefObject<HTMLFormElement | null>;
    /** Whether filters apply in this tab; otherwise the filtered page is loaded. */
    isLive: boolean;
  }>;

/** The filters and the layout, in the page’s URL. */
export function useDirectoryUrl({ form, isLive, ...initial }: DirectoryUrlOptions) {
  const [url, setUrl] = useState<DirectoryUrl>(initial);
  const rendered = useRef(initial);
  const { write, settle } = useUrlHistory(toPath(url), () => {
    const filters = readFilterTexts(location.search);
    if (form.current) writeForm(form.current, filters);
    setUrl({ filters, layout: readLayout(location.search) });
  });

  const change = (next: DirectoryUrl, kind: ChangeKind) => {
    const path = toPath(next);
    const isLoaded = isLive || toSearch(next.filters) === toSearch(url.filters);
    if (!isLoaded) {
      if (kind !== 'typed') location.assign(path);
      return;
    }
    if (path !== toPath(url)) setUrl(next);
    write(path, kind);
  };

  // Fields may have been filled in before hydration, or restored by the browser. Before the next paint, so that the
  // layout does not flicker.
  useLayoutEffect(() => {
    const first = rendered.current;
    const filters = isLive && form.current ? readForm(form.current) : first.filters;
    const next = { filters, layout: takeRememberedLayout() ?? first.layout };
    if (toPath(next) === toPath(first)) return;
    setUrl(next);
    history.replaceState(history.state, '', toPath(next));
  }, [form, isLive]);

  return { ...url, change, settle };
}

function toPath(url: DirectoryUrl): string {
  return `/${toDirectorySearch(url)}`;
}

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
function takeRememberedLayout(): DirectoryLayout | null {
  const { dataset } = document.documentElement;
  if (dataset.layout !== 'list') return null;
  delete dataset.layout;
  return 'list';
}

/** The filters of a form: its fields, and the hidden fields that other controls set. */
export function readForm(form: HTMLFormElement): FilterTexts {
  const values = new FormData(form);
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of filterNames) {
    const value = String(values.get(name) ?? '').trim();
    if (value !== '') filters[name] = value;
  }
  return filters;
}

/** Fills a form in. Hidden fields follow the state of the page. */
export function writeForm(form: HTMLFormElement, filters: FilterTexts): void {
  for (const name of filterNames) {
    const field = form.elements.namedItem(name);
    const isShown = field instanceof HTMLInputElement && field.type !== 'hidden';
    if (isShown || field instanceof HTMLSelectElement) field.value = filters[name] ?? '';
  }
}
