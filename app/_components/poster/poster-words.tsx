import { toDatesInWords } from '#lib/events/view/dates-in-words.ts';
import type { DirectoryEvent } from '#lib/events/view/directory-view.ts';
import { formatNames } from '../format-names.ts';
import { Icon } from '../icon.tsx';

type PosterWhenProps = Readonly<{ event: DirectoryEvent; today: string }>;

export function PosterWhen({ event, today }: PosterWhenProps) {
  const location = event.inPerson?.location ?? null;
  return (
    <p className="poster-when">
      <time dateTime={event.startDate}>{toDatesInWords(event, today)}</time>
      {location !== null && <bdi className="poster-place">{location}</bdi>}
    </p>
  );
}

/** Format, project types, and the link to the event's own site. */
export function PosterFoot({ event }: Readonly<{ event: DirectoryEvent }>) {
  const facts = [event.format && formatNames[event.format], ...event.projectTypes];
  return (
    <div className="poster-foot">
      {/* The no-break space prevents lines that start with a dot. */}
      <p className="poster-kind">{facts.filter(Boolean).join('\u00a0· ')}</p>
      {event.url !== null && (
        <a className="poster-button" href={event.url}>
          Visit<span className="visually-hidden">{` the site of ${event.name}`}</span>
          <Icon name="leave" />
        </a>
      )}
    </div>
  );
}
