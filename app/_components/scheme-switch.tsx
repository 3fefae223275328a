'use client';

import { Icon } from './icon.tsx';

/** Turns light into dark and back, and remembers it. Until then the visitor's system decides. */
export function SchemeSwitch() {
  return (
    <button
      type="button"
      className="icon-button only-with-script"
      aria-label="Switch between light and dark"
      title="Light or dark"
      onClick={switchScheme}
    >
      <Icon name="scheme" />
    </button>
  );
}

function switchScheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.scheme
    ? dataset.scheme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.scheme = isDark ? 'light' : 'dark';
  try {
    localStorage.setItem('scheme', dataset.scheme);
  } catch {
    // Storage is switched off: it lasts as long as this page does.
  }
}
