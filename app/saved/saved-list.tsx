'use client';

import { toSections } from '#lib/events/view/directory/sections.ts';
import { EventLine } from '../_components/events/event-line.tsx';
import { RetryNotice } from '../_components/live/retry-notice.tsx';
import { PosterWall } from '../_components/poster/poster-wall.tsx';
import { SavedChanges } from '../_components/saved/saved-changes.tsx';
import { useSavedEvents } from '../_components/saved/use-saved-events.ts';
import { useIsHydrated } from '../_components/use-is-hydrated.ts';
import { EmptyList } from './empty-list.tsx';
import { GoneEvents } from './gone-events.tsx';
import { ListCalendar } from './list-calendar.tsx';
import { useListedEvents } from './use-listed-events.ts';

/** The saved events as they are now: what changed, what is ahead, what is over, and what is gone. */
export function SavedList({ timeZone }: Readonly<{ timeZone: string }>) {
  const isHydrated = useIsHydrated();
  const saved = useSavedEvents();
  const listed = useListedEvents(saved, timeZone);
  if (saved.length === 0) {
    return (
      <div className={isHydrated ? undefined : 'before-hydration only-with-script'}>
        {!isHydrated && <p className="loading quiet">Loading…</p>}
        <EmptyList />
      </div>
    );
  }
  if (listed.error && !listed.data) {
    return (
      <RetryNotice onRetry={() => listed.mutate()}>
        Couldn’t load your events. They are still saved.
      </RetryNotice>
    );
  }
  if (!listed.data) return <p className="quiet">Loading…</p>;
  const { today } = listed.data;
  const events = listed.data.events.filter(({ id }) => saved.some((one) => one.id === id));
  const { onNow, comingUp, openEnded, past } = toSections(events);
  const ahead = [...onNow, ...openEnded, ...comingUp];
  const known = new Set(listed.data.events.map(({ id }) => id));
  const gone = saved.filter(({ id }) => listed.data?.ids.includes(id) && !known.has(id));
  return (
    <>
      {events.map((event) => (
        <SavedChanges key={event.id} event={event} isNamed />
      ))}
      {ahead.length > 0 && (
        <section className="poster-section" aria-labelledby="ahead">
          <h2 id="ahead">
            On now and coming up <span className="count">{ahead.length}</span>
          </h2>
          <ListCalendar ids={ahead.map(({ id }) => id)} />
          <PosterWall events={ahead} today={today} firstCount={4} hasWide={false} />
        </section>
      )}
      {past.length > 0 && (
        <section className="poster-section" aria-labelledby="over">
          <h2 id="over">
            Over <span className="count">{past.length}</span>
          </h2>
          <ul className="event-lines">
            {past.map((event) => (
              <EventLine key={event.id} event={event} today={today} />
            ))}
          </ul>
        </section>
      )}
      {gone.length > 0 && <GoneEvents events={gone} />}
    </>
  );
}
