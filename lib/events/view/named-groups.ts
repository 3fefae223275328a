import type { EventsQuery } from '../query/events-query.ts';
import { listNameKeys, type NamedGroup, type NameKind, nameKinds } from '../source/name-index.ts';
import type { EventsSnapshot } from '../source/snapshot.ts';
import { toOneLine } from '../words/clean-text.ts';
import { toCountryName } from '../words/countries.ts';

const folders: Readonly<Record<NameKind, string>> = {
  city: '/in',
  organizer: '/by',
  series: '/series',
};

/** The path of a group’s page. */
export function toGroupPath({ kind, slug }: Pick<NamedGroup, 'kind' | 'slug'>): string {
  return `${folders[kind]}/${encodeURIComponent(slug)}`;
}

/** The group that a path names, in any case. @param slug decoded. */
export function findGroup({ names }: EventsSnapshot, kind: NameKind, slug: string) {
  const plain = slug.normalize('NFKC').toLowerCase();
  const keys = listNameKeys(plain.replaceAll('-', ' '), kind);
  const slugs = [plain, ...keys.map((key) => key.replaceAll(' ', '-'))];
  const found = slugs.find((slug) => names.bySlug[kind].has(slug));
  return names.bySlug[kind].get(found ?? '');
}

/** The group whose page has this path. @param path decoded */
export function findGroupAt(snapshot: EventsSnapshot, path: string): NamedGroup | undefined {
  const [, folder, slug = ''] = /^(\/[a-z]+)\/([^/]+)$/.exec(path) ?? [];
  const kind = nameKinds.find((kind) => folders[kind] === folder);
  return kind === undefined ? undefined : findGroup(snapshot, kind, slug);
}

/** The city, organizer and series that an event belongs to; null for none. */
export type GroupsOfEvent = Readonly<Record<NameKind, NamedGroup | null>>;

/** Those that there are. */
export function listGroups({ city, organizer, series }: GroupsOfEvent): NamedGroup[] {
  return [city, organizer, series].filter((group) => group !== null);
}

export function findGroupsOfEvent(
  { names, positionById }: EventsSnapshot,
  id: string,
): GroupsOfEvent {
  const position = positionById.get(id) ?? -1;
  const find = (kind: NameKind) =>
    names.groups.find((group) => group.kind === kind && group.positions.includes(position)) ?? null;
  return { city: find('city'), organizer: find('organizer'), series: find('series') };
}

/** The filters that select a group’s events. */
export function toGroupFilters(group: NamedGroup): EventsQuery {
  const { kind, name, country, region, isAmbiguous } = group;
  if (!isAmbiguous || country === null) return { [kind]: name };
  return { [kind]: name, country: region === null ? country : `${country}-${region}` };
}

/** What a group is called: `Ghent, Belgium`, or `Portland, OR, United States` beside another Portland. */
export function toGroupName({ name, country, region }: NamedGroup): string {
  const countryName = country === null ? null : toCountryName(country);
  const parts = [name, region, countryName === name ? null : countryName];
  return toOneLine(parts.filter((part) => part !== null).join(', '));
}

/** The title of a group’s page: `Events in Ghent, Belgium`. */
export function toGroupTitle(group: NamedGroup): string {
  const name = toGroupName(group);
  if (group.kind === 'city') return `Events in ${name}`;
  return group.kind === 'organizer' ? `Events by ${name}` : `${name}: all events`;
}
