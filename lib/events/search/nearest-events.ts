import leven from 'leven';
import { compareText } from '../model/compare-text.ts';
import type { MarqueeEvent } from '../model/schema.ts';

const nameLengthMax = 120;
/** Only the newest events of a huge table are compared, to bound the time that it takes. */
const comparedMax = 2000;
const wordLengthMin = 4;
/** Words that differ more count as different words. */
const wordDistanceMax = 0.4;
const distanceMax = 0.5;

type Named = Pick<MarqueeEvent, 'id' | 'slug' | 'name'>;

/**
 * Events whose slugs are similar to an unknown one: by spelling, or by words in common.
 * @param events in the order of their announcement.
 * @param differenceMax how different they may be, 0–0.5.
 */
export function findNearestEvents<Event extends Named>(
  events: readonly Event[],
  input: string,
  countMax: number,
  differenceMax = distanceMax,
): Event[] {
  const slug = input.toLowerCase();
  if (slug.length > nameLengthMax) return [];
  const words = slug.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= wordLengthMin);
  return events
    .slice(-comparedMax)
    .map((event) => ({ event, distance: toDistance(event.slug, slug, words) }))
    .filter(({ distance }) => distance <= differenceMax)
    .sort((a, b) => a.distance - b.distance || compareText(a.event.id, b.event.id))
    .slice(0, countMax)
    .map(({ event }) => event);
}

// 0: equal. The lower of two shares counts: words missing or misspelled, and letters that differ.
function toDistance(slug: string, input: string, words: readonly string[]): number {
  const known = slug.split('-');
  const distances = words.map((word) => toWordDistance(word, known));
  const byWords =
    words.length === 0 ? 1 : distances.reduce((sum, one) => sum + one, 0) / words.length;
  const length = Math.max(slug.length, input.length, 1);
  const maxDistance = Math.floor(length * distanceMax) + 1;
  return Math.min(byWords, leven(slug, input, { maxDistance }) / length);
}

function toWordDistance(word: string, known: readonly string[]): number {
  const distances = known.map((one) => leven(one, word) / Math.max(one.length, word.length, 1));
  const nearest = Math.min(1, ...distances);
  return nearest > wordDistanceMax ? 1 : nearest;
}
