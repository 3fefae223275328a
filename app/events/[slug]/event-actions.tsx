import { toGoogleCalendarLinks } from '#lib/feeds/google-calendar.ts';
import { Icon } from '../../_components/icon.tsx';
import { SaveButton } from '../../_components/saved/save-button.tsx';
import { ShareButton } from './share-button.tsx';
import type { StageEvent } from './stage-event.ts';

type EventActionsProps = Readonly<{
  event: StageEvent;
  today: string;
  pageUrl: string;
  /** Whether there is still something to put into a calendar. */
  hasCalendar: boolean;
}>;

export function EventActions({ event, today, pageUrl, hasCalendar }: EventActionsProps) {
  return (
    <div className="event-actions">
      {hasCalendar && (
        <>
          <a className="button-quiet" href={`/events/${event.slug}.ics`}>
            <Icon name="calendar" />
            Add to calendar
          </a>
          {toGoogleCalendarLinks(event, { pageUrl, today }).map(({ kind, url }) => (
            <a key={kind} className="button-quiet" href={url}>
              <Icon name="calendar" />
              {kind === 'in-person' ? 'Google: in person' : 'Google Calendar'}
            </a>
          ))}
        </>
      )}
      <SaveButton event={event} className="button-quiet" hasWord />
      <ShareButton />
    </div>
  );
}
