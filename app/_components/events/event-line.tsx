import type { CSSProperties } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import { toStateInWords, toWhereInWords } from '#lib/events/view/event-facts.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { toWhen } from '#lib/events/words/when.ts';
import { toPosterProperties, toPosterTheme } from '#lib/representations/theming/poster-theme.ts';
import './event-line.css';

type EventLineProps = Readonly<{ event: DirectoryEvent; today: string }>;

/** The colour of an event’s poster, for a stripe beside its name. */
export function toStripe(event: Parameters<typeof toPosterTheme>[0]): CSSProperties | undefined {
  const theme = toPosterTheme(event);
  return theme
    ? { '--poster-background': toPosterProperties(theme)['--poster-background'] }
    : undefined;
}

/** An event in one line, with a stripe in the colour of its poster. */
export function EventLine({ event, today }: EventLineProps) {
  const { words, detail, endDate } = toWhen(event, today);
  const state = toStateInWords(event.state);
  const where = toWhereInWords(event);
  return (
    <li>
      <article className="event-line" data-status={event.status} style={toStripe(event)}>
        <p className="event-line-when">
          <time dateTime={event.startDate}>{words}</time>
          {detail !== '' && <time dateTime={endDate ?? event.startDate}>{detail}</time>}
        </p>
        <h3>
          <a href={`/events/${event.slug}`}>
            <bdi {...toTextAttributes(event)}>{event.name}</bdi>
          </a>
        </h3>
        {(state !== null || where !== null) && (
          <p className="event-line-place">
            {state !== null && <strong>{where === null ? state : `${state}: `}</strong>}
            {where !== null && <bdi>{where}</bdi>}
          </p>
        )}
      </article>
    </li>
  );
}
