import type { GoogleCalendarLink } from '#lib/feeds/google-calendar.ts';
import { Icon } from '../../_components/icon.tsx';
import { ShareButton } from './share-button.tsx';

type EventActionsProps = Readonly<{
  /** URL of an iCalendar file with this event. */
  calendarFile: string;
  googleCalendar: readonly GoogleCalendarLink[];
}>;

export function EventActions({ calendarFile, googleCalendar }: EventActionsProps) {
  return (
    <div className="event-actions">
      <a className="button" href={calendarFile}>
        <Icon name="calendar" />
        Add to calendar
      </a>
      {googleCalendar.map(({ kind, url }) => (
        <a key={kind} className="button-quiet" href={url}>
          <Icon name="calendar" />
          {kind === 'in-person' ? 'Google Calendar: in-person dates' : 'Google Calendar'}
        </a>
      ))}
      <ShareButton />
    </div>
  );
}
