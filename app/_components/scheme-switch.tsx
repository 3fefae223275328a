'use client';

import { Icon } from './icon.tsx';
import { ScriptButton } from './script-button.tsx';

/** Switches between light and dark, and remembers the choice. Without one, the system’s setting applies. */
export function SchemeSwitch() {
  return (
    <ScriptButton className="icon-button" title="Switch to light or dark" onClick={switchScheme}>
      <Icon name="scheme" />
      <span>Theme</span>
    </ScriptButton>
  );
}

function switchScheme(): void {
  const { dataset } = document.documentElement;
  const scheme =
    dataset.scheme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '');
  dataset.scheme = scheme === 'dark' ? 'light' : 'dark';
  try {
    // The script in the layout reads it before the first paint.
    localStorage.setItem('scheme', dataset.scheme);
  } catch {
    // Storage is disabled: the choice lasts until the page is left.
  }
}
