import leven from 'leven';
import type { EventsQuery } from '../query/events-query.ts';
import { listNameKeys, type NamedGroup, type NameKind, nameKinds } from '../source/name-index.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { toCountryName } from '../words/countries.ts';
import { toNameKey } from '../words/fold-text.ts';
import { parseTerritory } from '../words/territories.ts';

/** A name in a query that no event has, and the one that was probably meant. */
export type NameSuggestion = Readonly<{
  /** As it was sent. */
  unknown: string;
  nearest: string;
  /** The query with the nearest name. */
  filters: EventsQuery;
}>;

/** Only some names of a huge table are compared, to bound the time that it takes. */
const comparedMax = 2000;
const nameLengthMax = 80;
/** Names that differ more count as different names. */
const distanceMax = 0.4;

/** The nearest names to those of a query that no event has. */
export function suggestNames(snapshot: EventsSnapshot, filters: EventsQuery): NameSuggestion[] {
  const suggestions: NameSuggestion[] = [];
  for (const kind of [...nameKinds, 'country'] as const) {
    const unknown = filters[kind]?.trim();
    if (unknown === undefined || unknown === '') continue;
    const names = listNames(snapshot, kind);
    const key = toNameKey(unknown);
    const isKnown =
      kind === 'country'
        ? parseTerritory(unknown) !== null
        : listNameKeys(unknown, kind).some((key) => snapshot.names.keys[kind].includes(key));
    const nearest = isKnown ? null : findNearest(names, key);
    if (nearest !== null) {
      suggestions.push({ unknown, nearest, filters: { ...filters, [kind]: nearest } });
    }
  }
  return suggestions;
}

/** The groups that an unknown slug may mean: those of its name, as cities in several countries, or of the nearest one. */
export function findNearestGroups(
  snapshot: EventsSnapshot,
  kind: NameKind,
  slug: string,
): NamedGroup[] {
  const groups = snapshot.names.groups.filter((group) => group.kind === kind);
  const nearest = findNearest(listNames(snapshot, kind), toNameKey(slug));
  return nearest === null ? [] : groups.filter(({ name }) => name === nearest);
}

function listNames({ names, events }: EventsSnapshot, kind: NameKind | 'country'): string[] {
  if (kind !== 'country') {
    return names.groups.filter((group) => group.kind === kind).map(({ name }) => name);
  }
  const codes = new Set(events.map(({ place }) => place?.country ?? null));
  return [...codes].filter((code) => code !== null).map(toCountryName);
}

function findNearest(names: readonly string[], key: string): string | null {
  if (key.length > nameLengthMax) return null;
  let nearest: string | null = null;
  let least = distanceMax;
  for (const name of names.slice(0, comparedMax)) {
    const known = toNameKey(name).slice(0, nameLengthMax);
    const distance = toDistance(known, key);
    if (distance > least || (distance === least && nearest !== null)) continue;
    [nearest, least] = [name, distance];
  }
  return nearest;
}

// 0: equal. A name that contains the other one is near, too: `Buda` and `Budapest`.
function toDistance(known: string, key: string): number {
  const isPart = key.length > 2 && (known.startsWith(key) || key.startsWith(`${known} `));
  const length = Math.max(known.length, key.length, 1);
  const maxDistance = Math.floor(length * distanceMax) + 1;
  const distance = leven(known, key, { maxDistance }) / length;
  return isPart ? Math.min(distance, distanceMax / 2) : distance;
}
