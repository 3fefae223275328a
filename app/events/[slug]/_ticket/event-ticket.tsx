import { isJoinable, toJoinAction } from '#lib/events/words/join-action.ts';
import { toStatusInWords } from '#lib/events/words/when.ts';
import { SavedChanges } from '../../../_components/saved/saved-changes.tsx';
import type { StageEvent } from '../stage-event.ts';
import { EventActions, JoinButton } from './event-actions.tsx';
import { TicketFacts } from './ticket-facts.tsx';
import './ticket.css';

type EventTicketProps = Readonly<{
  event: StageEvent;
  today: string;
  pageUrl: string;
  slackWorkspaceUrl: string | null;
}>;

/** The stub beside an event's poster: when, where, how to join, and what to do with it. */
export function EventTicket(props: EventTicketProps) {
  const { event, today, pageUrl, slackWorkspaceUrl } = props;
  const action = toJoinAction(event, slackWorkspaceUrl);
  return (
    <section className="ticket" aria-label="When, where and how to join">
      <p className="ticket-status">{toStatusInWords(event, today)}</p>
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
