import { Icon } from '../_components/icon.tsx';

export function EmptyList() {
  return (
    <div className="empty-list">
      <p>
        Nothing saved yet. Press <Icon name="save" /> <strong>Save</strong> on an event to find it
        here again.
      </p>
      <p>
        <a className="button" href="/">
          See all events
        </a>
      </p>
    </div>
  );
}
