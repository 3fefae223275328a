import type { Position } from '../model/position.ts';
import type { SearchVocabulary } from '../source/search-index.ts';
import { listCityKeys } from '../words/cities.ts';
import { findLargestCity } from '../words/city-positions.ts';
import { parseCountry } from '../words/parse-country.ts';
import { findTerritory, type Territory, toCountry } from '../words/territories.ts';

/** A place that a search names. */
export type PlaceMeaning =
  | Readonly<{ kind: 'city'; value: string; keys: readonly string[] }>
  | Readonly<{ kind: 'country' | 'region' | 'worldPart'; value: Territory }>;

type FoundPlace = Readonly<{ meaning: PlaceMeaning; label: string }>;

export type PlaceContext = Readonly<{
  vocabulary: SearchVocabulary;
  /** The city that stands before the words, if there is one. */
  city: string | null;
}>;

/** Shorter ones, and those with a letter of their own (“i ran”), may be other words. `Genf`, `Wien` and `Köln` have four. */
const isForeignName = /^(?!(?:.*\s)?\p{L}(?:\s|$)).{4,}$/u;

/** A city of events, however it is spelled; a state, a country, or a part of the world. */
export function findPlace(phrase: string, context: PlaceContext): FoundPlace | null {
  const territory = findTerritory(phrase, context.city);
  // `Seattle Washington` is one place.
  const isState = context.city !== null && territory?.kind === 'region';
  const city = isState ? null : findEventCity(phrase, context.vocabulary);
  if (city !== null) return city;
  const found = territory ?? findForeignCountry(phrase);
  return found && { meaning: { kind: found.kind, value: found.territory }, label: found.label };
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

/** Where a city is, and its name if events are there. */
export type NearPlace = Readonly<{ center: Position; name: string | null }>;

/** A city of events, or the largest one of a folded name. */
export function findNearPlace(phrase: string, vocabulary: SearchVocabulary): NearPlace | null {
  const keys = listCityKeys(phrase);
  const key = keys.find((key) => vocabulary.citiesByKey.has(key)) ?? '';
  const center = vocabulary.cityPositions.get(key) ?? findLargestCity(phrase);
  return center && { center, name: vocabulary.citiesByKey.get(key) ?? null };
}
