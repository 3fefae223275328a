import { type EventsQuery, formatValue, isReversed } from '#lib/events/query/events-query.ts';
import { statusWords } from '#lib/events/words/filter-words.ts';
import { Icon } from '../../_components/icon.tsx';
import { Menu } from '../../_components/menu.tsx';

/** Fields for a range of days, collapsed. */
export function DatesPanel({ filters }: Readonly<{ filters: EventsQuery }>) {
  const { from, to } = filters;
  const status = formatValue(filters.status);
  const isWrong = isReversed(filters);
  return (
    <Menu
      className="dates"
      isOpen={isWrong}
      summary={
        <summary className="chip">
          <Icon name="calendar" />
          Dates
        </summary>
      }
    >
      <div className="dates-panel">
        <Day name="from" label="From" value={from} isWrong={isWrong} />
        <Day name="to" label="To" value={to} isWrong={isWrong} />
        <p id="dates-error" className="field-error" role="status">
          {isWrong && 'The first day is after the last. Change one of them.'}
        </p>
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
    </Menu>
  );
}

type DayProps = Readonly<{
  name: 'from' | 'to';
  label: string;
  value: string | undefined;
  isWrong: boolean;
}>;

function Day({ name, label, value, isWrong }: DayProps) {
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        type="date"
        name={name}
        defaultValue={value}
        // biome-ignore lint/a11y/noAutofocus: the field to change, where the page loads with wrong days.
        autoFocus={isWrong && name === 'from'}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'dates-error' : undefined}
      />
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
