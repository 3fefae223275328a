import { expect, test } from 'vitest';
import { findNearCity, toCityMarks, toMapLinks } from '#lib/events/view/city-marks.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

const place = {
  name: 'Market Hall',
  address: 'Main St 1 & 2',
  city: 'Ghent',
  region: null,
  country: 'BE',
  latitude: 51.05,
  longitude: -3.72,
};

test('maps open at the coordinates', () => {
  expect(toMapLinks({ state: 'scheduled', place }).map(({ url }) => url)).toEqual([
    'geo:51.05,-3.72?q=51.05%2C-3.72',
    'https://www.openstreetmap.org/search?query=51.05%2C-3.72',
    'https://www.google.com/maps/search/?api=1&query=51.05%2C-3.72',
    'https://maps.apple.com/?q=51.05%2C-3.72',
  ]);
});

test('without coordinates they look for the address', () => {
  const links = toMapLinks({
    state: 'scheduled',
    place: { ...place, latitude: null, longitude: null },
  });
  expect(links[2]?.url).toContain('query=Main%20St%201%20%26%202%2C%20Ghent%2C%20Belgium');
});

test('there are none for a city alone, nor for an event that was moved online', () => {
  const vague = { ...place, address: null, latitude: null, longitude: null };
  expect(toMapLinks({ state: 'scheduled', place: vague })).toEqual([]);
  expect(toMapLinks({ state: 'moved-online', place })).toEqual([]);
  expect(toMapLinks({ state: 'scheduled', place: null })).toEqual([]);
});

async function makeCities() {
  const draftIn = (id: string, city: string, latitude: number, dates: object) =>
    makeDraft({ id, place: { ...place, city, latitude, longitude: 4 }, ...dates });
  const ahead = { startDate: '2026-12-20', endDate: '2026-12-20' };
  const over = { startDate: '2026-11-20', endDate: '2026-11-20' };
  const drafts = [
    draftIn('recA', 'Ghent', 51, over),
    draftIn('recB', 'Ghent', 51, over),
    draftIn('recC', 'Antwerp', 51.2, ahead),
    draftIn('recD', 'Ghent', 51, ahead),
    draftIn('recE', 'Antwerp', 51.2, { startDate: '2026-12-16', endDate: '2026-12-16' }),
  ];
  return makeSnapshot(drafts, '2026-12-13');
}

test('cities with the most events ahead come first, and these in the order of the directory', async () => {
  const marks = toCityMarks(await makeCities());
  expect(marks.map(({ group, ahead }) => [group.name, ahead.map(({ id }) => id)])).toEqual([
    ['Antwerp', ['recE', 'recC']],
    ['Ghent', ['recD']],
  ]);
});

test('a position is near the city that is closest, and near none where there is none', async () => {
  const snapshot = await makeCities();
  expect(findNearCity(snapshot, '51,4.1')).toBe('Ghent');
  expect(findNearCity(snapshot, '51.2,4')).toBe('Antwerp');
  expect(findNearCity(snapshot, '51.1,4.5')).toBe('Antwerp');
  expect(findNearCity(snapshot, '40,4')).toBeNull();
  expect(findNearCity(snapshot, 'here')).toBeNull();
});

test('a city counts the days on which people meet there, not those online', async () => {
  const draft = makeDraft({
    id: 'recA',
    startDate: '2026-11-09',
    endDate: '2027-01-08',
    inPerson: { start: '2027-01-05', end: '2027-01-07', location: 'Market Hall' },
    place: { ...place, city: 'Ghent' },
  });
  const statusOn = async (day: string) => toCityMarks(await makeSnapshot([draft], day))[0]?.status;
  expect(await statusOn('2026-11-26')).toBe('comingUp');
  expect(await statusOn('2027-01-06')).toBe('onNow');
  expect(await statusOn('2027-01-08')).toBe('past');
});
