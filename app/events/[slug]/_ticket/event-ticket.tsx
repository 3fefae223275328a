import { toPlace, toWhereInWords } from '#lib/events/view/event-facts.ts';
import { isFull, isJoinable, toJoinAction } from '#lib/events/words/join-action.ts';
import { toStatusInWords } from '#lib/events/words/status-in-words.ts';
import { toWhen, type When } from '#lib/events/words/when.ts';
import { LiveTime } from '../../../_components/events/live-time.tsx';
import { Icon } from '../../../_components/icon.tsx';
import { SavedChanges } from '../../../_components/saved/saved-changes.tsx';
import type { StageEvent } from '../stage-event.ts';
import { EventActions, JoinButton } from './event-actions.tsx';
import './ticket.css';

type TicketFactsProps = Readonly<{ event: StageEvent; today: string }>;

/** When and where an event is, and who runs it. In-person days have a line of their own unless all days are in person. */
export function TicketFacts({ event, today }: TicketFactsProps) {
  const { inPerson, ...all } = toWhen(event, today);
  const where = toWhereInWords(event);
  const isOnline = event.format === 'online' && toPlace(event) === null;
  const isAlsoOnline = inPerson === null && event.format === 'both' && toPlace(event) !== null;
  return (
    <div className="ticket-facts">
      {inPerson === null ? (
        <Fact term="When" when={all} event={event} today={today} />
      ) : (
        <>
          <Fact
            isTermShown
            term={event.format === 'in-person' ? 'Whole event' : 'Online'}
            when={all}
            event={event}
            today={today}
          />
          <Fact isTermShown term="In person" when={inPerson} />
        </>
      )}
      {where !== null && (
        <div className="ticket-place">
          <h2 className="visually-hidden">Where</h2>
          <p>
            <Icon name={isOnline ? 'online' : 'place'} />
            <span>
              <bdi>{where}</bdi>
              {isAlsoOnline && ', and online'}
            </span>
          </p>
        </div>
      )}
      {event.organizer !== null && (
        <div className="ticket-place">
          <h2 className="visually-hidden">Organizer</h2>
          <p>
            <Icon name="account" />
            <span>
              By <bdi>{event.organizer.name}</bdi>
            </span>
          </p>
        </div>
      )}
    </div>
  );
}

type FactProps = Readonly<{
  term: string;
  isTermShown?: boolean;
  when: When;
  /** Left out for days without times. */
  event?: StageEvent;
  today?: string;
}>;

/** Days as people say them. Each is named once; the details below have them in full. */
function Fact({ term, isTermShown = false, when, event, today = '' }: FactProps) {
  return (
    <div className="ticket-when">
      <h2 className={isTermShown ? 'ticket-term' : 'visually-hidden'}>{term}</h2>
      <p className="ticket-words">{when.words}</p>
      {when.detail !== '' && <p className="ticket-detail">{when.detail}</p>}
      {event && <LiveTime event={event} today={today} className="ticket-live" />}
    </div>
  );
}

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
        {isFull(event) && <p className="join-words">It’s full. No places are left.</p>}
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
