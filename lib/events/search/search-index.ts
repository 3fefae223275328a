import { projectTypeNames, projectTypeSynonyms } from '../model/project-type-names.ts';
import type { EventDraft } from '../model/schema.ts';
import { foldText } from './fold-text.ts';
import { findCity } from './place-names.ts';

/** What a search reads of all events. Texts are folded, and by position. */
export type SearchIndex = Readonly<{
  /** Names, descriptions and what else `q` finds. */
  texts: readonly string[];
  names: readonly string[];
  /** Empty for an event without a place. */
  places: readonly string[];
  /** The cities of all events, as they are written; each once. */
  cities: readonly string[];
}>;

/** Collects what a search reads, event by event. */
export function createSearchIndex() {
  const texts: string[] = [];
  const names: string[] = [];
  const places: string[] = [];
  const cities = new Map<string, string>();
  return {
    add(draft: EventDraft): void {
      const location = draft.inPerson?.location ?? '';
      texts.push(toSearchText(draft));
      names.push(foldText(draft.name));
      places.push(foldText(location));
      const city = findCity(location);
      if (city !== null && !cities.has(foldText(city))) cities.set(foldText(city), city);
    },
    read: (): SearchIndex => ({ texts, names, places, cities: [...cities.values()] }),
  };
}

function toSearchText(draft: EventDraft): string {
  const { name, description, requirements, inPerson, slackChannel } = draft;
  const parts = [name, description, requirements, inPerson?.location, slackChannel];
  const types = draft.projectTypes.flatMap((type) => [
    type,
    projectTypeNames[type],
    projectTypeSynonyms[type],
  ]);
  return foldText([...parts, ...types].filter(Boolean).join('\n'));
}
