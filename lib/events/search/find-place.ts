import type { Position } from '../model/position.ts';
import type { SearchVocabulary } from '../source/search-index.ts';
import { findLargestCity, listCityKeys } from '../words/cities.ts';
import { parseCountry } from '../words/parse-country.ts';
import { listBaseForms } from '../words/split-text.ts';
import { findTerritory, type Territory, toCountry } from '../words/territories.ts';
import { toTitle } from './search-words.ts';

/** A place that a search names. */
export type PlaceMeaning =
  | Readonly<{ kind: 'city'; value: string; keys: readonly string[] }>
  | Readonly<{ kind: 'country' | 'region' | 'worldPart'; value: Territory }>;

/** The kinds of what is somewhere. */
export const placeKinds: ReadonlySet<string> = new Set([
  'city',
  'country',
  'near',
  'region',
  'worldPart',
]);

/** The label is null for a city without events, which is called as it was typed. */
type FoundPlace = Readonly<{ meaning: PlaceMeaning; label: string | null }>;

export type PlaceContext = Readonly<{
  vocabulary: SearchVocabulary;
  /** The city that stands before the words, if there is one. */
  city: string | null;
  /** Whether an event's text has a folded word: then a city without events is not meant. */
  isKnown: (word: string) => boolean;
}>;

/** Shorter ones, and those with a letter of their own (“i ran”), may be other words. `Genf`, `Wien` and `Köln` have four. */
const isForeignName =
  /^(?!(?:.*\s)?\p{L}(?:\s|$)).{4,}$|[\p{sc=Han}\p{sc=Kana}\p{sc=Hang}\p{sc=Arab}]{2}/u;

/** A city, however it is spelled; a state, a country, or a part of the world. */
export function findPlace(phrase: string, context: PlaceContext): FoundPlace | null {
  for (const form of listBaseForms(phrase)) {
    const place = findPlaceOf(form, context);
    if (place !== null)
      return form === phrase ? place : { ...place, label: place.label ?? toTitle(form) };
  }
  return null;
}

function findPlaceOf(phrase: string, context: PlaceContext): FoundPlace | null {
  const territory = findTerritory(phrase, context.city);
  // `Seattle Washington` is one place.
  const isState = context.city !== null && territory?.kind === 'region';
  const city = isState ? null : findEventCity(phrase, context.vocabulary);
  if (city !== null) return city;
  const found = territory ?? findForeignCountry(phrase);
  if (found === null) return findOtherCity(phrase, context);
  return { meaning: { kind: found.kind, value: found.territory }, label: found.label };
}

function findEventCity(phrase: string, vocabulary: SearchVocabulary): FoundPlace | null {
  const city = vocabulary.cities.get(phrase);
  const keys = listCityKeys(phrase).filter((key) => vocabulary.citiesByKey.has(key));
  const [key] = keys;
  if (city === undefined && (key === undefined || !isForeignName.test(phrase))) return null;
  const label = city ?? vocabulary.citiesByKey.get(key ?? '') ?? phrase;
  return { meaning: { kind: 'city', value: phrase, keys }, label };
}

function findForeignCountry(phrase: string) {
  const country = isForeignName.test(phrase) ? parseCountry(phrase) : null;
  return country === null ? null : toCountry(country);
}

/** A city of the world where nothing is on. */
function findOtherCity(phrase: string, { isKnown }: PlaceContext): FoundPlace | null {
  if (!isForeignName.test(phrase) || findLargestCity(phrase) === null || isKnown(phrase)) {
    return null;
  }
  return { meaning: { kind: 'city', value: phrase, keys: [] }, label: null };
}

/** Where a city is, and its name if it was typed otherwise. */
export type NearPlace = Readonly<{ center: Position; name: string | null }>;

/** A city of events, or the largest one of a folded name. */
export function findNearPlace(phrase: string, vocabulary: SearchVocabulary): NearPlace | null {
  for (const form of listBaseForms(phrase)) {
    const keys = listCityKeys(form);
    const key = keys.find((key) => vocabulary.citiesByKey.has(key)) ?? '';
    const center = vocabulary.cityPositions.get(key) ?? findLargestCity(form);
    if (center === null) continue;
    const own = form === phrase ? null : toTitle(form);
    return { center, name: vocabulary.citiesByKey.get(key) ?? own };
  }
  return null;
}
