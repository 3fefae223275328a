'use client';

import { listChanges, toSavedEvent } from '#lib/events/view/saved-events.ts';
import { acceptChanges, useSavedEvents } from './use-saved-events.ts';
import './saved.css';

type SavedChangesProps = Readonly<{
  event: Parameters<typeof toSavedEvent>[0];
  /** Whether its name has to be said. */
  isNamed?: boolean;
}>;

/** Says what changed about an event since it was saved. */
export function SavedChanges({ event, isNamed = false }: SavedChangesProps) {
  const saved = useSavedEvents().find(({ id }) => id === event.id);
  const now = toSavedEvent(event);
  const changes = saved ? listChanges(saved, now) : [];
  if (changes.length === 0) return null;
  return (
    <div className="notice saved-changes">
      <p>
        <strong>
          {isNamed ? (
            <>
              <a href={`/events/${event.slug}`}>
                <bdi>{now.name}</bdi>
              </a>{' '}
              changed
            </>
          ) : (
            'Changed'
          )}{' '}
          since you saved it.
        </strong>{' '}
        {changes.join(' ')}
      </p>
      <button type="button" className="button-quiet" onClick={() => acceptChanges(now)}>
        Got it
      </button>
    </div>
  );
}
