import type { EventDates } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toPlace } from '#lib/events/view/event-facts.ts';
import { toFullDay, toInPersonDays } from '#lib/events/words/dates-in-words.ts';
import { Fact } from '../../../_components/fact.tsx';

/** The exact days of an event, its in-person days, and the place. */
export function DatesSection({ event }: Readonly<{ event: MarqueeEvent }>) {
  const { state, format } = event;
  const place = toPlace(event);
  const inPersonDays = toInPersonDays(event);
  const hasOnlineDays = inPersonDays !== null && format !== 'in-person';
  return (
    <section aria-labelledby="dates">
      <h2 id="dates">{place === null ? 'When' : 'When and where'}</h2>
      <dl className="event-facts">
        <Fact term={hasOnlineDays ? 'Online' : 'Dates'}>
          <Days {...event} />
        </Fact>
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
      </dl>
      {state === 'moved-online' && (
        <p>It was moved online: nobody will be at the place that was announced.</p>
      )}
    </section>
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

function Day({ date }: Readonly<{ date: string }>) {
  return <time dateTime={date}>{toFullDay(date)}</time>;
}
