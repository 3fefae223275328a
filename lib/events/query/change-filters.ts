import { type EventsQuery, type FilterName, formatQuery, withoutFilters } from './events-query.ts';

/** Filters close to a visitor's, with a title for their results. */
export type NearFilters = Readonly<{ title: string; filters: EventsQuery }>;

/** The only filter that can have several values on a page. */
const many: FilterName = 'projectType';
/** Ways to choose days, which exclude each other. */
const days: readonly FilterName[] = ['when', 'from', 'to'];
const kinds: readonly FilterName[] = ['format', 'projectType', 'state'];
const places: readonly FilterName[] = ['city', 'country', 'near'];
const notEnded = ['ongoing', 'upcoming'] as const;

/** Whether a filter has a value, alone or among others. */
export function hasFilter(filters: EventsQuery, name: FilterName, value: string): boolean {
  return valuesOf(filters, name).includes(value);
}

/** Filters with one value turned on, or off if it was on. */
export function toggleFilter(filters: EventsQuery, name: FilterName, value: string): EventsQuery {
  const values = valuesOf(filters, name);
  const others = name === many ? values.filter((one) => one !== value) : [];
  const next = values.includes(value) ? others : [...others, value];
  const rest = withoutFilters(filters, ...(days.includes(name) ? days : [name]));
  if (next.length === 0) return rest;
  // Sorted, so that equal filters give equal URLs.
  return { ...rest, [name]: isText(name) ? next[0] : next.sort() };
}

/**
 * Filters to try when nothing matches: other days first, then other kinds of events, then no search text. They
 * exclude past events.
 */
export function toNearFilters(filters: EventsQuery): NearFilters[] {
  const anyDay = withoutFilters(filters, ...days, 'status');
  const near = [
    { title: 'On other days', filters: anyDay },
    { title: 'Other kinds of events', filters: withoutFilters(anyDay, ...kinds) },
    { title: 'In other places', filters: withoutFilters(anyDay, ...places) },
    { title: 'What else is on', filters: withoutFilters(filters, 'q') },
    { title: 'On now and coming up', filters: {} },
  ].map(({ title, filters: left }) => ({ title, filters: { ...left, status: notEnded } }));
  // Those of the visitor, and those that have been tried already, are left out.
  const tried = new Set([formatQuery({ status: notEnded, ...filters })]);
  return near.filter((one) => {
    const key = formatQuery(one.filters);
    if (tried.has(key)) return false;
    tried.add(key);
    return true;
  });
}

function valuesOf(filters: EventsQuery, name: FilterName): string[] {
  return [filters[name] ?? []].flat().map(String);
}

function isText(name: FilterName): boolean {
  return name === 'q' || days.includes(name);
}
