import { expect, test } from 'vitest';
import { toMapLinks } from '#lib/events/view/city-marks.ts';

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
