import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import {
  toEventTitle,
  toFormatInWords,
  toPlace,
  toStateInWords,
} from '#lib/events/view/event-facts.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { toWhen } from '#lib/events/words/when.ts';
import './agenda-event.css';
import type { CSSProperties } from 'react';
import { toPosterProperties, toPosterTheme } from '#lib/representations/theming/poster-theme.ts';

const placeLengthMax = 80;

/** An event as a line in the colours of its poster: name, days and place. */
export function AgendaEvent({ event, today }: Readonly<{ event: MarqueeEvent; today: string }>) {
  const where = shortenText(toPlace(event) ?? '', placeLengthMax) || toFormatInWords(event.format);
  const state = toStateInWords(event.state);
  const when = toWhen(event, today);
  return (
    <li
      className="agenda-event"
      data-status={event.status}
      data-state={event.state}
      style={toPosterColors(event)}
    >
      {state !== null && <strong className="agenda-state">{state}</strong>}
      <a href={`/events/${event.slug}`}>
        <span className="agenda-name" {...toTextAttributes(event)}>
          {toEventTitle(event)}
        </span>
      </a>
      <p>
        <time dateTime={event.startDate}>
          <b>{when.words}</b> {when.detail}
        </time>
        {when.inPerson !== null && <span>In person: {when.inPerson.words}</span>}
        {where && <bdi>{where}</bdi>}
      </p>
    </li>
  );
}

type ThemedEvent = Pick<MarqueeEvent, 'background' | 'theme' | 'pictures'>;

/** The background and text of an event's poster: a readable pair. Without a poster, those of the site apply. */
export function toPosterColors(event: ThemedEvent): CSSProperties {
  const theme = toPosterTheme(event);
  if (theme === null) return {};
  const properties = toPosterProperties(theme);
  return {
    '--poster-background': properties['--poster-background'],
    '--poster-text': properties['--poster-text'],
  };
}
