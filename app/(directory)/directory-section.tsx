import {
  type DirectoryLayout,
  type EventsQuery,
  formatQuery,
} from '#lib/events/query/events-query.ts';
import {
  isOfLines,
  type DirectorySection as Section,
  sectionStatuses,
} from '#lib/events/view/directory/directory-view.ts';
import { sectionTitles, toTimeGroups } from '#lib/events/view/directory/sections.ts';
import type { NearEvents } from '#lib/events/view/search-notes.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { EventLine } from '../_components/events/event-line.tsx';
import { PosterWall } from '../_components/poster/poster-wall.tsx';

/** Posters above the fold: their pictures load first. */
const firstCount = 2;

type DirectorySectionProps = Readonly<{
  section: Section;
  today: string;
  filters: EventsQuery;
  layout: DirectoryLayout;
  /** Whether it has the first posters of the page: see `findFirstKind`. */
  isFirst: boolean;
  /** Whether the pager links to the rest, so that no “Show all” link is needed. */
  isPaged: boolean;
}>;

/** One section of the directory. */
export function DirectorySection({
  section,
  today,
  filters,
  layout,
  isFirst,
  isPaged,
}: DirectorySectionProps) {
  const { kind, total, events } = section;
  // Another page of the list has them.
  if (events.length === 0) return null;
  const status = sectionStatuses[kind];
  const isPart = total > events.length;
  const count = isPart ? `${events.length} of ${formatCount(total)}` : formatCount(total);
  // A search has its best matches first, a list of what is on what ends first.
  const isByTime = filters.q === undefined && (status === 'upcoming' || !filters.status);
  const groups = isByTime ? toTimeGroups(events, today) : [{ title: '', events }];
  const lines = isOfLines(kind) && (
    <ul className="event-lines">
      {events.map((event) => (
        <EventLine key={event.id} event={event} today={today} />
      ))}
    </ul>
  );
  if (kind === 'alsoRunning') {
    return (
      <details className="poster-section also-running" open={isFirst}>
        <summary className="also-running-title">
          <h2 id={kind}>
            {sectionTitles[kind]}: <span className="count">{count}</span>
          </h2>
        </summary>
        {lines}
      </details>
    );
  }
  return (
    <section className="poster-section" aria-labelledby={kind}>
      <h2 id={kind}>
        {sectionTitles[kind]} <span className="count">{count}</span>
      </h2>
      {lines ||
        groups.map(({ title, events: ofTime }, index) => (
          <div key={title} className="time-group">
            {title && <h3>{title}</h3>}
            <PosterWall
              events={ofTime}
              today={today}
              firstCount={isFirst && index === 0 ? firstCount : 0}
              nameLevel={title ? 'h4' : 'h3'}
            />
          </div>
        ))}
      {isPart && !isPaged && status !== null && (
        <p className="row more">
          <a
            className="button-quiet"
            href={`/${formatQuery({ ...filters, status: [status], view: layout })}`}
          >
            Show all
          </a>
        </p>
      )}
    </section>
  );
}

type NoEventsProps = Readonly<{
  isFiltered: boolean;
  near: NearEvents | null;
  today: string;
}>;

/** The empty state of the directory. */
export function NoEvents({ isFiltered, near, today }: NoEventsProps) {
  return (
    <>
      <div className="stack no-events">
        {!isFiltered && <h2>No events yet</h2>}
        {isFiltered ? (
          <p>
            Try fewer words, remove a filter, or <a href="/">show all events</a>.
          </p>
        ) : (
          <p>
            <a href="/subscribe">Subscribe</a>, and you’ll hear about the first one.
          </p>
        )}
      </div>
      {isFiltered && near && (
        <section className="poster-section" aria-labelledby="near">
          <h2 id="near">{near.title}</h2>
          <PosterWall events={near.events} today={today} firstCount={0} />
        </section>
      )}
    </>
  );
}
