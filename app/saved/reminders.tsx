import { remindersMax } from '#lib/events/view/saved-events.ts';
import { Icon } from '../_components/icon.tsx';
import { ReminderForm, reminderWords } from '../subscribe/mail/_components/reminder-form.tsx';

/** Reminders of the events of a list, soonest first: alarms in a calendar, and emails. */
export function Reminders({
  ids,
  hasMail,
}: Readonly<{ ids: readonly string[]; hasMail: boolean }>) {
  const calendar = `/api/v1/events/calendar.ics?id=${ids.toSorted().join(',')}&alarms=true`;
  return (
    <section className="poster-section list-reminders" aria-labelledby="reminders">
      <h2 id="reminders">Reminders</h2>
      <p>{reminderWords}</p>
      <p>
        <a className="button-quiet" href={`webcal://${location.host}${calendar}`}>
          <Icon name="bell" />
          Calendar with alarms
        </a>
      </p>
      <p className="quiet">
        In Apple Calendar, turn off “Remove alarms”. Google Calendar and Outlook ignore alarms of
        calendars that you subscribe to.
      </p>
      {hasMail && (
        <>
          <h3>By email</h3>
          {ids.length > remindersMax && <p>Of the next {remindersMax} events.</p>}
          <ReminderForm eventIds={ids.slice(0, remindersMax)} />
        </>
      )}
    </section>
  );
}
