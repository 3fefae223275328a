import type { DirectoryEvent } from '#lib/events/view/directory/directory-view.ts';
import { toFormatInWords } from '#lib/events/view/event-facts.ts';
import { toTextAttributes } from '#lib/events/view/words/event-language.ts';
import { toWhen } from '#lib/events/view/words/when.ts';
import { toPosterProperties, toPosterTheme } from '#lib/theming/poster-theme.ts';
import './event-line.css';

type EventLineProps = Readonly<{ event: DirectoryEvent; today: string }>;

/** A past event in one line, with a stripe in the colour of its poster. */
export function EventLine({ event, today }: EventLineProps) {
  const theme = toPosterTheme(event);
  const stripe = theme && {
    '--poster-background': toPosterProperties(theme)['--poster-background'],
  };
  const { format, inPerson } = event;
  const { words, detail, endDate } = toWhen(event, today);
  return (
    <li>
      <article className="event-line" data-status={event.status} {...(stripe && { style: stripe })}>
        <p className="event-line-when">
          <time dateTime={event.startDate}>{words}</time>
          <time dateTime={endDate ?? event.startDate}>{detail}</time>
        </p>
        <h3>
          <a href={`/events/${event.slug}`}>
            <bdi {...toTextAttributes(event)}>{event.name}</bdi>
          </a>
        </h3>
        <p className="event-line-place">
          <bdi>{inPerson?.location ?? toFormatInWords(format)}</bdi>
        </p>
      </article>
    </li>
  );
}
