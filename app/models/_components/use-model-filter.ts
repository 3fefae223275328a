import { useEffect, useRef, useState } from 'react';
import type { ModelFilter } from '#lib/playground/model-filter.ts';
import { parseModelFilter, toModelSearch } from '#lib/playground/model-search.ts';

/**
 * The filters of the list, in the page’s URL. What is typed replaces the history entry of what was typed before it; a
 * choice is an entry of its own, so that Back undoes it.
 */
export function useModelFilter(initial: ModelFilter) {
  const [filter, setFilter] = useState(initial);
  const isTyping = useRef(false);

  useEffect(() => {
    const restore = () => {
      isTyping.current = false;
      setFilter(parseModelFilter(new URLSearchParams(location.search)));
    };
    addEventListener('popstate', restore);
    return () => removeEventListener('popstate', restore);
  }, []);

  const change = (next: ModelFilter, isTyped: boolean) => {
    const path = `/models${toModelSearch(next)}`;
    if (path !== location.pathname + location.search) {
      const replaces = isTyping.current && isTyped;
      history[replaces ? 'replaceState' : 'pushState'](history.state, '', path);
    }
    isTyping.current = isTyped;
    setFilter(next);
  };

  /** The next change is a new history entry. */
  const settle = () => {
    isTyping.current = false;
  };
  return { filter, change, settle };
}
