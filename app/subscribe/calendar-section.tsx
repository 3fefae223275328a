import { calendarPrograms, type Subscription } from '#lib/events/view/subscription.ts';
import { Address } from './address.tsx';

type SectionProps = Readonly<{ subscription: Subscription }>;

/** Events in a calendar: its address, and three steps for each calendar program. */
export function CalendarSection({ subscription }: SectionProps) {
  return (
    <section aria-labelledby="calendar">
      <h2 id="calendar">In your calendar</h2>
      <Address id="calendar-address" label="Calendar address" url={subscription.calendar} />
      <p className="notice">
        <strong>A subscription updates by itself:</strong> new events appear, and dates that move,
        move in your calendar. A file that you{' '}
        <a href={subscription.calendar} download>
          download
        </a>{' '}
        does not update.
      </p>
      <ul className="program-list">
        {calendarPrograms.map(({ name, link, action, steps, delay }) => (
          <li key={name} className="program">
            <h3>{name}</h3>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <p className="program-action">
              <a className="button" href={subscription[link]}>
                {action}
              </a>
              {link === 'outlook' && <a href={subscription.office}>Work or school account</a>}
            </p>
            <p className="field-hint">{delay}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
