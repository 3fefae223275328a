import { toDatesInWords } from '#lib/events/view/dates-in-words.ts';
import type { DirectoryEvent } from '#lib/events/view/directory-view.ts';
import { toPosterProperties, toPosterTheme } from '#lib/theming/poster-theme.ts';
import { formatNames } from '../_components/format-names.ts';

type EventLineProps = Readonly<{ event: DirectoryEvent; today: string }>;

/** A past event in one line, with a stripe in the colour of its poster. */
export function EventLine({ event, today }: EventLineProps) {
  const theme = toPosterTheme(event);
  const stripe = theme && {
    '--poster-background': toPosterProperties(theme)['--poster-background'],
  };
  const { format, inPerson } = event;
  return (
    <li>
      <article className="event-line" data-status={event.status} {...(stripe && { style: stripe })}>
        <time dateTime={event.startDate}>{toDatesInWords(event, today)}</time>
        <h3>
          <a href={`/events/${event.slug}`}>
            <bdi>{event.name}</bdi>
          </a>
        </h3>
        <p>
          <bdi>{inPerson?.location ?? (format && formatNames[format])}</bdi>
        </p>
      </article>
    </li>
  );
}
