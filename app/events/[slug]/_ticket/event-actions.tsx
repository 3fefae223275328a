import type { JoinAction } from '#lib/events/view/join-action.ts';
import { toGoogleCalendarLinks } from '#lib/representations/feeds/google-calendar.ts';
import { useCopy } from '../../../_components/copy-button.tsx';
import { Icon } from '../../../_components/icon.tsx';
import { Menu } from '../../../_components/menu.tsx';
import { SaveButton } from '../../../_components/saved/save-button.tsx';
import { ScriptButton } from '../../../_components/script-button.tsx';
import type { StageEvent } from '../stage-event.ts';

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

type CalendarMenuProps = Readonly<{ event: StageEvent; today: string; pageUrl: string }>;

const googleWords = {
  event: 'Google Calendar',
  'in-person': 'Google Calendar, in-person days',
} as const;

/** Ways to add the event to a calendar, collapsed. Works without JavaScript. */
function CalendarMenu({ event, today, pageUrl }: CalendarMenuProps) {
  return (
    <Menu
      className="calendar-menu"
      summary={
        <summary className="event-action">
          <Icon name="calendar" />
          Add to calendar
        </summary>
      }
    >
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
    </Menu>
  );
}

/** The one big button of an event's page, a quiet link once it is over or full, or what to do in words. */
export function JoinButton({ action }: Readonly<{ action: JoinAction }>) {
  if (action.kind === 'words') return <p className="join-words">{action.words}</p>;
  return (
    <a className={action.isQuiet ? 'join-link' : 'join-button'} href={action.url}>
      <span className="join-label">
        {action.label}
        <Icon name="leave" />
      </span>
      {action.host !== null && <span className="join-host">{action.host}</span>}
    </a>
  );
}

/** Opens the device’s share dialog; copies the page’s URL where there is none. */
function ShareButton() {
  const { isCopied, copy } = useCopy();

  function share(): void {
    const url = location.origin + location.pathname;
    // Rejected when the visitor closes the dialog.
    if (navigator.share) navigator.share({ title: document.title, url }).catch(() => {});
    else copy(url);
  }

  return (
    <ScriptButton className="event-action" onClick={share}>
      <Icon name={isCopied ? 'done' : 'share'} />
      Share
    </ScriptButton>
  );
}
