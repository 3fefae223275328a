import { createDistanceTest, parsePosition } from '../model/position.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { type EventsQuery, withinDefaultKm } from '../query/events-query.ts';
import { type NameIndex, nameKinds, toCurrentPlace, toNameKey } from '../source/name-index.ts';
import { parseCountry } from '../words/countries.ts';

/** @param position of the event in its snapshot. */
type PlaceTest = (event: MarqueeEvent, position: number) => boolean;

/** What a query says about where events are and who runs them. */
export function toPlaceTests(query: EventsQuery, { keys }: NameIndex): PlaceTest[] {
  const tests: PlaceTest[] = [];
  for (const kind of nameKinds) {
    const name = query[kind];
    if (name === undefined) continue;
    const key = toNameKey(name);
    tests.push((_, position) => keys[kind][position] === key);
  }
  const { country, near, within = withinDefaultKm } = query;
  if (country !== undefined) {
    const code = parseCountry(country);
    tests.push((event) => code !== null && toCurrentPlace(event)?.country === code);
  }
  const center = near === undefined ? null : parsePosition(near);
  if (center === null) return tests;
  const isNear = createDistanceTest(center, within);
  tests.push((event) => {
    const { latitude = null, longitude = null } = toCurrentPlace(event) ?? {};
    return latitude !== null && longitude !== null && isNear({ latitude, longitude });
  });
  return tests;
}
