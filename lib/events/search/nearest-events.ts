import leven from 'leven';
import { compareText } from '../model/dates.ts';
import type { MarqueeEvent } from '../model/schema.ts';

const nameLengthMax = 120;
/** Only the newest events of a huge table are compared, to bound the time that it takes. */
const comparedMax = 2000;
/** All letters are compared only of those with the nearest words, the newest first. */
const lettersComparedMax = 500;
const wordLengthMin = 4;
/** Words that differ more count as different words. */
const wordDistanceMax = 0.4;
const distanceMax = 0.5;

type Named = Pick<MarqueeEvent, 'id' | 'slug' | 'name'>;

/**
 * Events whose slugs are similar to an unknown one: by spelling, or by words in common.
 * @param events in the order of their announcement.
 */
export function findNearestEvents<Event extends Named>(
  events: readonly Event[],
  input: string,
  countMax: number,
): Event[] {
  const slug = input.toLowerCase();
  if (slug.length > nameLengthMax) return [];
  const slugsByWord = indexSlugs(events);
  const distances = listWords(slug).map((word) => toWordDistances(slugsByWord, word));
  const byWords = events.slice(-comparedMax).flatMap((event) => {
    const sum = distances.reduce((total, bySlug) => total + (bySlug.get(event.slug) ?? 1), 0);
    return sum === distances.length ? [] : [{ event, distance: sum / distances.length }];
  });
  return byWords
    .reverse()
    .sort((a, b) => a.distance - b.distance)
    .slice(0, lettersComparedMax)
    .map(({ event, distance }) => {
      const letters = toShare(event.slug, slug);
      return { event, letters, distance: Math.min(distance, letters) };
    })
    .filter(({ distance }) => distance <= distanceMax)
    .sort(
      (a, b) =>
        a.distance - b.distance || a.letters - b.letters || compareText(a.event.id, b.event.id),
    )
    .slice(0, countMax)
    .map(({ event }) => event);
}

function listWords(slug: string): string[] {
  const words = slug.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  const long = words.filter((word) => word.length >= wordLengthMin);
  return long.length === 0 ? words : long;
}

type SlugsByWord = ReadonlyMap<string, readonly string[]>;
const indexes = new WeakMap<readonly Named[], SlugsByWord>();

/** The slugs that have a word: once for each list of events, since anybody can request unknown slugs. */
function indexSlugs(events: readonly Named[]): SlugsByWord {
  const indexed = indexes.get(events);
  if (indexed !== undefined) return indexed;
  const slugsByWord = new Map<string, string[]>();
  for (const { slug } of events.slice(-comparedMax)) {
    for (const word of slug.split('-')) {
      const slugs = slugsByWord.get(word);
      if (slugs === undefined) slugsByWord.set(word, [slug]);
      else slugs.push(slug);
    }
  }
  indexes.set(events, slugsByWord);
  return slugsByWord;
}

type DistanceBySlug = ReadonlyMap<string, number>;

/** How far a word is from the nearest one of each slug, 0–1; without the slugs that have no similar word. */
function toWordDistances(slugsByWord: SlugsByWord, word: string): DistanceBySlug {
  const distances = new Map<string, number>();
  for (const [known, slugs] of slugsByWord) {
    const length = Math.max(known.length, word.length, 1);
    if (Math.abs(known.length - word.length) > length * wordDistanceMax) continue;
    const distance = leven(known, word) / length;
    if (distance > wordDistanceMax) continue;
    for (const slug of slugs) distances.set(slug, Math.min(distance, distances.get(slug) ?? 1));
  }
  return distances;
}

/** How many letters of the longer one differ, 0–1. */
function toShare(slug: string, input: string): number {
  const length = Math.max(slug.length, input.length);
  return leven(slug, input, { maxDistance: Math.floor(length * distanceMax) + 1 }) / length;
}
