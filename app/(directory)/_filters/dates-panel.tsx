import { type EventsQuery, formatValue } from '#lib/events/query/events-query.ts';
import { statusWords } from '#lib/events/words/filter-words.ts';
import { Icon } from '../../_components/icon.tsx';

/** Fields for a range of days, collapsed. */
export function DatesPanel({ filters }: Readonly<{ filters: EventsQuery }>) {
  const { from, to } = filters;
  const status = formatValue(filters.status);
  return (
    <details className="dates">
      <summary className="chip">
        <Icon name="calendar" />
        Dates
      </summary>
      <div className="dates-panel">
        <Day name="from" label="From" value={from} />
        <Day name="to" label="To" value={to} />
        <div>
          <label htmlFor="status">Show</label>
          <select id="status" name="status" defaultValue={status}>
            <option value="">Any time</option>
            {Object.entries(statusWords).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
            {/* A URL may combine several. */}
            {status.includes(',') && <option value={status}>{describeStatuses(status)}</option>}
          </select>
        </div>
        <button className="button" type="submit">
          Show events
        </button>
      </div>
    </details>
  );
}

type DayProps = Readonly<{ name: 'from' | 'to'; label: string; value: string | undefined }>;

function Day({ name, label, value }: DayProps) {
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <input id={name} type="date" name={name} defaultValue={value} />
    </div>
  );
}

function describeStatuses(statuses: string): string {
  const names: Readonly<Record<string, string>> = statusWords;
  return statuses
    .split(',')
    .map((status) => names[status])
    .join(' or ');
}
