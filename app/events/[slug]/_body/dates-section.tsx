import type { ReactNode } from 'react';
import type { EventDates } from '#lib/events/model/dates.ts';
import { toInPersonDays } from '#lib/events/model/in-person-days.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toAddress, toPlace } from '#lib/events/view/event-facts.ts';
import { toHours, toZoneInWords } from '#lib/events/words/clock-words.ts';
import { toFullDay } from '#lib/events/words/dates-in-words.ts';
import { Fact } from '../../../_components/fact.tsx';

/** The exact days and times of an event, its in-person days, and the place with its address. */
export function DatesSection({ event }: Readonly<{ event: MarqueeEvent }>) {
  const { state, format } = event;
  const place = toPlace(event);
  const inPersonDays = toInPersonDays(event);
  const isEveryDay = event.endDate === null;
  const isOneDay = event.endDate !== null && event.endDate <= event.startDate;
  const hours = isOneDay || isEveryDay ? toHours(event) : null;
  const zone = event.timeZone && (
    <span className="event-zone"> {toZoneInWords(event.timeZone)}</span>
  );
  const address = toAddress(event);
  const hasOnlineDays = inPersonDays !== null && format !== 'in-person';
  return (
    <section aria-labelledby="dates">
      <h2 id="dates">{place === null ? 'When' : 'When and where'}</h2>
      <dl className="event-facts">
        <Fact term={hasOnlineDays ? 'Online' : 'Dates'}>
          {isOneDay || isEveryDay ? <Days {...event} /> : <TimedDays event={event} zone={zone} />}
        </Fact>
        {hours !== null && (
          <Fact term={isEveryDay ? 'Every day' : 'Time'}>
            {hours}
            {zone}
          </Fact>
        )}
        {inPersonDays !== null && (
          <Fact term="In person">
            <Days {...inPersonDays} />
          </Fact>
        )}
        {place !== null && (
          <Fact term="Place">
            <bdi>{place}</bdi>
          </Fact>
        )}
        {address !== null && (
          <Fact term="Address">
            <bdi>{address}</bdi>
          </Fact>
        )}
      </dl>
      {state === 'moved-online' && (
        <p>It was moved online: nobody will be at the place that was announced.</p>
      )}
    </section>
  );
}

type TimedDaysProps = Readonly<{ event: MarqueeEvent; zone: ReactNode }>;

/** The first and the last of several days, each with its clock time: `Wed 4 Nov 2026, 19:00 – Sun 3 Jan 2027, 22:30`. */
function TimedDays({ event, zone }: TimedDaysProps) {
  const { startDate, endDate, startTime, endTime } = event;
  if (endDate === null || endDate <= startDate) return <Days {...event} />;
  const hasTime = startTime !== null || endTime !== null;
  return (
    <>
      <Day date={startDate} time={startTime} />
      {' – '}
      <Day date={endDate} time={endTime} />
      {hasTime && zone}
    </>
  );
}

function Days({ startDate, endDate }: EventDates) {
  return (
    <>
      <Day date={startDate} />
      {endDate === null && ', open-ended'}
      {endDate !== null && endDate > startDate && (
        <>
          {' – '}
          <Day date={endDate} />
        </>
      )}
    </>
  );
}

type DayProps = Readonly<{ date: string; time?: string | null }>;

function Day({ date, time = null }: DayProps) {
  const words = toFullDay(date);
  return <time dateTime={date}>{time === null ? words : `${words}, ${time}`}</time>;
}
