import slugify from '@sindresorhus/slugify';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';

/** Other routes under `/api/v1/events/`. Those with a dot cannot be slugs anyway. */
export const reservedSlugs: ReadonlySet<string> = new Set(['rss', 'changes']);

const slugLengthMax = 80;

export type Named = Readonly<{ id: string; name: string }>;

/**
 * Slugs by the names alone: transliterated to `[a-z0-9]` and hyphens. If several events have the same name, the
 * second one gets `-2`, the third `-3` and so on.
 * @param events in the order of their announcement.
 * @returns record id → slug.
 */
export function toSlugs(
  events: readonly Named[],
  yieldWhenDue: YieldWhenDue,
): Promise<Map<string, string>> {
  return numberSlugs(events, { toBase: toSlugBase, yieldWhenDue });
}

type NumberOptions<Event> = Readonly<{
  toBase: (event: Event) => string;
  /** Slugs that are used already. */
  taken?: Iterable<string>;
  yieldWhenDue: YieldWhenDue;
}>;

/** Gives each event its base, with the next free number if that is taken. */
export async function numberSlugs<Event extends Named>(
  events: readonly Event[],
  { toBase, taken: used = [], yieldWhenDue }: NumberOptions<Event>,
): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  const taken = new Set(used);
  const numbers = new Map<string, number>();
  for (const event of events) {
    const base = toBase(event);
    let number = numbers.get(base) ?? 1;
    while (taken.has(toNumberedSlug(base, number))) number++;
    numbers.set(base, number + 1);
    const slug = toNumberedSlug(base, number);
    taken.add(slug);
    slugs.set(event.id, slug);
    await yieldWhenDue();
  }
  return slugs;
}

export function toNumberedSlug(base: string, number: number): string {
  return number === 1 ? base : `${base}-${number}`;
}

/** A slug with fewer letters says nothing: of `크래프톤 정글 8기 모집` only the 8 is left. */
const lettersMin = 3;

/** The slug that an event’s name gives, if nothing else has it: the id, if the name has hardly any Latin letters. */
export function toSlugBase(event: Named): string {
  const slug = toNameSlug(event);
  if (slug.replace(/[^a-z]/g, '').length < lettersMin) return event.id.toLowerCase();
  return reservedSlugs.has(slug) ? `${slug}-event` : slug;
}

/** Whatever is reserved: it stays the same when more words are. */
export function toNameSlug(event: Named): string {
  // The rest of a very long name is cut off anyway.
  const name = event.name.slice(0, slugLengthMax * 2).normalize('NFKC');
  return shortenSlug(slugify(name, { decamelize: false })) || event.id.toLowerCase();
}

// Cuts at the last hyphen, if that is in the second half.
function shortenSlug(slug: string): string {
  if (slug.length <= slugLengthMax) return slug;
  const cut = slug.slice(0, slugLengthMax);
  const lastHyphen = cut.lastIndexOf('-');
  return lastHyphen > slugLengthMax / 2 ? cut.slice(0, lastHyphen) : cut.replace(/-+$/, '');
}
