import { rgbaToThumbHash } from 'thumbhash';
import { expect, test } from 'vitest';
import { black, type Color, white } from '#lib/representations/theming/color.ts';
import { toLogoPlate } from '#lib/representations/theming/logo-plate.ts';

const size = 32;
const navy: Color = [20, 15, 51];
const yellow: Color = [248, 195, 60];

/** The ThumbHash of a disc in one colour on nothing, or on a colour. */
function hashDisc(color: Color, ground: Color | null = null, radius = 11): string {
  const rgba = Array.from({ length: size * size }, (_, at) => {
    const isInside = Math.hypot((at % size) - 15.5, Math.floor(at / size) - 15.5) < radius;
    if (isInside) return [...color, 255];
    return ground === null ? [0, 0, 0, 0] : [...ground, 255];
  });
  return Buffer.from(rgbaToThumbHash(size, size, rgba.flat())).toString('base64');
}

test('a dark logo on a dark poster gets a plate on which it shows', () => {
  const colors = [navy, yellow];
  expect(toLogoPlate(hashDisc([24, 20, 40]), { colors, isOnPicture: false })).toEqual(yellow);
  expect(toLogoPlate(hashDisc([24, 20, 40]), { colors: [navy], isOnPicture: false })).toEqual(
    white,
  );
});

test('a logo that shows on its poster needs no plate', () => {
  expect(toLogoPlate(hashDisc(yellow), { colors: [navy], isOnPicture: false })).toBeNull();
});

test('over a picture a logo has a plate in the colour of the poster, if it shows there', () => {
  expect(toLogoPlate(hashDisc(yellow), { colors: [navy, white], isOnPicture: true })).toEqual(navy);
  expect(toLogoPlate(hashDisc(navy), { colors: [navy, white], isOnPicture: true })).toEqual(white);
});

test('a white logo on a white poster gets a black plate', () => {
  expect(toLogoPlate(hashDisc(white), { colors: [white], isOnPicture: false })).toEqual(black);
});

test('an opaque logo, a tile, and an invalid hash, get none', () => {
  const ground = { colors: [navy], isOnPicture: true };
  expect(toLogoPlate(hashDisc(navy, null, 15.5), ground)).toBeNull();
  expect(toLogoPlate(hashDisc(navy, navy), ground)).toBeNull();
  expect(toLogoPlate('no hash', ground)).toBeNull();
});

test('a logo that is not known yet has a plate over a picture only', () => {
  expect(toLogoPlate(null, { colors: [navy], isOnPicture: true })).toEqual(navy);
  expect(toLogoPlate(null, { colors: [navy], isOnPicture: false })).toBeNull();
});
