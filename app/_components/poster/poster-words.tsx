import { toInPersonDays } from '#lib/events/model/in-person-days.ts';
import { projectTypeNames } from '#lib/events/model/project-type-names.ts';
import { isJoinable, toWebsiteLabel } from '#lib/events/model/status.ts';
import type { DirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import { toFormatInWords, toPlace, toStateInWords } from '#lib/events/view/event-facts.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { formatWords, statusWords } from '#lib/events/words/filter-words.ts';
import { listTerms } from '#lib/events/words/terms.ts';
import { toWhen } from '#lib/events/words/when.ts';
import { LiveTime } from '../events/live-time.tsx';
import { Icon } from '../icon.tsx';

type PosterWordsProps = Readonly<{ event: DirectoryEvent; today: string }>;

/** When an event is, as people say it, and whether plans have changed. */
export function PosterWhen({ event, today }: PosterWordsProps) {
  const { words, startDate, endDate, ...when } = toWhen(event, today);
  const parts = [isPartlyInPerson(event) && formatWords.online, when.detail];
  const detail = parts.filter(Boolean).join('\u00a0· ');
  const state = toStateInWords(event.state);
  const isOver = event.status === 'ended';
  const isOn = event.status === 'ongoing' && isJoinable(event);
  // An event that is on is named by its end.
  const dates = event.status === 'ongoing' && endDate ? [endDate, startDate] : [startDate, endDate];
  return (
    // The words are English, whatever the language of the event’s name.
    <div className="poster-head" lang="en" dir="ltr">
      <p className="poster-when" data-on={isOn || undefined}>
        {isOver && <strong>{statusWords.ended}</strong>}
        <time dateTime={dates[0] ?? startDate}>{words}</time>
        {detail !== '' && <Detail date={dates[1] ?? null} words={detail} />}
        <LiveTime event={event} today={today} className="poster-detail" />
      </p>
      {state && <p className="poster-state">{state}</p>}
    </div>
  );
}

function Detail({ date, words }: Readonly<{ date: string | null; words: string }>) {
  if (date === null) return <span className="poster-detail">{words}</span>;
  return (
    <time className="poster-detail" dateTime={date}>
      {words}
    </time>
  );
}

/** Whether an event is online on all of its days, and in person on some. */
function isPartlyInPerson(event: DirectoryEvent): boolean {
  return event.format === 'both' && toInPersonDays(event) !== null;
}

const organizerLengthMax = 60;

/** Place, price, organizer, format, project types, and the link to the event's own site. */
export function PosterFoot({ event, today }: PosterWordsProps) {
  const types = event.projectTypes.map((type) => projectTypeNames[type]);
  // Said above: by date and place, or by the sign across the poster.
  const isFormatAbove = isPartlyInPerson(event) || event.state === 'moved-online';
  const format = isFormatAbove ? null : toFormatInWords(event.format);
  // Each fact stays on one line.
  const facts = [format, ...types].flatMap((fact) => fact?.replaceAll(' ', '\u00a0') ?? []);
  const terms = listTerms(event);
  return (
    <>
      <PosterPlace event={event} today={today} />
      {terms.length > 0 && <PosterTerms terms={terms} />}
      <div className="poster-foot">
        {/* The no-break space prevents lines that start with a dot. */}
        <p className="poster-kind" lang="en">
          <span>
            {event.organizer !== null && (
              <>
                By <bdi>{shortenText(event.organizer.name, organizerLengthMax)}</bdi>
                {facts.length > 0 && '\u00a0· '}
              </>
            )}
            {facts.join('\u00a0· ')}
          </span>
        </p>
        {event.url !== null && (
          <a className="poster-button" href={event.url} lang="en">
            {toWebsiteLabel(event)}
            <span className="visually-hidden">{` ${event.name}`}</span>
            <Icon name="leave" />
          </a>
        )}
      </div>
    </>
  );
}

/** Each on its own, since a price may be in another direction than the words around it. */
export function PosterTerms({ terms }: Readonly<{ terms: readonly string[] }>) {
  return (
    <p className="poster-terms" lang="en" dir="ltr">
      {terms.map((term, index) => (
        <span key={term}>
          {index > 0 && '\u00a0· '}
          <bdi>{term}</bdi>
        </span>
      ))}
    </p>
  );
}

function PosterPlace({ event, today }: PosterWordsProps) {
  const location = toPlace(event);
  const { inPerson } = toWhen(event, today);
  if (location === null && inPerson === null) return null;
  return (
    <p className="poster-place">
      {inPerson === null && <Icon name="place" />}
      <span>
        {inPerson && (
          <>
            <time lang="en" dir="ltr" dateTime={inPerson.startDate}>
              {`In person: ${toContinuation(inPerson.words)}`}
            </time>
            {location && '\u00a0· '}
          </>
        )}
        {location && <bdi>{location}</bdi>}
      </span>
    </p>
  );
}

// `Ends tonight` continues a sentence as `ends tonight`; names of days and months stay.
function toContinuation(words: string): string {
  return words.replace(/^(?:Today|Tomorrow|Ends|Starts|Until|From|Open)/, (word) =>
    word.toLowerCase(),
  );
}
