'use client';

import { toSections } from '#lib/events/view/directory/sections.ts';
import type { SavedEvent } from '#lib/events/view/saved-events.ts';
import { toDatesInWords } from '#lib/events/words/dates-in-words.ts';
import { EventLine } from '../_components/events/event-line.tsx';
import { Icon } from '../_components/icon.tsx';
import { RetryNotice } from '../_components/notices.tsx';
import { PosterWall } from '../_components/poster/poster-wall.tsx';
import { SavedChanges } from '../_components/saved/saved-changes.tsx';
import { removeEvent, useSavedEvents } from '../_components/saved/use-saved-events.ts';
import { useIsHydrated } from '../_components/script-button.tsx';
import { ListLinks } from './list-links.tsx';
import { Reminders } from './reminders.tsx';
import { SharedList } from './shared-list.tsx';
import { useListedEvents } from './use-listed-events.ts';

type SavedListProps = Readonly<{
  timeZone: string;
  /** Whether the site sends emails. */
  hasMail: boolean;
}>;

/** The events of the link that led here, if it names some, and the saved ones. */
export function MyList({ timeZone, hasMail }: SavedListProps) {
  return (
    <>
      <SharedList timeZone={timeZone} />
      <SavedList timeZone={timeZone} hasMail={hasMail} />
    </>
  );
}

/** The saved events as they are now: what changed, what is ahead, what is over, and what is gone. */
function SavedList({ timeZone, hasMail }: SavedListProps) {
  const isHydrated = useIsHydrated();
  const saved = useSavedEvents();
  const listed = useListedEvents(
    saved.map(({ id }) => id),
    timeZone,
  );
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
  const events = listed.data.events.filter(({ id }) => saved.some((event) => event.id === id));
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
          <ListLinks ids={ahead.map(({ id }) => id)} />
          <PosterWall events={ahead} today={today} firstCount={4} />
        </section>
      )}
      {comingUp.length > 0 && <Reminders ids={comingUp.map(({ id }) => id)} hasMail={hasMail} />}
      {past.length > 0 && (
        <section className="poster-section" aria-labelledby="over">
          <h2 id="over">
            Past <span className="count">{past.length}</span>
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

function EmptyList() {
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

/** Saved events that are no longer listed, as they were when they were saved. */
function GoneEvents({ events }: Readonly<{ events: readonly SavedEvent[] }>) {
  return (
    <section className="poster-section" aria-labelledby="gone">
      <h2 id="gone">
        No longer listed <span className="count">{events.length}</span>
      </h2>
      <ul className="lines gone-events">
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
