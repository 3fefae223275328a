import type { MarqueeEvent } from '../model/schema.ts';
import type { EventsSnapshot } from '../store/snapshot.ts';
import type { EventsQuery } from './events-query.ts';
import { foldText } from './fold-text.ts';

/** Selects and sorts the events of a snapshot by a query. */
export function selectEvents(snapshot: EventsSnapshot, query: EventsQuery): MarqueeEvent[] {
  const { events, sorted } = snapshot;
  const matches = toMatcher(query, snapshot);
  const limit = query.limit ?? events.length;
  const selected: MarqueeEvent[] = [];
  for (const position of sorted[query.sort ?? 'startDate'][query.order ?? 'desc']) {
    if (selected.length >= limit) break;
    const event = events[position];
    if (event !== undefined && matches(event, position)) selected.push(event);
  }
  return selected;
}

/** The latest announced events of any status, newest first. */
export function selectLatest(snapshot: EventsSnapshot, limit: number): MarqueeEvent[] {
  return selectEvents(snapshot, { sort: 'announcedAt', order: 'desc', limit });
}

type Matcher = (event: MarqueeEvent, position: number) => boolean;

function toMatcher(query: EventsQuery, { searchTexts }: EventsSnapshot): Matcher {
  const { status, projectType, format, from, to, q } = query;
  const tests: Matcher[] = [];
  if (status) tests.push((event) => status.includes(event.status));
  if (format) tests.push((event) => event.format !== null && format.includes(event.format));
  if (projectType) {
    tests.push((event) => event.projectTypes.some((type) => projectType.includes(type)));
  }
  if (from) tests.push((event) => event.endDate === null || event.endDate >= from);
  if (to) tests.push((event) => event.startDate <= to);
  const words = q === undefined ? [] : foldText(q).split(/\s+/).filter(Boolean);
  if (words.length > 0) {
    tests.push((_, position) => words.every((word) => searchTexts[position]?.includes(word)));
  }
  return (event, position) => tests.every((test) => test(event, position));
}
