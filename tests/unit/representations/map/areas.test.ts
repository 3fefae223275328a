import { expect, test } from 'vitest';
import {
  type Continent,
  continents,
  findBusiestPositions,
  parseArea,
  selectCities,
  toAreaName,
  toMapPath,
} from '#lib/representations/map/areas.ts';
import { makeDraft, makeRecordId } from '../../../support/factories/draft-factory.ts';
import { makePlace } from '../../../support/factories/event-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

test.for([
  ['', { kind: 'start' }, '/map'],
  ['World', { kind: 'world' }, '/map?area=world'],
  ['europe', { kind: 'continent', id: 'europe' }, '/map?area=europe'],
  ['North America', { kind: 'continent', id: 'north-america' }, '/map?area=north-america'],
  ['be', { kind: 'country', code: 'BE' }, '/map?area=BE'],
  ['UK', { kind: 'country', code: 'GB' }, '/map?area=GB'],
] as const)('“%s” is an area', ([text, area, path]) => {
  expect(parseArea(text)).toEqual(area);
  expect(toMapPath({ area, hasPast: false })).toBe(path);
});

test.for(['atlantis', 'unknown', 'EU', '<b>', '51,4'])('“%s” is none', (text) => {
  expect(parseArea(text)).toBeNull();
});

test('every continent has a name', () => {
  for (const id of continents) expect(toAreaName({ kind: 'continent', id })).toMatch(/^[A-Z]/);
});

test('a city is on the continent of its country, though maps overlap; Russia has two', async () => {
  const cityOf = (name: string, country: string, latitude: number, longitude: number) => ({
    place: makePlace({ city: name, country, latitude, longitude }),
  });
  const places = [
    cityOf('Kyiv', 'UA', 50.45, 30.52),
    cityOf('Cairo', 'EG', 30.04, 31.24),
    cityOf('Tokyo', 'JP', 35.68, 139.69),
    cityOf('Honolulu', 'US', 21.3, -157.9),
    cityOf('Vladivostok', 'RU', 43.12, 131.89),
    cityOf('Reykjavik', 'IS', 64.15, -21.94),
    cityOf('Limassol', 'CY', 34.68, 33.04),
    cityOf('Victoria', 'SC', -4.62, 55.45),
    cityOf('Kupang', 'ID', -10.17, 123.6),
    cityOf('Samara', 'RU', 53.2, 50.15),
  ];
  const drafts = places.map((place, index) => makeDraft({ id: makeRecordId(index), ...place }));
  const snapshot = await makeSnapshot(drafts, '2026-12-13');
  const citiesOf = (id: Continent) =>
    selectCities(snapshot, { area: { kind: 'continent', id }, hasPast: true })
      .map(({ group }) => group.name)
      .sort();
  expect(citiesOf('asia')).toEqual(['Kupang', 'Tokyo', 'Vladivostok']);
  expect(citiesOf('africa')).toEqual(['Cairo', 'Victoria']);
  expect(citiesOf('europe')).toEqual(['Kyiv', 'Limassol', 'Reykjavik', 'Samara']);
  expect(citiesOf('oceania')).toEqual([]);
  expect(citiesOf('north-america')).toEqual(['Honolulu']);
});

test('a map starts where half of what is coming is, and shows past events on demand', async () => {
  const draftIn = (id: string, country: string, longitude: number, startDate: string) =>
    makeDraft({
      id,
      startDate,
      endDate: startDate,
      place: makePlace({ city: `City of ${id}`, country, latitude: 50, longitude }),
    });
  const drafts = [
    draftIn('recBelgium', 'BE', 4, '2026-12-20'),
    draftIn('recFrance', 'FR', 2, '2026-12-20'),
    draftIn('recCanada', 'CA', -100, '2026-12-20'),
    draftIn('recPast', 'CA', -101, '2026-11-20'),
  ];
  const snapshot = await makeSnapshot(drafts, '2026-12-13');
  const area = { kind: 'start' } as const;
  const ahead = selectCities(snapshot, { area, hasPast: false });
  expect(ahead).toHaveLength(3);
  expect(selectCities(snapshot, { area, hasPast: true })).toHaveLength(4);
  expect(findBusiestPositions(ahead).map(({ longitude }) => longitude)).toEqual([4, 2]);
  expect(findBusiestPositions([])).toEqual([]);
});

test('past events are part of a path', () => {
  expect(toMapPath({ area: { kind: 'start' }, hasPast: true })).toBe('/map?past=true');
  expect(toMapPath({ area: { kind: 'country', code: 'BE' }, hasPast: true }, '.md')).toBe(
    '/map.md?area=BE&past=true',
  );
});
