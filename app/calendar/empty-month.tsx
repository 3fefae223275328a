import type { FilterTexts } from '#lib/events/query/filters.ts';
import { toMonthSearch } from '#lib/events/query/month-query.ts';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import { toMonthInWords } from '#lib/events/view/month/month-words.ts';
import type { NearMonth } from '#lib/events/view/month/select-month.ts';

type EmptyMonthProps = Readonly<{
  month: string;
  filters: FilterTexts;
  before: NearMonth | null;
  after: NearMonth | null;
}>;

/** Says that a month has no events, and where the closest ones are. */
export function EmptyMonth({ month, filters, before, after }: EmptyMonthProps) {
  const toHref = (near: NearMonth) => `/calendar${toMonthSearch(filters, near.month)}`;
  return (
    <div className="notice empty-month">
      <p>
        Nothing {hasFilters(filters) && 'that matches '}is on in {toMonthInWords(month)}.
      </p>
      {after && (
        <p>
          Next: <bdi>{toEventTitle(after.event)}</bdi> in{' '}
          <a href={toHref(after)}>{toMonthInWords(after.month)}</a>
        </p>
      )}
      {before && (
        <p>
          Before: <bdi>{toEventTitle(before.event)}</bdi> in{' '}
          <a href={toHref(before)}>{toMonthInWords(before.month)}</a>
        </p>
      )}
    </div>
  );
}

function hasFilters(filters: FilterTexts): boolean {
  return Object.values(filters).some(Boolean);
}
