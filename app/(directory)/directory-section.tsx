import { type FilterTexts, toSearch } from '#lib/events/query/filters.ts';
import {
  type DirectorySection as Section,
  type SectionKind,
  sectionStatuses,
} from '#lib/events/view/directory-view.ts';
import { PosterWall } from '../_components/poster/poster-wall.tsx';
import { EventLine } from './event-line.tsx';

const titles: Readonly<Record<SectionKind, string>> = {
  onNow: 'On now',
  comingUp: 'Coming up',
  openEnded: 'Open-ended',
  past: 'Past',
};

/** Posters that are in view before anyone scrolls: their pictures are fetched first. */
const firstCount = 2;

type WallSectionProps = Readonly<{
  section: Section;
  today: string;
  filters: FilterTexts;
  /** Whether it is the first one on the page. */
  isFirst: boolean;
  /** Whether the rest of it is on the next page, and not behind a link of its own. */
  isPaged: boolean;
}>;

/** A part of the directory; nothing at all where it has no events. */
export function DirectorySection({ section, today, filters, isFirst, isPaged }: WallSectionProps) {
  const { kind, total, events } = section;
  if (events.length === 0) return null;
  const title = titles[kind];
  return (
    <section className="wall-section" aria-labelledby={kind}>
      <h2 id={kind} data-kind={kind}>
        {title} <span className="count">{total}</span>
      </h2>
      {kind === 'past' ? (
        <ul className="event-lines" style={{ '--lines': events.length }}>
          {events.map((event) => (
            <EventLine key={event.id} event={event} today={today} />
          ))}
        </ul>
      ) : (
        <PosterWall events={events} today={today} firstCount={isFirst ? firstCount : 0} hasWide />
      )}
      {total > events.length && !isPaged && (
        <p className="more">
          <a
            className="button-quiet"
            href={`/${toSearch({ ...filters, status: sectionStatuses[kind] })}`}
          >
            Show all {total.toLocaleString('en')}
          </a>
        </p>
      )}
    </section>
  );
}
