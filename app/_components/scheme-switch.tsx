import { Icon } from './icon.tsx';

/** Turns light into dark and back, and remembers it. Until then the visitor's system decides. */
export function SchemeSwitch() {
  return (
    <button
      type="button"
      className="icon-button only-with-script"
      data-does="switch-scheme"
      aria-label="Switch between light and dark"
      title="Light or dark"
    >
      <Icon name="scheme" />
    </button>
  );
}
