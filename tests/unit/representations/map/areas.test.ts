import { expect, test } from 'vitest';
import { continents, parseArea, toAreaName, toMapPath } from '#lib/representations/map/areas.ts';

test.for([
  ['', { kind: 'world' }, '/map'],
  ['europe', { kind: 'continent', id: 'europe' }, '/map?area=europe'],
  ['North America', { kind: 'continent', id: 'north-america' }, '/map?area=north-america'],
  ['be', { kind: 'country', code: 'BE' }, '/map?area=BE'],
  ['UK', { kind: 'country', code: 'GB' }, '/map?area=GB'],
] as const)('“%s” is an area', ([text, area, path]) => {
  expect(parseArea(text)).toEqual(area);
  expect(toMapPath(area)).toBe(path);
});

test.for(['atlantis', 'unknown', 'EU', '<b>', '51,4'])('“%s” is none', (text) => {
  expect(parseArea(text)).toBeNull();
});

test('every continent has a name', () => {
  for (const id of continents) expect(toAreaName({ kind: 'continent', id })).toMatch(/^[A-Z]/);
});
