import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import {
  type DirectoryLayout,
  type EventsQuery,
  filterNames,
  formatQuery,
  formatValue,
  readFilters,
} from '#lib/events/query/events-query.ts';
import { type ChangeKind, useUrlHistory } from '../../_components/use-url-history.ts';

type DirectoryUrl = Readonly<{ filters: EventsQuery; layout: DirectoryLayout }>;

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
    const search = new URLSearchParams(location.search);
    const filters = readFilters(search);
    if (form.current) writeForm(form.current, filters);
    setUrl({ filters, layout: search.get('view') === 'list' ? 'list' : 'posters' });
  });

  const change = (next: DirectoryUrl, kind: ChangeKind) => {
    const path = toPath(next);
    const isLoaded = isLive || formatQuery(next.filters) === formatQuery(url.filters);
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

function toPath({ filters, layout }: DirectoryUrl): string {
  return `/${formatQuery({ ...filters, view: layout })}`;
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
export function readForm(form: HTMLFormElement): EventsQuery {
  return readFilters(new FormData(form));
}

/** Fills a form in. Hidden fields follow the state of the page. */
export function writeForm(form: HTMLFormElement, filters: EventsQuery): void {
  for (const name of filterNames) {
    const field = form.elements.namedItem(name);
    const isShown = field instanceof HTMLInputElement && field.type !== 'hidden';
    if (isShown || field instanceof HTMLSelectElement) field.value = formatValue(filters[name]);
  }
}
