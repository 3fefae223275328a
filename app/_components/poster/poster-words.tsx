import { toDatesInWords } from '#lib/events/view/dates-in-words.ts';
import type { DirectoryEvent } from '#lib/events/view/directory-view.ts';
import { formatNames } from '../format-names.ts';
import { Icon } from '../icon.tsx';

type PosterWhenProps = Readonly<{ event: DirectoryEvent; today: string }>;

/** The date of an event, as people say it. */
export function PosterWhen({ event, today }: PosterWhenProps) {
  return (
    // The words are English, whatever the direction of the event's name.
    <p className="poster-when" lang="en">
      <time dir="ltr" dateTime={event.startDate}>
        {toDatesInWords(event, today)}
      </time>
    </p>
  );
}

/** Place, format, project types, and the link to the event's own site. */
export function PosterFoot({ event }: Readonly<{ event: DirectoryEvent }>) {
  const facts = [event.format && formatNames[event.format], ...event.projectTypes];
  const location = event.inPerson?.location ?? null;
  return (
    <>
      {location !== null && (
        <p className="poster-place">
          <bdi>{location}</bdi>
        </p>
      )}
      <div className="poster-foot">
        {/* The no-break space prevents lines that start with a dot. */}
        <p className="poster-kind" lang="en">
          <span>{facts.filter(Boolean).join('\u00a0· ')}</span>
        </p>
        {event.url !== null && (
          <a className="poster-button" href={event.url} lang="en">
            Join<span className="visually-hidden">{` ${event.name}`}</span>
            <Icon name="leave" />
          </a>
        )}
      </div>
    </>
  );
}
