import { toGoogleCalendarLinks } from '#lib/representations/feeds/google-calendar.ts';
import { Icon } from '../../../_components/icon.tsx';
import type { StageEvent } from '../stage-event.ts';

type CalendarMenuProps = Readonly<{ event: StageEvent; today: string; pageUrl: string }>;

const googleWords = {
  event: 'Google Calendar',
  'in-person': 'Google Calendar, in-person days',
} as const;

/** Ways to add the event to a calendar, collapsed. Works without JavaScript. */
export function CalendarMenu({ event, today, pageUrl }: CalendarMenuProps) {
  return (
    <details className="calendar-menu">
      <summary className="event-action">
        <Icon name="calendar" />
        Add to calendar
      </summary>
      <ul>
        <li>
          <a href={`/events/${event.slug}.ics`}>Apple, Outlook and others (.ics)</a>
        </li>
        {toGoogleCalendarLinks(event, { pageUrl, today }).map(({ kind, url }) => (
          <li key={kind}>
            <a href={url}>{googleWords[kind]}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}
