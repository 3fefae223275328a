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
  const toDistances = listWords(slug).map(createWordDistance);
  return events
    .slice(-comparedMax)
    .map((event) => ({ event, distance: toDistance(event.slug, slug, toDistances) }))
    .filter(({ distance }) => distance <= differenceMax)
    .sort((a, b) => a.distance - b.distance || compareText(a.event.id, b.event.id))
    .slice(0, countMax)
    .map(({ event }) => event);
}

function listWords(slug: string): string[] {
  const words = slug.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const long = words.filter((word) => word.length >= wordLengthMin);
  return long.length === 0 ? words : long;
}

type WordDistance = (slugWords: readonly string[]) => number;

// 0: equal. The lower of two shares counts: words missing or misspelled, and letters that differ.
function toDistance(slug: string, input: string, toDistances: readonly WordDistance[]): number {
  const known = slug.split('-');
  const distances = toDistances.map((toNearest) => toNearest(known));
  // All letters are compared only where a word is similar: that takes 20 ms for 2,000 slugs.
  if (distances.every((distance) => distance === 1)) return 1;
  const byWords = distances.reduce((sum, one) => sum + one, 0) / distances.length;
  const length = Math.max(slug.length, input.length, 1);
  const maxDistance = Math.floor(length * distanceMax) + 1;
  return Math.min(byWords, leven(slug, input, { maxDistance }) / length);
}

/** How far a word is from the nearest of others. Slugs share most of their words: each is compared once. */
function createWordDistance(word: string): WordDistance {
  const compared = new Map<string, number>();
  const toShare = (known: string) => {
    const found = compared.get(known);
    if (found !== undefined) return found;
    const share = leven(known, word) / Math.max(known.length, word.length, 1);
    compared.set(known, share);
    return share;
  };
  return (slugWords) => {
    const nearest = Math.min(1, ...slugWords.map(toShare));
    return nearest > wordDistanceMax ? 1 : nearest;
  };
}
