import { toWeekdayInWords } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatQuery } from '#lib/events/query/events-query.ts';
import { toEventTitle, toStateInWords, toTimesInWords } from '#lib/events/view/event-facts.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { Menu } from '../_components/menu.tsx';

type MoreEventsProps = Readonly<{
  date: string;
  events: readonly MarqueeEvent[];
  filters: EventsQuery;
}>;

/** The directory has the others. */
const listedMax = 20;

/** Events for which a day has no room: `+2 more` opens them in place. */
export function MoreEvents({ date, events, filters }: MoreEventsProps) {
  return (
    <Menu
      className="month-more"
      summary={
        <summary>
          +{events.length} more
          <span className="visually-hidden"> on {toWeekdayInWords(date)}</span>
        </summary>
      }
    >
      <ul className="month-more-list">
        {events.slice(0, listedMax).map((event) => (
          <HiddenEvent key={event.id} event={event} />
        ))}
        <li>
          <a href={`/${formatQuery({ ...filters, from: date, to: date })}`} rel="nofollow">
            All of this day
          </a>
        </li>
      </ul>
    </Menu>
  );
}

function HiddenEvent({ event }: Readonly<{ event: MarqueeEvent }>) {
  const state = toStateInWords(event.state);
  return (
    <li>
      <a href={`/events/${event.slug}`}>
        {state !== null && `${state}: `}
        <bdi {...toTextAttributes(event)}>{toEventTitle(event)}</bdi>
      </a>
      <span className="quiet">{toTimesInWords(event)}</span>
    </li>
  );
}
