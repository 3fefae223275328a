import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import {
  toEventTitle,
  toPlace,
  toStateInWords,
  toTimesInWords,
} from '#lib/events/view/event-facts.ts';
import type { MonthBar as Bar } from '#lib/events/view/month/month-view.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { toInPersonDays } from '#lib/events/words/dates-in-words.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { toPosterColors } from '../_components/events/agenda-event.tsx';

/** In characters, for one day and for each further day of a bar. */
const nameLengths = [44, 30] as const;
/** Bars of this many days have room for the place. */
const placeDaysMin = 3;
const placeLengthMax = 40;

/** The days of one event within a week, in the colours of its poster. */
export function MonthBar({ bar }: Readonly<{ bar: Bar<MarqueeEvent> }>) {
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
