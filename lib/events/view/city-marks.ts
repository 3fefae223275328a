import type { Position } from '../model/position.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import type { NamedGroup } from '../source/name-index.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';

/** What is on in a city: the best of its events decides. */
export type CityStatus = 'onNow' | 'comingUp' | 'past';

/** A city on the map. */
export type CityMark = Readonly<{
  group: NamedGroup;
  /** Null if none of its events has coordinates: then it is in the list only. */
  position: Position | null;
  counts: Readonly<Record<CityStatus, number>>;
  total: number;
  status: CityStatus;
}>;

/** All cities: those with the most events first. */
export function toCityMarks({ names, events }: EventsSnapshot): CityMark[] {
  return names.groups
    .filter(({ kind }) => kind === 'city')
    .map((group) => toMark(group, events))
    .sort((a, b) => b.total - a.total || (a.group.slug < b.group.slug ? -1 : 1));
}

function toMark(group: NamedGroup, events: readonly MarqueeEvent[]): CityMark {
  const counts = { onNow: 0, comingUp: 0, past: 0 };
  let position: Position | null = null;
  for (const index of group.positions) {
    const event = events[index];
    if (event === undefined) continue;
    counts[toCityStatus(event)]++;
    // All events of a city share one mark, where the first of them is.
    position ??= toPosition(event);
  }
  const status = counts.onNow > 0 ? 'onNow' : counts.comingUp > 0 ? 'comingUp' : 'past';
  return { group, position, counts, total: group.positions.length, status };
}

// What was cancelled or postponed is not on.
function toCityStatus({ status, state }: MarqueeEvent): CityStatus {
  if (status === 'ended' || state !== 'scheduled') return 'past';
  return status === 'ongoing' ? 'onNow' : 'comingUp';
}

/** Where an event is; null without coordinates. */
export function toPosition({ place }: Pick<MarqueeEvent, 'place'>): Position | null {
  const { latitude = null, longitude = null } = place ?? {};
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** `1 on now, 3 coming up, 12 past`. */
export function describeCityCounts(counts: CityMark['counts']): string {
  const names = { onNow: 'on now', comingUp: 'coming up', past: 'past' } as const;
  return (['onNow', 'comingUp', 'past'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status].toLocaleString('en')} ${names[status]}`)
    .join(', ');
}
