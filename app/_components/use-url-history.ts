import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react';

/** How filters were changed: `submitted` by Enter in a field, `chosen` by a click. */
export type ChangeKind = 'typed' | 'submitted' | 'chosen';

/**
 * Writes the state of filters to the page’s URL. What is typed replaces the history entry of what was typed before it;
 * a choice is an entry of its own, so that Back undoes it.
 * @param path the URL of the current state
 * @param restore called after Back or Forward
 */
export function useUrlHistory(path: string, restore: () => void) {
  const isTyping = useRef(false);

  const write = (next: string, kind: ChangeKind) => {
    if (next !== path) {
      const replaces = isTyping.current && kind !== 'chosen';
      history[replaces ? 'replaceState' : 'pushState'](history.state, '', next);
    }
    isTyping.current = kind === 'typed';
  };
  /** The next change is a new history entry. */
  const settle = () => {
    isTyping.current = false;
  };

  const onPopState = useEffectEvent(() => {
    settle();
    restore();
  });
  useEffect(() => {
    const listener = () => onPopState();
    addEventListener('popstate', listener);
    return () => removeEventListener('popstate', listener);
  }, []);

  return { write, settle };
}

/** Acts in place of a link, unless the click opens it elsewhere: in a tab, a window or as a download. */
export function onPlainClick(act: () => void) {
  return (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    act();
  };
}
