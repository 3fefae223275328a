'use client';

import { useCopy } from '../../../_components/copy/use-copy.ts';
import { Icon } from '../../../_components/icon.tsx';
import { ScriptButton } from '../../../_components/script-button.tsx';

/** Opens the device’s share dialog; copies the page’s URL where there is none. */
export function ShareButton() {
  const { isCopied, copy } = useCopy();

  function share(): void {
    const url = location.origin + location.pathname;
    // Rejected when the visitor closes the dialog.
    if (navigator.share) navigator.share({ title: document.title, url }).catch(() => {});
    else copy(url);
  }

  return (
    <ScriptButton className="event-action" onClick={share}>
      <Icon name={isCopied ? 'done' : 'share'} />
      Share
    </ScriptButton>
  );
}
