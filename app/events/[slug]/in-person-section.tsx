import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toPlace } from '#lib/events/view/event-facts.ts';
import { toFullDay } from '#lib/events/view/words/dates-in-words.ts';
import { toInPersonDays } from '#lib/events/view/words/in-person-days.ts';

/** Place and days of the in-person part; nothing for an event that is online. */
export function InPersonSection({ event }: Readonly<{ event: MarqueeEvent }>) {
  const { state, inPerson } = event;
  if (inPerson === null) return null;
  if (state === 'moved-online') {
    return (
      <section aria-labelledby="in-person">
        <h2 id="in-person">In person</h2>
        <p>
          It was moved online.
          {inPerson.location && (
            <>
              {' '}
              Nobody will be at <bdi>{inPerson.location}</bdi>.
            </>
          )}
        </p>
      </section>
    );
  }
  const place = toPlace(event);
  const { startDate, endDate } = toInPersonDays(event) ?? event;
  return (
    <section aria-labelledby="in-person">
      <h2 id="in-person">In person</h2>
      <dl className="event-facts">
        {place !== null && (
          <div>
            <dt>Place</dt>
            <dd>
              <bdi>{place}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{endDate === startDate ? 'Day' : 'First day'}</dt>
          <dd>
            <time dateTime={startDate}>{toFullDay(startDate)}</time>
          </dd>
        </div>
        {endDate !== null && endDate !== startDate && (
          <div>
            <dt>Last day</dt>
            <dd>
              <time dateTime={endDate}>{toFullDay(endDate)}</time>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
