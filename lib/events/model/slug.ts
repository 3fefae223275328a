import slugify from '@sindresorhus/slugify';
import type { YieldWhenDue } from '#lib/http/timing/time-slices.ts';

/** Other routes under `/api/v1/events/`. Those with a dot cannot be slugs anyway. */
export const reservedSlugs: ReadonlySet<string> = new Set(['rss']);

const slugLengthMax = 80;

type Named = Readonly<{ id: string; name: string }>;

/**
 * Gives every event a unique slug: its name transliterated to `[a-z0-9]` and hyphens. If several events
 * have the same name, the second one gets `-2`, the third `-3` and so on.
 * @param events in the order of their announcement.
 * @returns record id → slug.
 */
export async function toSlugs(
  events: readonly Named[],
  yieldWhenDue: YieldWhenDue,
): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  const taken = new Set<string>();
  const nextNumber = new Map<string, number>();
  for (const event of events) {
    const base = toSlugBase(event);
    let slug = base;
    while (taken.has(slug)) {
      const number = nextNumber.get(base) ?? 2;
      nextNumber.set(base, number + 1);
      slug = `${base}-${number}`;
    }
    taken.add(slug);
    slugs.set(event.id, slug);
    await yieldWhenDue();
  }
  return slugs;
}

function toSlugBase(event: Named): string {
  // The rest of a very long name is cut off anyway.
  const name = event.name.slice(0, slugLengthMax * 2).normalize('NFKC');
  const slug = shorten(slugify(name, { decamelize: false }));
  if (slug === '') return event.id.toLowerCase();
  return reservedSlugs.has(slug) ? `${slug}-event` : slug;
}

// Cuts at the last hyphen, if that is in the second half.
function shorten(slug: string): string {
  if (slug.length <= slugLengthMax) return slug;
  const cut = slug.slice(0, slugLengthMax);
  const lastHyphen = cut.lastIndexOf('-');
  return lastHyphen > slugLengthMax / 2 ? cut.slice(0, lastHyphen) : cut.replace(/-+$/, '');
}
