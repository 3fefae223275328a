import { Icon } from '../_components/icon.tsx';

/** The calendar file of saved events. */
export function ListCalendar({ ids }: Readonly<{ ids: readonly string[] }>) {
  const search = ids.toSorted().join(',');
  return (
    <p className="list-calendar">
      <a className="button-quiet" href={`/api/v1/events/calendar.ics?id=${search}`}>
        <Icon name="calendar" />
        Calendar file
      </a>
      <span className="quiet">With these events as they are now. It does not update.</span>
    </p>
  );
}
