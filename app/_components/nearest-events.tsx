import { type EventsSnapshot, findEvent } from '#lib/events/source/snapshot.ts';
import { toDirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import { PosterWall } from './poster/poster-wall.tsx';

type NearestEventsProps = Readonly<{ snapshot: EventsSnapshot; ids: readonly string[] }>;

/** The events that a URL without one may mean. */
export function NearestEvents({ snapshot, ids }: NearestEventsProps) {
  const nearest = ids.flatMap((id) => findEvent(snapshot, id) ?? []);
  if (nearest.length === 0) return null;
  return (
    <section className="poster-section" aria-labelledby="nearest">
      <h2 id="nearest">Did you mean one of these?</h2>
      <PosterWall
        events={nearest.map(toDirectoryEvent)}
        today={snapshot.day}
        firstCount={nearest.length}
      />
    </section>
  );
}
