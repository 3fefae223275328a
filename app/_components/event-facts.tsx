import type { ReactNode } from 'react';
import type { MarqueeEvent } from '#lib/events/schema.ts';
import { formatNames } from './format-names.ts';

/** What is known of an event, as a list of terms and values. */
export function EventFacts({ event }: Readonly<{ event: MarqueeEvent }>) {
  const { inPerson, slackChannel, slackUrl } = event;
  const slackName = slackChannel === null ? 'Slack' : `#${slackChannel}`;
  return (
    <dl className="event-facts">
      <Fact term="Status" value={event.status} />
      <Fact term="Starts" value={<time dateTime={event.startDate}>{event.startDate}</time>} />
      <Fact
        term="Ends"
        value={event.endDate ? <time dateTime={event.endDate}>{event.endDate}</time> : 'open-ended'}
      />
      <Fact term="Format" value={event.format && formatNames[event.format]} />
      <Fact term="Place" value={inPerson?.location} />
      <Fact term="On site from" value={inPerson?.start} />
      <Fact term="On site until" value={inPerson?.end} />
      <Fact term="Projects" value={event.projectTypes.join(', ')} />
      <Fact
        term="Slack"
        value={slackUrl ? <a href={slackUrl}>{slackName}</a> : slackChannel && slackName}
      />
      <Fact term="Website" value={event.url && <a href={event.url}>{new URL(event.url).host}</a>} />
    </dl>
  );
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
