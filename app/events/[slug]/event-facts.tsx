import type { ReactNode } from 'react';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toDayInWords } from '#lib/events/view/dates-in-words.ts';
import { toInPersonDatesInWords } from '#lib/events/view/event-facts.ts';
import { formatNames } from '../../_components/format-names.ts';

/** The facts of an event as a list of terms and values; unknown ones are left out. */
export function EventFacts({ event }: Readonly<{ event: MarqueeEvent }>) {
  const { inPerson, slackChannel, slackUrl, endDate } = event;
  const slackName = slackChannel === null ? 'Slack' : `#${slackChannel}`;
  return (
    <dl className="event-facts">
      <Fact term="Status" value={event.status} />
      <Fact term="Starts" value={<Day date={event.startDate} />} />
      <Fact term="Ends" value={endDate === null ? 'open-ended' : <Day date={endDate} />} />
      <Fact term="Format" value={event.format && formatNames[event.format]} />
      <Fact term="Place" value={inPerson?.location && <bdi>{inPerson.location}</bdi>} />
      <Fact term="On site" value={toInPersonDatesInWords(inPerson)} />
      <Fact term="Projects" value={event.projectTypes.join(', ')} />
      <Fact
        term="Slack"
        value={slackUrl ? <a href={slackUrl}>{slackName}</a> : slackChannel && slackName}
      />
      <Fact term="Website" value={event.url && <a href={event.url}>{new URL(event.url).host}</a>} />
    </dl>
  );
}

function Day({ date }: Readonly<{ date: string }>) {
  return <time dateTime={date}>{toDayInWords(date)}</time>;
}

function Fact({ term, value }: Readonly<{ term: string; value: ReactNode }>) {
  if (value === null || value === undefined || value === '') return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}
