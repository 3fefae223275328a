import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import {
  type DirectoryLayout,
  readLayout,
  toDirectorySearch,
} from '#lib/events/query/directory-search.ts';
import { type FilterTexts, readFilterTexts, toSearch } from '#lib/events/query/filters.ts';
import { type ChangeKind, useUrlHistory } from '../../_components/use-url-history.ts';
import { takeRememberedLayout } from '../remembered-layout.ts';
import { readForm, writeForm } from './filter-form-values.ts';

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
