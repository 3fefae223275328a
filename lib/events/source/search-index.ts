import { listFields } from '../model/field-lists.ts';
import { type Position, toPosition } from '../model/position.ts';
import { projectTypeNames, projectTypeSynonyms } from '../model/project-type-names.ts';
import type { EventDraft, EventFormat } from '../model/schema.ts';
import type { FactChoice, FactFilter } from '../query/fact-filters.ts';
import { type Ages, isForKids, parseAges } from '../words/ages.ts';
import { findCity, listCityCountries, toCityKey } from '../words/cities.ts';
import { foldText } from '../words/fold-text.ts';
import { parseCountryName } from '../words/parse-country.ts';
import { parsePlaceless, toKnownFormat } from '../words/placeless.ts';
import { toPriceKind } from '../words/price.ts';
import { toNameWords } from '../words/split-text.ts';

/** What a search reads of all events. Texts are folded, and by position. */
export type SearchIndex = Readonly<{
  /** Names, descriptions and what else `q` finds. */
  texts: readonly string[];
  names: readonly string[];
  /** By the words of a name, or of its part before a colon or a comma: the events that are called so. */
  positionsByName: ReadonlyMap<string, readonly number[]>;
  /** Cities and names of places; empty for an event without them. */
  places: readonly string[];
  /** Names of organizers; empty for an event without one. */
  organizers: readonly string[];
  /** Names of series; empty for an event without one. */
  series: readonly string[];
  /** Of their own cells, or as their locations say. */
  formats: readonly (EventFormat | null)[];
  /** The choice of each filter by facts that an event passes; null without one. */
  facts: Facts;
  /** Whether events say that they need no experience. */
  isForBeginners: readonly boolean[];
  /** Whom events are for; null if that is unknown. */
  ages: readonly (Ages | null)[];
  /** Of cities, the same for all spellings; empty without one. */
  cityKeys: readonly string[];
  /** ISO 3166-1 codes. */
  countries: readonly (string | null)[];
  /** States, of their own cells or by the city. */
  regions: readonly (string | null)[];
  /** Coordinates, of their own cells or of the city; null without either, and for an event that was moved online. */
  positions: readonly (Position | null)[];
  /** Who runs events, and the cities where: folded, with how they are written. */
  vocabulary: SearchVocabulary;
}>;

/** Names that a search understands. */
export type SearchVocabulary = Readonly<{
  cities: ReadonlyMap<string, string>;
  /** The same by their keys. */
  citiesByKey: ReadonlyMap<string, string>;
  organizers: ReadonlyMap<string, string>;
  series: ReadonlyMap<string, string>;
  /** By their keys: where cities are, as the first event there says. */
  cityPositions: ReadonlyMap<string, Position>;
}>;

type Facts = Readonly<{ [Name in FactFilter]: (FactChoice<Name> | null)[] }>;

function addFacts(facts: Facts, { price, audience, placesLeft }: EventDraft): void {
  facts.price.push(toPriceKind(price));
  facts.audience.push(isForKids(audience) ? 'kids' : null);
  facts.hasPlaces.push(placesLeft !== null && placesLeft > 0 ? 'true' : null);
}

/** Collects what a search reads, event by event. */
export function createSearchIndex() {
  const texts: string[] = [];
  const names: string[] = [];
  const places: string[] = [];
  const countries: (string | null)[] = [];
  const regions: (string | null)[] = [];
  const positions: (Position | null)[] = [];
  const organizers: string[] = [];
  const series: string[] = [];
  const positionsByName = new Map<string, number[]>();
  const facts: Facts = { price: [], audience: [], hasPlaces: [] };
  const formats: (EventFormat | null)[] = [];
  const isForBeginners: boolean[] = [];
  const ages: (Ages | null)[] = [];
  const cityKeys: string[] = [];
  const vocabulary = {
    cities: new Map<string, string>(),
    citiesByKey: new Map<string, string>(),
    organizers: new Map<string, string>(),
    series: new Map<string, string>(),
    cityPositions: new Map<string, Position>(),
  };
  return {
    add(draft: EventDraft): void {
      const { city, country } = toPlaceNames(draft);
      texts.push(toSearchText(draft));
      for (const name of listNames(draft.name)) {
        const others = positionsByName.get(name);
        if (others === undefined) positionsByName.set(name, [names.length]);
        else others.push(names.length);
      }
      names.push(foldText(draft.name));
      places.push(foldText([draft.inPerson?.location, city].filter(Boolean).join('\n')));
      countries.push(country);
      const organizer = draft.organizer?.name ?? null;
      organizers.push(foldText(organizer ?? ''));
      series.push(foldText(draft.series ?? ''));
      formats.push(toKnownFormat(draft));
      addFacts(facts, draft);
      ages.push(parseAges(draft.audience));
      isForBeginners.push(beginnersWords.test(texts.at(-1) ?? ''));
      const key = city === null ? '' : toCityKey(city, country);
      const known = key === '' || country === null ? null : findCity(key, country);
      regions.push(draft.place?.region ?? known?.region ?? null);
      const position = toPosition(draft) ?? known?.position ?? null;
      positions.push(draft.state === 'moved-online' ? null : position);
      cityKeys.push(key);
      note(vocabulary.cities, city);
      if (city !== null && !vocabulary.citiesByKey.has(key)) vocabulary.citiesByKey.set(key, city);
      if (key !== '' && position !== null && !vocabulary.cityPositions.has(key)) {
        vocabulary.cityPositions.set(key, position);
      }
      note(vocabulary.organizers, organizer);
      note(vocabulary.series, draft.series);
    },
    read: (): SearchIndex => ({
      texts,
      names,
      positionsByName,
      places,
      organizers,
      series,
      facts,
      formats,
      isForBeginners,
      ages,
      cityKeys,
      countries,
      regions,
      positions,
      vocabulary,
    }),
  };
}

/** A name, and what people say of a long one: `Moving Parts: a CAD Sprint`. */
function listNames(name: string): Set<string> {
  const whole = toNameWords(name);
  const [first = ''] = name.split(/[:,，、(|]|\s[-–—]\s/u);
  const short = toNameWords(first);
  return new Set([whole, ...(short.length > 1 ? [short] : [])].map((words) => words.join(' ')));
}

/** What events say that need no experience, folded. */
const beginnersWords =
  /\b(?:beginners?|newcomers?|first[- ]timers?|novices?|no (?:prior )?(?:experience|knowledge)|knowing nothing|anfanger|einsteiger|debutante?s?|principiantes?|iniciantes?|principianti)\b|初心者|初めて|لا خبرة/u;

// The first of several spellings.
function note(names: Map<string, string>, name: string | null): void {
  if (name === null) return;
  const key = foldText(name).replace(/\s+/g, ' ').trim();
  if (key !== '' && !names.has(key)) names.set(key, name);
}

/** A part of a location is a name, not a sentence. */
const cityWordsMax = 4;

type PlaceNames = Readonly<{ city: string | null; country: string | null }>;

/**
 * The city and the country of an event. Where their cells are empty, they are taken from the location: the last of its
 * parts that is neither a country nor has digits. `Platform 4, Zürich` is in Zürich.
 */
function toPlaceNames({ place, inPerson }: EventDraft): PlaceNames {
  const location = inPerson?.location ?? '';
  const isPlace = parsePlaceless(location) === null;
  const parts = isPlace ? location.split(/[,،、，;|/\n]+/u).map((part) => part.trim()) : [];
  const city = place?.city ?? parts.findLast(isCityName) ?? null;
  const country = place?.country ?? parts.map(parseCountryName).find((code) => code !== null);
  return { city, country: country ?? toOnlyCountry(city) };
}

/** The country of a city, where all large cities of that name are in one. */
function toOnlyCountry(city: string | null): string | null {
  const [country = null, ...others] = city === null ? [] : listCityCountries(city);
  return others.length > 0 ? null : country;
}

function isCityName(name: string): boolean {
  const isNoName = /\p{Nd}/u.test(name) || /^[a-z. ]{0,3}$/i.test(name);
  return !isNoName && name.split(/\s+/).length <= cityWordsMax && parseCountryName(name) === null;
}

const searchedFields = listFields('search');

function toSearchText(draft: EventDraft): string {
  const { inPerson, place, organizer } = draft;
  const texts: (string | null)[] = searchedFields.map((field) => draft[field]);
  const parts = [...texts, inPerson?.location, place?.city, organizer?.name];
  const types = draft.projectTypes.flatMap((type) => [
    type,
    projectTypeNames[type],
    projectTypeSynonyms[type],
  ]);
  return foldText([...parts, ...types].filter(Boolean).join('\n'));
}
