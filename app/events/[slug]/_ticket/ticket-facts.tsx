import { toPlace, toWhereInWords } from '#lib/events/view/event-facts.ts';
import { toWhen, type When } from '#lib/events/words/when.ts';
import { LiveTime } from '../../../_components/events/live-time.tsx';
import { Icon } from '../../../_components/icon.tsx';
import type { StageEvent } from '../stage-event.ts';

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
