import leven from 'leven';
import type { MarqueeEvent } from '../model/schema.ts';

const nameLengthMax = 120;
/** Comparing with every slug of a huge table would hold up everyone else: the newest have to do. */
const comparedMax = 2000;
const wordLengthMin = 4;

type Named = Pick<MarqueeEvent, 'id' | 'slug' | 'name'>;

/**
 * Events whose slugs are near to one that does not exist: by spelling, or by words that they share.
 * @param events in the order of their announcement.
 */
export function findNearest<Event extends Named>(
  events: readonly Event[],
  given: string,
  countMax: number,
): Event[] {
  const slug = given.toLowerCase();
  if (slug.length > nameLengthMax) return [];
  const words = slug.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= wordLengthMin);
  return events
    .slice(-comparedMax)
    .map((event) => ({ event, distance: toDistance(event.slug, slug, words) }))
    .filter(({ distance }) => distance <= 0.5)
    .sort((a, b) => a.distance - b.distance || (a.event.id < b.event.id ? -1 : 1))
    .slice(0, countMax)
    .map(({ event }) => event);
}

// 0: the same. Words in common count, in whatever order; so does the share of letters that are right.
function toDistance(slug: string, given: string, words: readonly string[]): number {
  const known = slug.split('-');
  const shared = words.filter((word) => known.includes(word)).length;
  const byWords = words.length === 0 ? 1 : 1 - shared / words.length;
  const byLetters = leven(slug, given) / Math.max(slug.length, given.length, 1);
  return Math.min(byWords, byLetters);
}
