import { formatCount } from '#lib/events/words/format-count.ts';
import { atItsPlace } from '../model/at-its-place.ts';
import { compareText } from '../model/dates.ts';
import { type Position, parsePosition, toDistanceKm, toPosition } from '../model/position.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import type { NamedGroup } from '../source/name-index.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { toOneLine } from '../words/clean-text.ts';
import { toCountryName } from '../words/countries.ts';
import { inDirectoryOrder } from './directory/sections.ts';

/** What is on in a city: the best of its events decides. */
type CityStatus = 'onNow' | 'comingUp' | 'past';

/** A city on the map. */
export type CityMark = Readonly<{
  group: NamedGroup;
  /** Null if none of its events has coordinates: then it is in the list only. */
  position: Position | null;
  counts: Readonly<Record<CityStatus | 'off', number>>;
  /** Events that are on or coming up, in the order of the directory. */
  ahead: readonly MarqueeEvent[];
  total: number;
  status: CityStatus;
}>;

/** All cities: those with the most events that are on or coming up first. */
export function toCityMarks({ names, events, day }: EventsSnapshot): CityMark[] {
  const seen = events.map((event) => atItsPlace(event, day));
  return names.groups
    .filter(({ kind }) => kind === 'city')
    .map((group) => toMark(group, seen))
    .sort(
      (a, b) =>
        b.ahead.length - a.ahead.length ||
        b.total - a.total ||
        compareText(a.group.slug, b.group.slug),
    );
}

/** How far from a city people still say that they are near it. */
const nearKmMax = 50;

/** The name of the closest city of events that a point is near; null without one. */
export function findNearCity(snapshot: EventsSnapshot, near: string): string | null {
  const center = parsePosition(near);
  if (center === null) return null;
  const cities = toCityMarks(snapshot).flatMap(({ group, position }) =>
    position === null ? [] : [{ name: group.name, distanceKm: toDistanceKm(center, position) }],
  );
  const [closest] = cities.toSorted((a, b) => a.distanceKm - b.distanceKm);
  return closest !== undefined && closest.distanceKm <= nearKmMax ? closest.name : null;
}

function toMark(group: NamedGroup, events: readonly MarqueeEvent[]): CityMark {
  const counts = { onNow: 0, comingUp: 0, past: 0, off: 0 };
  const ahead: MarqueeEvent[] = [];
  let position: Position | null = null;
  for (const index of group.positions) {
    const event = events[index];
    if (event === undefined) continue;
    const status = toCityStatus(event);
    counts[status]++;
    if (status === 'onNow' || status === 'comingUp') ahead.push(event);
    // All events of a city share one mark, where the first of them is.
    position ??= toPosition(event);
  }
  const status = counts.onNow > 0 ? 'onNow' : counts.comingUp > 0 ? 'comingUp' : 'past';
  const total = group.positions.length;
  return { group, position, counts, ahead: inDirectoryOrder(ahead), total, status };
}

// What was cancelled or postponed is not on.
function toCityStatus({ status, state }: MarqueeEvent): CityStatus | 'off' {
  if (status === 'ended') return 'past';
  if (state !== 'scheduled') return 'off';
  return status === 'ongoing' ? 'onNow' : 'comingUp';
}

const countNames = {
  onNow: 'on now',
  comingUp: 'coming up',
  off: 'cancelled or postponed',
  past: 'past',
} as const;

/** `1 on now, 3 coming up, 1 cancelled or postponed, 12 past`. */
export function describeCityCounts(counts: CityMark['counts']): string {
  return Object.entries(countNames)
    .map(([status, name]) => ({ name, count: counts[status as keyof typeof countNames] }))
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${formatCount(count)} ${name}`)
    .join(', ');
}

type MapLink = Readonly<{ name: string; url: string }>;

/** Links that open an event’s place in a map; none if only its name is known, or it is online. */
export function toMapLinks(event: Pick<MarqueeEvent, 'state' | 'place'>): MapLink[] {
  const { place, state } = event;
  if (place === null || state === 'moved-online') return [];
  const { name, address, city, country } = place;
  const position = toPosition(event);
  const parts = [address ?? name, city, country === null ? null : toCountryName(country)];
  const words = toOneLine(parts.filter((part) => part !== null).join(', '));
  if (position === null && (address === null || city === null)) return [];
  const point = position === null ? null : `${position.latitude},${position.longitude}`;
  const query = encodeURIComponent(point ?? words);
  return [
    // RFC 5870. `q` sets a pin on Android.
    { name: 'Map app', url: `geo:${point ?? '0,0'}?q=${query}` },
    { name: 'OpenStreetMap', url: `https://www.openstreetmap.org/search?query=${query}` },
    { name: 'Google Maps', url: `https://www.google.com/maps/search/?api=1&query=${query}` },
    { name: 'Apple Maps', url: `https://maps.apple.com/?q=${query}` },
  ];
}
