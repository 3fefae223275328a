import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { shortenText } from '#lib/events/view/clean-text.ts';
import { toDatesInWords } from '#lib/events/view/dates-in-words.ts';
import { toEventTitle, toFormatInWords, toPlace } from '#lib/events/view/event-facts.ts';
import { toPosterColors } from './poster/poster-colors.ts';
import './agenda-event.css';

const placeLengthMax = 80;

/** An event as a line in the colours of its poster: name, days and place. */
export function AgendaEvent({ event, today }: Readonly<{ event: MarqueeEvent; today: string }>) {
  const place = shortenText(toPlace(event) ?? '', placeLengthMax);
  return (
    <li className="agenda-event" style={toPosterColors(event)}>
      <a href={`/events/${event.slug}`}>
        <bdi>{toEventTitle(event)}</bdi>
      </a>
      <p>
        <time dateTime={event.startDate}>{toDatesInWords(event, today)}</time>
        <bdi>{place || toFormatInWords(event.format)}</bdi>
      </p>
    </li>
  );
}
