import { Icon } from '../../_components/icon.tsx';
import { ShareButton } from './share-button.tsx';

type EventActionsProps = Readonly<{
  /** Address of a calendar file with this event. */
  calendarFile: string;
  googleCalendar: string;
}>;

/** What a visitor can do with an event: put it down, and tell others. */
export function EventActions({ calendarFile, googleCalendar }: EventActionsProps) {
  return (
    <div className="event-actions">
      <a className="button" href={calendarFile}>
        <Icon name="calendar" />
        Add to calendar
      </a>
      <a className="button-quiet" href={googleCalendar}>
        <Icon name="calendar" />
        Google Calendar
      </a>
      <ShareButton />
    </div>
  );
}
