import { isFull, isJoinable } from '#lib/events/model/status.ts';
import { toPlace, toWhereInWords } from '#lib/events/view/event-facts.ts';
import { toJoinAction } from '#lib/events/view/join-action.ts';
import { toStatusInWords } from '#lib/events/words/status-in-words.ts';
import { listTerms } from '#lib/events/words/terms.ts';
import { toWhen, type When } from '#lib/events/words/when.ts';
import { LiveTime } from '../../../_components/events/live-time.tsx';
import { Icon } from '../../../_components/icon.tsx';
import { PosterTerms } from '../../../_components/poster/poster-words.tsx';
import { SavedChanges } from '../../../_components/saved/saved-changes.tsx';
import type { StageEvent } from '../stage-event.ts';
import { EventActions, JoinButton } from './event-actions.tsx';
import './ticket.css';

/** Paths of what a ticket names; null for what has no page. */
export type TicketLinks = Readonly<{ place: string | null; organizer: string | null }>;

type TicketFactsProps = Readonly<{ event: StageEvent; today: string; links: TicketLinks }>;

/** When and where an event is, who runs it, and what it takes to come. In-person days have a line of their own unless all days are in person. */
export function TicketFacts({ event, today, links }: TicketFactsProps) {
  const { inPerson, ...all } = toWhen(event, today);
  const where = toWhereInWords(event);
  const isOnline = event.format === 'online' && toPlace(event) === null;
  // A full event says so below, where others say how to join.
  const terms = listTerms(isFull(event) ? { ...event, placesLeft: null } : event);
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
              <Linked path={links.place}>{where}</Linked>
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
              By <Linked path={links.organizer}>{event.organizer.name}</Linked>
            </span>
          </p>
        </div>
      )}
      {terms.length > 0 && (
        <div className="ticket-terms">
          <h2 className="visually-hidden">Price, ages, places</h2>
          <PosterTerms terms={terms} />
        </div>
      )}
    </div>
  );
}

type LinkedProps = Readonly<{ path: string | null; children: string }>;

function Linked({ path, children }: LinkedProps) {
  const words = <bdi>{children}</bdi>;
  return path === null ? words : <a href={path}>{words}</a>;
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
  links: TicketLinks;
  pageUrl: string;
  slackWorkspaceUrl: string | null;
}>;

/** The stub beside an event's poster: when, where, how to join, and what to do with it. */
export function EventTicket(props: EventTicketProps) {
  const { event, today, links, pageUrl, slackWorkspaceUrl } = props;
  const action = toJoinAction(event, slackWorkspaceUrl);
  return (
    <section className="ticket" aria-label="When, where and how to join">
      <p className="ticket-status">{toStatusInWords(event, today)}</p>
      <TicketFacts event={event} today={today} links={links} />
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
