import { Icon } from '../../_components/icon.tsx';
import { ShareButton } from './share-button.tsx';

type EventActionsProps = Readonly<{
  /** URL of an iCalendar file with this event. */
  calendarFile: string;
  googleCalendar: string;
}>;

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
