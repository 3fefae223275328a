import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { DatesSection } from './dates-section.tsx';
import { EventLinks } from './event-links.tsx';
import { EventTags } from './event-tags.tsx';
import { EventText } from './event-text.tsx';

type EventBodyProps = Readonly<{ event: MarqueeEvent; slackWorkspaceUrl: string | null }>;

/** What an event is about, what it takes, and its details. */
export function EventBody({ event, slackWorkspaceUrl }: EventBodyProps) {
  const { description, requirements } = event;
  const language = toTextAttributes(event);
  return (
    <div className="event-body">
      <div className="event-texts">
        <section aria-labelledby="about">
          <h2 id="about">About</h2>
          {description === null ? (
            <p className="quiet">There is no description yet.</p>
          ) : (
            <EventText markdown={description} language={language} />
          )}
        </section>
        {requirements !== null && (
          <section aria-labelledby="requirements">
            <h2 id="requirements">What you need</h2>
            <EventText markdown={requirements} language={language} />
          </section>
        )}
      </div>
      <div className="event-details">
        <DatesSection event={event} />
        <EventLinks event={event} slackWorkspaceUrl={slackWorkspaceUrl} />
        <EventTags event={event} />
      </div>
    </div>
  );
}
