import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureWidths, toPictureSources } from '#lib/representations/theming/picture-sources.ts';

const picture = {
  id: 'attA1b2',
  url: 'https://events.example/media/attA1b2',
  width: 400,
  height: 300,
  thumbHash: null,
};

test('widths from half to three times the shown one are offered, up to the picture’s own', () => {
  expect(toPictureSources(picture, 200)).toEqual({
    src: `${picture.url}?w=320`,
    srcSet: [
      `${picture.url}?w=160 160w`,
      `${picture.url}?w=320 320w`,
      `${picture.url}?w=480 400w`,
    ].join(', '),
    width: 400,
    height: 300,
  });
});

test('no screen loads more than three times its size', () => {
  const { srcSet } = toPictureSources({ ...picture, width: 4000 }, 160);
  expect(srcSet).toMatch(/\?w=480 480w$/);
});

test('a picture exactly as wide as a served width is offered once at that width', () => {
  const { srcSet } = toPictureSources({ ...picture, width: 320 }, 200);
  expect(srcSet?.match(/320/g)).toHaveLength(2);
  expect(srcSet).toMatch(/ 320w$/);
});

test('a picture of unknown size has one URL and no width or height', () => {
  expect(toPictureSources({ ...picture, width: null, height: null }, 300)).toEqual({
    src: `${picture.url}?w=320`,
  });
});

test('only served widths are requested, and none is declared above the picture’s own', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1920 }),
      fc.integer({ min: 1, max: 4000 }),
      (width, shown) => {
        const { src, srcSet = '' } = toPictureSources({ ...picture, width }, shown);
        const requested = [...`${src}, ${srcSet}`.matchAll(/\?w=(\d+)/g)].map(([, one]) =>
          Number(one),
        );
        for (const one of requested) expect(pictureWidths).toContain(one);
        const claimed = [...srcSet.matchAll(/ (\d+)w/g)].map(([, one]) => Number(one));
        expect(Math.max(...claimed)).toBeLessThanOrEqual(width);
        expect(Math.max(...claimed)).toBeGreaterThanOrEqual(Math.min(width, shown, 1920));
        expect(claimed).toEqual([...new Set(claimed)].toSorted((a, b) => a - b));
      },
    ),
  );
});
