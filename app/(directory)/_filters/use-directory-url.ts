import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  type DirectoryLayout,
  type EventsQuery,
  filterNames,
  formatQuery,
  formatValue,
  isReversed,
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
    const isShown =
      isLive || isReversed(next.filters) || formatQuery(next.filters) === formatQuery(url.filters);
    if (!isShown) {
      if (kind === 'typed') loadWhileTyping(path, form.current);
      else location.assign(path);
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
  useEffect(() => resumeTyping(form.current), [form]);

  return { ...url, change, settle };
}

function toPath({ filters, layout }: DirectoryUrl): string {
  return `/${formatQuery({ ...filters, view: layout })}`;
}

const typedKey = 'typed';

/** Loads the page of what was typed so far. Its search field goes on with what is typed until then. */
function loadWhileTyping(path: string, form: HTMLFormElement | null): void {
  const field = findSearchField(form);
  if (field === null || field !== document.activeElement) return;
  addEventListener('pagehide', () => storeTyped(field.value), { once: true });
  location.assign(path);
}

function resumeTyping(form: HTMLFormElement | null): void {
  const field = findSearchField(form);
  const typed = takeTyped();
  if (field === null || typed === null) return;
  const isMore = field.value !== typed;
  field.value = typed;
  field.focus();
  field.setSelectionRange(typed.length, typed.length);
  if (isMore) field.dispatchEvent(new Event('input', { bubbles: true }));
}

// Where storage is disabled, the field has what the page was loaded with.
function storeTyped(text: string): void {
  try {
    sessionStorage.setItem(typedKey, text);
  } catch {}
}

function takeTyped(): string | null {
  try {
    const typed = sessionStorage.getItem(typedKey);
    sessionStorage.removeItem(typedKey);
    return typed;
  } catch {
    return null;
  }
}

function findSearchField(form: HTMLFormElement | null): HTMLInputElement | null {
  const field = form?.elements.namedItem('q');
  return field instanceof HTMLInputElement ? field : null;
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
