import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { continents, type MapArea } from '#lib/representations/map/areas.ts';
import { drawMap } from '#lib/representations/map/draw-map.ts';
import { drawSurroundings } from '#lib/representations/map/draw-surroundings.ts';

const ghent = { latitude: 51.05, longitude: 3.72 };
const suva = { latitude: -18.1, longitude: 178.4 };

const areas: readonly MapArea[] = [
  { kind: 'world' },
  ...continents.map((id) => ({ kind: 'continent', id }) as const),
  ...['BE', 'US', 'CA', 'RU', 'SG', 'FJ', 'XK'].map((code) => ({ kind: 'country', code }) as const),
];

test.for(areas)('the map of %j has land, and is light', async (area) => {
  const { land, borders, country } = await drawMap(area, []);
  expect(land).toMatch(/^M/);
  expect(land + borders + country).not.toMatch(/NaN|Infinity/);
  // A page has it twice: as HTML, and for React. The page of a continent is 60 kB at most.
  expect(gzipSync(land + borders + country).length).toBeLessThan(20_000);
});

test('a city is where it belongs, or outside of the map', async () => {
  const europe = await drawMap({ kind: 'continent', id: 'europe' }, []);
  expect(europe.place(ghent)).not.toBeNull();
  expect(europe.place(suva)).toBeNull();
  // North is up, and east to the right.
  const [x = 0, y = 0] = europe.place(ghent) ?? [];
  const [warsawX = 0] = europe.place({ latitude: 52.2, longitude: 21 }) ?? [];
  const [, osloY = 0] = europe.place({ latitude: 59.9, longitude: 10.7 }) ?? [];
  expect(warsawX).toBeGreaterThan(x);
  expect(osloY).toBeLessThan(y);
  const oceania = await drawMap({ kind: 'continent', id: 'oceania' }, []);
  expect(oceania.place({ latitude: -13.8, longitude: -171.8 })).not.toBeNull();
});

test('the map of a country has its own cities in sight, far away ones among them', async () => {
  const honolulu = { latitude: 21.3, longitude: -157.9 };
  const drawing = await drawMap({ kind: 'country', code: 'US' }, [honolulu]);
  expect(drawing.country).toMatch(/^M/);
  expect(drawing.place(honolulu)).not.toBeNull();
});

test('a country without a shape or a city is on the map of the world', async () => {
  const { country } = await drawMap({ kind: 'country', code: 'GI' }, []);
  expect(country).toBeNull();
});

test.for([
  ghent,
  suva,
  { latitude: 90, longitude: 0 },
  { latitude: -90, longitude: 12 },
  { latitude: 65, longitude: -179.9 },
])('around %j there is land, or sea', async (position) => {
  const { land } = await drawSurroundings(position);
  expect(land).not.toMatch(/NaN|Infinity/);
  expect(land.length).toBeLessThan(20_000);
  if (position.latitude === 65) expect(land).toMatch(/^M/);
});
