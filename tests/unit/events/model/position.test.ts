import { expect, test } from 'vitest';
import {
  parsePosition,
  roundPosition,
  toDistanceKm,
  toPositionInWords,
} from '#lib/events/model/position.ts';

test.for([
  ['51.05,3.72', { latitude: 51.05, longitude: 3.72 }],
  [' -33.9 , +151 ', { latitude: -33.9, longitude: 151 }],
  ['90,-180', { latitude: 90, longitude: -180 }],
] as const)('“%s” is a position', ([text, position]) => {
  expect(parsePosition(text)).toEqual(position);
});

test.for(['', '51', '51,', '91,0', '0,180.5', '1e1,2', '51.05;3.72', '5１,3', 'NaN,NaN', '1,2,3'])(
  '“%s” is no position',
  (text) => {
    expect(parsePosition(text)).toBeNull();
  },
);

test('positions are rounded to a tenth of a degree, without a negative zero', () => {
  expect(roundPosition('51.0543,3.7174')).toBe('51.1,3.7');
  expect(roundPosition('-0.04,179.96')).toBe('0,180');
  expect(roundPosition('here')).toBe('here');
});

test('distances are great circles: across the antimeridian and the poles, too', () => {
  // Brussels to Amsterdam is 173 km.
  const brussels = { latitude: 50.8503, longitude: 4.3517 };
  const amsterdam = { latitude: 52.3676, longitude: 4.9041 };
  expect(toDistanceKm(brussels, amsterdam)).toBeCloseTo(173, 0);
  // A fifth of a degree at the equator is 22 km.
  const atDateLine = { latitude: 0, longitude: 179.9 };
  expect(toDistanceKm(atDateLine, { latitude: 0, longitude: -179.9 })).toBeCloseTo(22.2, 1);
  expect(toDistanceKm(atDateLine, { latitude: 0, longitude: 179.6 })).toBeCloseTo(33.4, 1);
  const toPole = (pole: number, latitude: number) =>
    toDistanceKm({ latitude: pole, longitude: 50 }, { latitude, longitude: -90 });
  expect(toPole(90, 89.8)).toBeCloseTo(22.2, 1);
  expect(toPole(-90, -89.8)).toBeCloseTo(22.2, 1);
  expect(toDistanceKm(brussels, { latitude: -50.8503, longitude: -175.6483 })).toBeCloseTo(
    20_015,
    0,
  );
  expect(toDistanceKm(brussels, brussels)).toBe(0);
});

test('positions in words have no signs', () => {
  expect(toPositionInWords({ latitude: -33.9, longitude: 151.2 })).toBe('33.9° S, 151.2° E');
});
