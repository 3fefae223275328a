import { expect, test } from 'vitest';
import { isLargeCity, listCityKeys, toCityKey } from '#lib/events/words/cities.ts';

test.for([
  ['Bangalore', 'Bengaluru', 'IN'],
  ['München', 'Munich', 'DE'],
  ['Muenchen', 'Monaco di Baviera', 'DE'],
  ['Sidney', 'Sydney', 'AU'],
  ['Kyiv', 'Киев', 'UA'],
  ['Würzburg', 'Wuerzburg', 'DE'],
  ['New York', 'New York City', 'US'],
  ['Gent', 'Ghent', 'BE'],
  ['東京', 'Tokio', 'JP'],
  ['Napels', 'Napoli', 'IT'],
] as const)('%s and %s are one city', ([one, other, country]) => {
  expect(toCityKey(one, country)).toBe(toCityKey(other, country));
  expect(toCityKey(one, null)).toBe(toCityKey(other, null));
});

test('a name of a city elsewhere is one of its own', () => {
  expect(toCityKey('Sidney', 'US')).toBe('sidney');
  expect(toCityKey('Monaco', 'MC')).toBe('monaco');
  expect(toCityKey('Ghentville', 'BE')).toBe('ghentville');
  expect(toCityKey('Valencia', 'VE')).toBe(toCityKey('Valencia', 'ES'));
});

test('a search for a name finds the cities of all countries that have it', () => {
  expect(listCityKeys('Sidney')).toEqual(expect.arrayContaining(['sidney', 'sydney']));
  expect(listCityKeys('__proto__')).toEqual(['proto']);
});

test('large cities are known by country', () => {
  expect(isLargeCity('Berlin', 'DE')).toBe(true);
  expect(isLargeCity('Berlin', 'US')).toBe(false);
});
