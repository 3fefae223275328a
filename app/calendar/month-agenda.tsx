import { toWeekdayInWords } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import type { MonthAgenda as Agenda, AgendaPart } from '#lib/events/view/month/month-agenda.ts';
import { AgendaEvent } from '../_components/events/agenda-event.tsx';
import { MoreEvents } from './more-events.tsx';

type MonthAgendaProps = Readonly<{
  agenda: Agenda<MarqueeEvent>;
  today: string;
  filters: EventsQuery;
}>;

/** A month day by day, for narrow screens. */
export function MonthAgenda({ agenda, today, filters }: MonthAgendaProps) {
  const { running, days, earlier } = agenda;
  const toDay = (part: AgendaPart<MarqueeEvent>) => (
    <AgendaDay key={part.date} part={part} today={today} filters={filters} />
  );
  return (
    <div className="month-agenda">
      {days.length > 0 && (
        <section aria-labelledby="days">
          <h2 id="days">Day by day</h2>
          {days.map(toDay)}
        </section>
      )}
      {running.events.length > 0 && (
        <section aria-labelledby="running">
          <h2 id="running">{running.date === today ? 'Also on now' : 'Also on'}</h2>
          <EventList part={running} today={today} filters={filters} />
        </section>
      )}
      {earlier.length > 0 && (
        <details>
          <summary>Earlier this month</summary>
          {earlier.map(toDay)}
        </details>
      )}
    </div>
  );
}

type PartProps = Readonly<{
  part: AgendaPart<MarqueeEvent>;
  today: string;
  filters: EventsQuery;
}>;

function AgendaDay({ part, today, filters }: PartProps) {
  const [weekday = '', number, month = ''] = toWeekdayInWords(part.date).split(' ');
  return (
    <div className="agenda-day" data-today={part.date === today ? '' : undefined}>
      <h3>
        <time dateTime={part.date}>
          <span>{part.date === today ? 'Today' : weekday.slice(0, 3)}</span> <b>{number}</b>{' '}
          <span>{month.slice(0, 3)}</span>
        </time>
      </h3>
      <EventList part={part} today={today} filters={filters} />
    </div>
  );
}

function EventList({ part: { date, events, hidden }, today, filters }: PartProps) {
  return (
    <ul className="agenda-list">
      {events.map((event) => (
        <AgendaEvent key={event.id} event={event} today={today} />
      ))}
      {hidden.length > 0 && (
        <li>
          <MoreEvents date={date} events={hidden} filters={filters} />
        </li>
      )}
    </ul>
  );
}
