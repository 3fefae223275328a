import slugify from '@sindresorhus/slugify';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import type { EventDraft } from '../model/schema.ts';
import type { EventPlace } from '../model/time-and-place.ts';
import { listCityKeys, toCityKey } from '../words/cities.ts';
import { toNameKey } from '../words/fold-text.ts';
import { isRegionCode } from '../words/regions.ts';

/** What events can share by name, each with a page of its own. */
export const nameKinds = ['city', 'organizer', 'series'] as const;
export type NameKind = (typeof nameKinds)[number];

/** Events that share a city, an organizer or a series. */
export type NamedGroup = Readonly<{
  kind: NameKind;
  slug: string;
  /** As most of its events spell it. */
  name: string;
  /** Of a city, ISO 3166-1; null if unknown. */
  country: string | null;
  /** Of a city, if there are others of its name in the country: `OR`. */
  region: string | null;
  /** Whether there are several cities of this name. */
  isAmbiguous: boolean;
  /** Of its events, in the order of their announcement. */
  positions: readonly number[];
}>;

/** The names of cities, organizers and series. It does not depend on the day. */
export type NameIndex = Readonly<{
  /** The keys of the names, by position; null without a name. */
  keys: Readonly<Record<NameKind, readonly (string | null)[]>>;
  /** By kind, then in the order of their first event. */
  groups: readonly NamedGroup[];
  /** By slug, and by key with hyphens. */
  bySlug: Readonly<Record<NameKind, ReadonlyMap<string, NamedGroup>>>;
}>;

/** Where an event takes place; null if it is online or was moved online, which makes its place history. */
export function toCurrentPlace(event: Pick<EventDraft, 'state' | 'place'>): EventPlace | null {
  return event.state === 'moved-online' ? null : event.place;
}

/** Indexes names in time slices. @param drafts in the order of their announcement. */
export async function indexNames(
  drafts: readonly EventDraft[],
  yieldWhenDue: YieldWhenDue,
): Promise<NameIndex> {
  const toKey = createNameKeys();
  const keys: Record<NameKind, (string | null)[]> = { city: [], organizer: [], series: [] };
  for (const draft of drafts) {
    for (const kind of nameKinds) keys[kind].push(toKey(draft, kind));
    await yieldWhenDue();
  }
  const groups: NamedGroup[] = [];
  const bySlug = { city: new Map(), organizer: new Map(), series: new Map() };
  for (const kind of nameKinds) {
    const ofKind = groupByName(drafts, keys[kind], kind);
    groups.push(...ofKind);
    for (const group of ofKind) bySlug[kind].set(group.slug, group);
    for (const group of ofKind) addIfFree(bySlug[kind], toNameKey(group.slug), group);
    for (const group of ofKind) {
      if (group.isAmbiguous) continue;
      const names = new Set(group.positions.map((at) => nameOf(drafts[at] as EventDraft, kind)));
      for (const name of names) addName(bySlug[kind], name ?? '', group);
      addIfFree(bySlug[kind], keys[kind][group.positions[0] ?? -1] ?? '', group);
    }
    await yieldWhenDue();
  }
  return { keys, groups, bySlug };
}

/** Keys of names, each computed once. */
function createNameKeys() {
  const known = new Map<string, string>();
  return (draft: EventDraft, kind: NameKind): string | null => {
    const name = nameOf(draft, kind);
    if (name === null) return null;
    const country = kind === 'city' ? (draft.place?.country ?? null) : '';
    const id = `${country}\n${name}`;
    const key = known.get(id) ?? (kind === 'city' ? toCityKey(name, country) : toNameKey(name));
    known.set(id, key);
    return key;
  };
}

/** The keys of what a name means; spellings of one city have the same. */
export function listNameKeys(name: string, kind: NameKind): string[] {
  return kind === 'city' ? listCityKeys(name) : [toNameKey(name)];
}

function addName(groups: Map<string, NamedGroup>, name: string, group: NamedGroup): void {
  addIfFree(groups, toNameKey(toNameSlug(name)), group);
  addIfFree(groups, toNameKey(name), group);
}

function addIfFree(groups: Map<string, NamedGroup>, key: string, group: NamedGroup): void {
  const slug = key.replaceAll(' ', '-');
  if (!groups.has(slug)) groups.set(slug, group);
}

function nameOf(draft: EventDraft, kind: NameKind): string | null {
  if (kind === 'city') return toCurrentPlace(draft)?.city ?? null;
  return kind === 'organizer' ? (draft.organizer?.name ?? null) : draft.series;
}

function groupByName(
  drafts: readonly EventDraft[],
  keys: readonly (string | null)[],
  kind: NameKind,
): NamedGroup[] {
  const byKey = Map.groupBy(keys.keys(), (position) => keys[position] ?? null);
  const taken = new Set<string>();
  const groups: NamedGroup[] = [];
  for (const [key, positions] of byKey) {
    // A name of signs alone cannot be part of a URL; filters find it.
    if (key === null || !/[\p{L}\p{N}]/u.test(key)) continue;
    const name = toUsualName(
      positions.map((position) => nameOf(drafts[position] as EventDraft, kind)),
    );
    const base = toNameSlug(name);
    const parts =
      kind === 'city'
        ? divideCity(drafts, positions)
        : [{ country: null, region: null, positions }];
    for (const part of parts) {
      const isAmbiguous = parts.length > 1;
      const area = part.region ?? part.country;
      const suffix = isAmbiguous && area !== null ? `-${toNameSlug(area)}` : '';
      const slug = toFreeSlug(base + suffix, taken);
      groups.push({ kind, slug, name, isAmbiguous, ...part });
    }
  }
  return groups;
}

type CityPart = Pick<NamedGroup, 'country' | 'region' | 'positions'>;

/** By country, and by state where several have a city of this name: Portland in Oregon, and in Maine. */
function divideCity(drafts: readonly EventDraft[], positions: readonly number[]): CityPart[] {
  const placeAt = (position: number) => drafts[position]?.place ?? null;
  const countries = divide(positions, (position) => placeAt(position)?.country ?? null);
  return countries.flatMap(({ area: country, positions: ofCountry }) => {
    const regions = divide(ofCountry, (position) => {
      const region = placeAt(position)?.region ?? null;
      return region !== null && isRegionCode(region, country ?? '') ? region : null;
    });
    const isDivided = regions.length > 1;
    return regions.map(({ area, positions }) => ({
      country,
      region: isDivided ? area : null,
      positions,
    }));
  });
}

/** Events without an area belong to the only one that is known. */
function divide(positions: readonly number[], toArea: (position: number) => string | null) {
  const byArea = Map.groupBy(positions, toArea);
  const [area = null, ...more] = [...byArea.keys()].filter((name) => name !== null);
  if (more.length === 0) return [{ area, positions }];
  return [...byArea].map(([area, ofArea]) => ({ area, positions: ofArea }));
}

/** The most frequent spelling; of equally frequent ones the first. */
function toUsualName(names: readonly (string | null)[]): string {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[usual] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
  return usual;
}

const slugLengthMax = 80;

/** As slugs of events, but letters of other scripts stay: they are percent-encoded in URLs. */
function toNameSlug(name: string): string {
  const hasLatin = /\p{Script=Latin}/u.test(name);
  const latin = hasLatin ? slugify(name.slice(0, slugLengthMax * 2), { decamelize: false }) : '';
  const letters = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-');
  const slug = latin === '' ? letters.replace(/^-+/, '') : latin;
  return [...slug].slice(0, slugLengthMax).join('').replace(/-+$/, '');
}

function toFreeSlug(base: string, taken: Set<string>): string {
  let slug = base;
  for (let number = 2; taken.has(slug); number++) slug = `${base}-${number}`;
  taken.add(slug);
  return slug;
}
