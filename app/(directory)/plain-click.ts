import type { MouseEvent } from 'react';

/** Acts in place of a link, unless the click opens it elsewhere: in a tab, a window or as a download. */
export function onPlainClick(act: () => void) {
  return (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    act();
  };
}
