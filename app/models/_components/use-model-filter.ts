import { useState } from 'react';
import type { ModelFilter } from '#lib/site/playground/model-filter.ts';
import { parseModelFilter, toModelSearch } from '#lib/site/playground/model-search.ts';
import { type ChangeKind, useUrlHistory } from '../../_components/use-url-history.ts';

/** The filters of the list, in the page’s URL. */
export function useModelFilter(initial: ModelFilter) {
  const [filter, setFilter] = useState(initial);
  const { write, settle } = useUrlHistory(toPath(filter), () =>
    setFilter(parseModelFilter(new URLSearchParams(location.search))),
  );
  const change = (next: ModelFilter, kind: ChangeKind) => {
    write(toPath(next), kind);
    setFilter(next);
  };
  return { filter, change, settle };
}

function toPath(filter: ModelFilter): string {
  return `/models${toModelSearch(filter)}`;
}
