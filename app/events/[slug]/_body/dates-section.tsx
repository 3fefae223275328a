import type { EventDates } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toAddress, toPlace } from '#lib/events/view/event-facts.ts';
import { toHours, toZoneInWords } from '#lib/events/words/clock-words.ts';
import { toFullDay, toInPersonDays } from '#lib/events/words/dates-in-words.ts';
import { Fact } from '../../../_components/fact.tsx';

/** The exact days and times of an event, its in-person days, and the place with its address. */
export function DatesSection({ event }: Readonly<{ event: MarqueeEvent }>) {
  const { state, format } = event;
  const place = toPlace(event);
  const inPersonDays = toInPersonDays(event);
  const hours = toHoursOfDays(event);
  const isEveryDay = event.endDate === null;
  const address = toAddress(event);
  const hasOnlineDays = inPersonDays !== null && format !== 'in-person';
  return (
    <section aria-labelledby="dates">
      <h2 id="dates">{place === null ? 'When' : 'When and where'}</h2>
      <dl className="event-facts">
        <Fact term={hasOnlineDays ? 'Online' : 'Dates'}>
          <Days {...event} />
        </Fact>
        {hours !== null && (
          <Fact term={isEveryDay ? 'Every day' : 'Time'}>
            {hours}
            {event.timeZone !== null && (
              <span className="event-zone">{` ${toZoneInWords(event.timeZone)}`}</span>
            )}
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

function toHoursOfDays(event: MarqueeEvent): string | null {
  const { startDate, endDate, startTime, endTime } = event;
  if (startDate === endDate || endDate === null) return toHours(event);
  const times = [startTime && `from ${startTime}`, endTime && `until ${endTime}`].filter(Boolean);
  return times.length === 0 ? null : times.join(', ');
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

function Day({ date }: Readonly<{ date: string }>) {
  return <time dateTime={date}>{toFullDay(date)}</time>;
}
