import { calendarPrograms, type Subscription } from '#lib/events/view/subscription.ts';
import { LinkField } from './link-field.tsx';

type SectionProps = Readonly<{ subscription: Subscription }>;

/** Events in a calendar: its URL, and three steps for each calendar program. */
export function CalendarSection({ subscription }: SectionProps) {
  return (
    <section aria-labelledby="calendar">
      <h2 id="calendar">In your calendar</h2>
      <LinkField id="calendar-link" label="Calendar link" url={subscription.calendar} />
      <p className="notice">
        <strong>A subscription updates by itself:</strong> new events appear, and changed dates
        move. A{' '}
        <a href={subscription.calendar} download>
          downloaded file
        </a>{' '}
        never changes.
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
