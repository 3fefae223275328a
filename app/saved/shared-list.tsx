import { parseSharedIds, toSavedEvent } from '#lib/events/view/saved-events.ts';
import { RetryNotice } from '../_components/notices.tsx';
import { PosterWall } from '../_components/poster/poster-wall.tsx';
import { saveEvents, useSavedEvents } from '../_components/saved/use-saved-events.ts';
import { useIsHydrated } from '../_components/script-button.tsx';
import { useListedEvents } from './use-listed-events.ts';

/** The events of a link to somebody’s list, with a button that saves them here. */
export function SharedList({ timeZone }: Readonly<{ timeZone: string }>) {
  const isHydrated = useIsHydrated();
  const ids = isHydrated ? parseSharedIds(location.search) : [];
  const saved = useSavedEvents();
  const { data, error, mutate } = useListedEvents(ids, timeZone);
  if (ids.length === 0) return null;
  if (error && !data) {
    return (
      <RetryNotice onRetry={() => mutate()}>Couldn’t load the events of this link.</RetryNotice>
    );
  }
  if (!data) return <p className="quiet">Loading…</p>;
  const { events, today } = data;
  const unsaved = events.filter(({ id }) => !saved.some((event) => event.id === id));
  return (
    <section className="poster-section shared-list" aria-labelledby="shared">
      <h2 id="shared">
        From your link <span className="count">{events.length}</span>
      </h2>
      {unsaved.length > 0 ? (
        <p className="row">
          <button
            type="button"
            className="button"
            onClick={() => saveEvents(...unsaved.map(toSavedEvent))}
          >
            {unsaved.length === 1 ? 'Save it here' : `Save all ${unsaved.length} here`}
          </button>
        </p>
      ) : (
        <p className="quiet">
          {events.length === 0 ? 'They are no longer listed.' : 'All of them are in your list.'}
        </p>
      )}
      {unsaved.length > 0 && <PosterWall events={unsaved} today={today} firstCount={4} />}
    </section>
  );
}
