import { toWeekdayInWords, weekdayNames } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatQuery } from '#lib/events/query/events-query.ts';
import type { MonthBar as Bar, MonthDay, MonthView } from '#lib/events/view/month/month-view.ts';
import './month-grid.css';
import { toInPersonDays } from '#lib/events/model/in-person-days.ts';
import {
  toEventTitle,
  toPlace,
  toStateInWords,
  toTimesInWords,
} from '#lib/events/view/event-facts.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { toPosterColors } from '../_components/events/agenda-event.tsx';
import { MoreEvents } from './more-events.tsx';

type MonthGridProps = Readonly<{
  caption: string;
  weeks: MonthView<MarqueeEvent>['weeks'];
  filters: EventsQuery;
}>;

const mondayFirst = [...weekdayNames.slice(1), ...weekdayNames.slice(0, 1)];

/** Weeks of a month as a table. Each event is listed once a week, on the first of its days there. */
export function MonthGrid({ caption, weeks, filters }: MonthGridProps) {
  return (
    <table className="month-grid">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {mondayFirst.map((name) => (
            <th key={name} scope="col">
              <abbr title={name}>{name.slice(0, 3)}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map(({ days, slots }) => (
          <tr key={days[0]?.date} style={{ '--slots': Math.max(1, slots) }}>
            {days.map((day) => (
              <Day key={day.date} day={day} filters={filters} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type DayProps = Readonly<{ day: MonthDay<MarqueeEvent>; filters: EventsQuery }>;

function Day({ day, filters }: DayProps) {
  const { date, isInMonth, isToday, bars, hidden, total } = day;
  const href = `/${formatQuery({ ...filters, from: date, to: date })}`;
  const number = <DayNumber day={day} />;
  return (
    <td data-outside={isInMonth ? undefined : ''} data-today={isToday ? '' : undefined}>
      {total > 0 ? (
        <a className="month-day" href={href} rel="nofollow">
          {number}
        </a>
      ) : (
        <span className="month-day">{number}</span>
      )}
      {bars.length > 0 && (
        <ul>
          {bars.map((bar) => (
            <MonthBar key={bar.event.id} bar={bar} />
          ))}
        </ul>
      )}
      {hidden.length > 0 && <MoreEvents date={date} events={hidden} filters={filters} />}
    </td>
  );
}

function DayNumber({ day: { date, isToday } }: Readonly<{ day: DayProps['day'] }>) {
  const words = toWeekdayInWords(date);
  const [, number, month = ''] = words.split(' ');
  return (
    <time dateTime={date} aria-current={isToday ? 'date' : undefined}>
      <span aria-hidden="true">{number === '1' ? `1 ${month.slice(0, 3)}` : number}</span>
      <span className="visually-hidden">
        {words}
        {isToday && ', today'}
      </span>
    </time>
  );
}

/** In characters, for one day and for each further day of a bar. */
const nameLengths = [44, 30] as const;
/** Bars of this many days have room for the place. */
const placeDaysMin = 3;
const placeLengthMax = 40;

/** The days of one event within a week, in the colours of its poster. */
function MonthBar({ bar }: Readonly<{ bar: Bar<MarqueeEvent> }>) {
  const { event, slot, days, inPerson, isStart, isEnd } = bar;
  const title = toEventTitle(event);
  const state = toStateInWords(event.state);
  const place = toPlace(event);
  // If only some days are in person, the place belongs to those.
  const isThereAlways = toInPersonDays(event) === null;
  return (
    <li
      className="month-bar"
      style={{ '--slot': slot + 2, '--days': days, ...toPosterColors(event) }}
      data-status={event.status}
      data-state={event.state}
      data-continued={isStart ? undefined : ''}
      data-continues={isEnd ? undefined : ''}
    >
      <a href={`/events/${event.slug}`} title={title}>
        {state !== null && <span>{state}: </span>}
        {event.startTime !== null && isStart && (
          <time className="month-time" dateTime={event.startsAt ?? undefined}>
            {`${event.startTime} `}
          </time>
        )}
        <bdi className="month-name" {...toTextAttributes(event)}>
          {shortenText(title, nameLengths[0] + (days - 1) * nameLengths[1])}
        </bdi>
        {place !== null && isThereAlways && days >= placeDaysMin && (
          <bdi className="month-place">{shortenText(place, placeLengthMax)}</bdi>
        )}
        {inPerson !== null && (
          <span
            className="month-in-person"
            style={{ '--offset': inPerson.offset, '--there': inPerson.days, '--days': days }}
          >
            In person{place !== null && ': '}
            {place !== null && <bdi>{shortenText(place, placeLengthMax)}</bdi>}
          </span>
        )}
        <span className="visually-hidden">, {toTimesInWords(event)}</span>
      </a>
    </li>
  );
}
