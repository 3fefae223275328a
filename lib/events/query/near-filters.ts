import type { FilterName, FilterTexts } from './filters.ts';
import { withoutFilters } from './toggle-filter.ts';

/** Filters close to a visitor's, with a title for their results. */
export type NearFilters = Readonly<{ title: string; filters: FilterTexts }>;

const days: readonly FilterName[] = ['when', 'from', 'to', 'status'];
const kinds: readonly FilterName[] = ['format', 'projectType', 'state'];
const notEnded = 'ongoing,upcoming';

/**
 * Filters to try when nothing matches: other days first, then other kinds of events, then no search text. They
 * exclude past events.
 */
export function toNearFilters(filters: FilterTexts): NearFilters[] {
  const anyDay = withoutFilters(filters, ...days);
  const anyKind = withoutFilters(anyDay, ...kinds);
  const near = [
    { title: 'On other days', filters: anyDay },
    { title: 'Other kinds of events', filters: anyKind },
    { title: 'What else is on', filters: withoutFilters(filters, 'q') },
    { title: 'On now and coming up', filters: {} },
  ].map(({ title, filters: left }) => ({ title, filters: { ...left, status: notEnded } }));
  const given = toKey({ status: notEnded, ...filters });
  const keys = near.map((one) => toKey(one.filters));
  // Skips filters that have been tried already.
  return near.filter((_, index) => {
    const key = keys[index];
    return key !== given && keys.indexOf(key ?? '') === index;
  });
}

function toKey(filters: FilterTexts): string {
  return JSON.stringify(Object.entries(filters).sort());
}
