import { Icon } from '../../_components/icon.tsx';

/** Hands the page's address to the device's own way of sharing; copies it where there is none. */
export function ShareButton() {
  return (
    <button type="button" className="button-quiet copy-button only-with-script" data-does="share">
      <Icon name="share" />
      <Icon name="done" />
      Share
    </button>
  );
}
