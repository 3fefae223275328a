import { type Named, reservedSlugs, toNameSlug, toNumberedSlug, toSlugBase } from './slug-names.ts';
import type { SlugRow } from './slug-rows.ts';

/** The slugs that events have already: those that they got for the name that they have. */
export function findOwnSlugs(
  events: readonly Named[],
  rows: readonly SlugRow[],
): Map<string, string> {
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id);
  const slugs = new Map<string, string>();
  for (const event of events) {
    const [own] = (byEvent.get(event.id) ?? [])
      .filter((row) => !reservedSlugs.has(row.slug) && isOfName(row, event))
      .sort((a, b) => b.read_at - a.read_at);
    if (own !== undefined) slugs.set(event.id, own.slug);
  }
  return slugs;
}

function isOfName({ slug, name }: SlugRow, event: Named): boolean {
  if (name === event.name) return true;
  const nameSlug = toNameSlug(event);
  if (name !== null) return toNameSlug({ ...event, name }) === nameSlug;
  // Version 1.0 did not store names.
  return slug === nameSlug || (slug.startsWith(nameSlug) && isNumber(slug.slice(nameSlug.length)));
}

function isNumber(suffix: string): boolean {
  return /^-[1-9]\d*$/.test(suffix);
}

type AssignOptions = Readonly<{
  /** Who has or had these slugs. */
  findOwners: (slugs: readonly string[]) => Promise<readonly SlugRow[]>;
  /** Whether a slug that somebody has or had may be given to another event. */
  isFree: (owner: SlugRow) => boolean;
}>;

/** For each event the first slug of its name that nobody has. @param events in the order of their announcement. */
export async function assignSlugs(
  events: readonly Named[],
  { findOwners, isFree }: AssignOptions,
): Promise<Map<string, string>> {
  const byBase = Map.groupBy(events, toSlugBase);
  const owners = new Map<string, SlugRow>();
  const load = async (slugs: readonly string[]) => {
    for (const row of await findOwners(slugs)) owners.set(row.slug, row);
  };
  await load([...byBase.keys()]);
  const assigned = new Map<string, string>();
  const taken = new Set<string>();
  const isTaken = (slug: string) => {
    const owner = owners.get(slug);
    return taken.has(slug) || (owner !== undefined && !isFree(owner));
  };
  for (const [base, ofBase] of byBase) {
    let number = 1;
    let loaded = 1;
    for (const { id } of ofBase) {
      while (isTaken(toNumberedSlug(base, number))) {
        number++;
        if (number <= loaded) continue;
        await load(listNumbers(base, number, ofBase.length));
        loaded = number + ofBase.length - 1;
      }
      const slug = toNumberedSlug(base, number);
      taken.add(slug);
      assigned.set(id, slug);
    }
  }
  return assigned;
}

function listNumbers(base: string, first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => toNumberedSlug(base, first + index));
}
