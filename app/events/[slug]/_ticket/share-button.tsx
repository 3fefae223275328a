'use client';

import { useCopy } from '../../../_components/copy/use-copy.ts';
import { Icon } from '../../../_components/icon.tsx';
import { useIsHydrated } from '../../../_components/use-is-hydrated.ts';

/** Opens the device’s share dialog; copies the page’s URL where there is none. */
export function ShareButton() {
  const { isCopied, copy } = useCopy();
  const isHydrated = useIsHydrated();

  function share(): void {
    const url = location.origin + location.pathname;
    // Rejected when the visitor closes the dialog.
    if (navigator.share) navigator.share({ title: document.title, url }).catch(() => {});
    else copy(url);
  }

  return (
    <button
      type="button"
      className="event-action only-with-script"
      disabled={!isHydrated}
      onClick={share}
    >
      <Icon name={isCopied ? 'done' : 'share'} />
      Share
    </button>
  );
}
