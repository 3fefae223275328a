import { spanRanges, type UsageSpan } from '#lib/accounts/account/usage-span.ts';
import { InputField } from '../../_components/fields/form-fields.tsx';

const rangeNames = { 1: '24 hours', 7: '7 days', 30: '30 days', 90: '90 days' } as const;

/** The query of a time, with its `?`. */
export function toSpanSearch({ range, periods }: UsageSpan): string {
  const [from = '', to = ''] = [periods[0], periods.at(-1)];
  return `?${new URLSearchParams(range === null ? { from, to } : { days: range })}`;
}

type SpanFormProps = Readonly<{ path: string; span: UsageSpan }>;

/** Which time is shown: ranges as links, and any two dates. */
export function SpanForm({ path, span: { range, periods, unit } }: SpanFormProps) {
  const [from, to] = unit === 'day' ? [periods[0], periods.at(-1)] : [];
  return (
    <div className="usage-span">
      <nav aria-label="Range" className="buttons range-links">
        {spanRanges.map((days) => (
          <a
            key={days}
            href={`${path}?days=${days}`}
            aria-current={days === range ? 'page' : undefined}
          >
            {rangeNames[days]}
          </a>
        ))}
      </nav>
      <form method="get" action={path} className="usage-dates">
        <InputField id="from" name="from" label="From (UTC)" type="date" defaultValue={from} />
        <InputField id="to" name="to" label="To" type="date" defaultValue={to} />
        <button type="submit" className="button-quiet">
          Show
        </button>
      </form>
    </div>
  );
}
