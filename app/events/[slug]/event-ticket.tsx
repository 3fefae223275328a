import { isJoinable, toJoinAction } from '#lib/events/view/words/join-action.ts';
import { SavedChanges } from '../../_components/saved/saved-changes.tsx';
import { EventActions } from './event-actions.tsx';
import { JoinButton } from './join-button.tsx';
import type { StageEvent } from './stage-event.ts';
import { TicketFacts } from './ticket-facts.tsx';
import './ticket.css';

const statusWords = { ongoing: 'On now', upcoming: 'Coming up', ended: 'It’s over' } as const;

/** The sign over the poster says “Cancelled” or “Postponed”. */
const stateWords = {
  scheduled: null,
  cancelled: 'It won’t take place',
  postponed: 'It won’t be on these dates',
  'moved-online': null,
} as const;

type EventTicketProps = Readonly<{
  event: StageEvent;
  today: string;
  pageUrl: string;
  slackWorkspaceUrl: string | null;
}>;

/** The stub beside an event's poster: when, where, how to join, and what to do with it. */
export function EventTicket({ event, today, pageUrl, slackWorkspaceUrl }: EventTicketProps) {
  const action = toJoinAction(event, slackWorkspaceUrl);
  return (
    <section className="ticket" aria-label="When, where and how to join">
      <p className="ticket-status">{stateWords[event.state] ?? statusWords[event.status]}</p>
      <TicketFacts event={event} today={today} />
      <div className="ticket-foot">
        {action && <JoinButton action={action} />}
        <EventActions
          event={event}
          today={today}
          pageUrl={pageUrl}
          hasCalendar={isJoinable(event)}
        />
        <SavedChanges event={event} />
      </div>
    </section>
  );
}
