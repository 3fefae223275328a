import { SaveButton } from '../../../_components/saved/save-button.tsx';
import type { StageEvent } from '../stage-event.ts';
import { CalendarMenu } from './calendar-menu.tsx';
import { ShareButton } from './share-button.tsx';

type EventActionsProps = Readonly<{
  event: StageEvent;
  today: string;
  pageUrl: string;
  /** Whether there is anything left to add to a calendar. */
  hasCalendar: boolean;
}>;

/** What else to do with an event, in one quiet row. */
export function EventActions({ event, today, pageUrl, hasCalendar }: EventActionsProps) {
  return (
    <div className="event-actions">
      {hasCalendar && <CalendarMenu event={event} today={today} pageUrl={pageUrl} />}
      <SaveButton event={event} className="event-action" hasWord />
      <ShareButton />
    </div>
  );
}
