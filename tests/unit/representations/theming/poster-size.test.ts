import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPosterSize } from '#lib/representations/theming/poster-size.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { makeEvent, makePosterPicture } from '../../../support/factories/event-factory.ts';

const typeAlone = { background: null, pictures: { logo: null, background: null } };
const pictures = { logo: null, background: makePosterPicture() };

test('the same event always has the same size', () => {
  const event = makeEvent();
  expect(toPosterSize(event)).toEqual(toPosterSize({ ...event }));
});

test('a short name is set larger and wider than a long one', () => {
  const short = toPosterSize(makeEvent({ name: 'Hz', ...typeAlone }));
  const long = toPosterSize(
    makeEvent({ name: 'Manuals for Imaginary Machines: a Zine Fair', ...typeAlone }),
  );
  expect(short.nameSize).toBeGreaterThan(long.nameSize);
  expect(short.nameStretch).toBeGreaterThan(long.nameStretch);
});

test('the longest word of a name fits on a line', () => {
  const { nameSize, nameStretch } = toPosterSize(
    makeEvent({ name: 'Extraordinarily small', ...typeAlone }),
  );
  // A capital, seven usual letters, and seven narrow ones.
  const emsOfLongest = (1.2 + 7 + 7 * 0.55) * 0.6 * (nameStretch / 100);
  expect(nameSize * emsOfLongest).toBeLessThanOrEqual(85);
});

test('a name is as wide as its lines of equal length need, with a little room', () => {
  const { nameWidth, nameSize } = toPosterSize(
    makeEvent({ name: 'aaaaa aaaaa aaaaa aaaaa', pictures }),
  );
  // Two lines of two words and a space each, at a font stretch of 96 %.
  const line = 2 * 5 * 0.6 * 0.96 + 0.25;
  expect(nameWidth).toBeGreaterThan(line);
  expect(nameWidth).toBeLessThan(line * 1.1);
  expect(nameWidth * nameSize).toBeLessThan(100);
});

test('full-width letters count as such', () => {
  const latin = toPosterSize(makeEvent({ name: 'abcdefgh', ...typeAlone }));
  const han = toPosterSize(makeEvent({ name: '夜のゲームジャム', ...typeAlone }));
  expect(han.nameSize).toBeLessThan(latin.nameSize);
});

test('full-width letters are one em wide, whatever the stretch of the name', () => {
  const name = '夜のゲームジャム';
  const size = toPosterSize(makeEvent({ name, pictures }));
  expect(size.nameStretch).toBeLessThan(100);
  // Of the 100 % of a poster's width, a name over a picture has 72.
  expect(size.nameSize * name.length).toBeLessThanOrEqual(72);
  expect(size.nameSize * name.length).toBeGreaterThan(65);
});

test('a poster with a picture is higher and wider than one of type alone', () => {
  const withPicture = toPosterSize(makeEvent({ pictures }));
  const alone = toPosterSize(makeEvent(typeAlone));
  expect(withPicture.height).toBeGreaterThan(alone.height);
  expect(withPicture.weight).toBeGreaterThan(alone.weight);
});

test('sizes stay in bounds, whatever the name', () => {
  fc.assert(
    fc.property(anyText(), fc.boolean(), (name, isTypeAlone) => {
      const size = toPosterSize(makeEvent({ name, ...(isTypeAlone && typeAlone) }));
      expect(size.nameSize).toBeGreaterThanOrEqual(6);
      expect(size.nameSize).toBeLessThanOrEqual(24);
      expect(size.wideNameSize).toBeGreaterThanOrEqual(3.6);
      expect(size.wideNameSize).toBeLessThanOrEqual(11);
      expect(size.nameStretch).toBeGreaterThanOrEqual(62);
      expect(size.nameStretch).toBeLessThanOrEqual(125);
      expect(size.height).toBeGreaterThanOrEqual(20);
      expect(size.height).toBeLessThanOrEqual(30);
      expect(size.weight).toBeGreaterThan(0.8);
      expect(size.weight).toBeLessThan(1.4);
    }),
  );
});
