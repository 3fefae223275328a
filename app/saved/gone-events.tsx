import type { SavedEvent } from '#lib/events/saved/saved-events.ts';
import { toDatesInWords } from '#lib/events/words/dates-in-words.ts';
import { removeEvent } from '../_components/saved/use-saved-events.ts';

/** Saved events that are no longer listed, as they were when they were saved. */
export function GoneEvents({ events }: Readonly<{ events: readonly SavedEvent[] }>) {
  return (
    <section className="poster-section" aria-labelledby="gone">
      <h2 id="gone">
        No longer listed <span className="count">{events.length}</span>
      </h2>
      <ul className="gone-events">
        {events.map((event) => (
          <li key={event.id}>
            <span>
              <bdi>{event.name}</bdi> <span className="quiet">{toDatesInWords(event)}</span>
            </span>
            <button type="button" className="button-quiet" onClick={() => removeEvent(event.id)}>
              Remove<span className="visually-hidden">{` ${event.name}`}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
