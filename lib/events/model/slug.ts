import slugify from '@sindresorhus/slugify';
import type { YieldWhenDue } from '../store/time-slices.ts';

/** Last segments of `/api/v1/events/…` that mean something else. Those with a dot can never be slugs. */
export const reservedSlugs: ReadonlySet<string> = new Set(['rss']);

const slugLengthMax = 80;

type Named = Readonly<{ id: string; name: string }>;

/**
 * Gives every event a slug of its own: its name transliterated to `[a-z0-9]` and hyphens. Of several
 * events with one slug the first keeps it, the next ones get `-2`, `-3` ….
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
  // Only the front of a very long name can end up in the slug.
  const name = event.name.slice(0, slugLengthMax * 2).normalize('NFKC');
  const slug = shorten(slugify(name, { decamelize: false }));
  if (slug === '') return event.id.toLowerCase();
  return reservedSlugs.has(slug) ? `${slug}-event` : slug;
}

// A cut falls between words where there is one in the second half.
function shorten(slug: string): string {
  if (slug.length <= slugLengthMax) return slug;
  const cut = slug.slice(0, slugLengthMax);
  const lastHyphen = cut.lastIndexOf('-');
  return lastHyphen > slugLengthMax / 2 ? cut.slice(0, lastHyphen) : cut.replace(/-+$/, '');
}
