import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPosterFormat } from '#lib/theming/poster-size.ts';
import { anyText } from '../../support/any-text.ts';
import { makeEvent } from '../../support/event-factory.ts';

const typeAlone = { background: null, pictures: { logo: null, background: null } };
const picture = {
  id: 'attBack',
  url: 'https://events.example/media/attBack',
  ...{ width: 1200, height: 900, thumbHash: null },
};

test('the same event always has the same format', () => {
  const event = makeEvent();
  expect(toPosterFormat(event)).toEqual(toPosterFormat({ ...event }));
});

test('a short name is set larger and wider than a long one', () => {
  const short = toPosterFormat(makeEvent({ name: 'Hz', ...typeAlone }));
  const long = toPosterFormat(
    makeEvent({ name: 'Manuals for Imaginary Machines: a Zine Fair', ...typeAlone }),
  );
  expect(short.nameSize).toBeGreaterThan(long.nameSize);
  expect(short.nameStretch).toBeGreaterThan(long.nameStretch);
});

test('the longest word of a name fits on a line', () => {
  const { nameSize, nameStretch } = toPosterFormat(
    makeEvent({ name: 'Extraordinarily small', ...typeAlone }),
  );
  const emsOfLongest = ('xtraordinarily'.length + 1.2) * 0.6 * (nameStretch / 100);
  expect(nameSize * emsOfLongest).toBeLessThanOrEqual(85);
});

test('letters as wide as they are high count as such', () => {
  const latin = toPosterFormat(makeEvent({ name: 'abcdefgh', ...typeAlone }));
  const han = toPosterFormat(makeEvent({ name: '夜のゲームジャム', ...typeAlone }));
  expect(han.nameSize).toBeLessThan(latin.nameSize);
});

test('a poster with a picture is higher than one of type alone', () => {
  const withPicture = toPosterFormat(makeEvent({ pictures: { logo: null, background: picture } }));
  expect(withPicture.rows).toBeGreaterThan(toPosterFormat(makeEvent(typeAlone)).rows);
});

test('whatever the name, sizes stay within what a poster can hold', () => {
  fc.assert(
    fc.property(anyText(), fc.boolean(), (name, isTypeAlone) => {
      const format = toPosterFormat(makeEvent({ name, ...(isTypeAlone && typeAlone) }));
      expect(format.nameSize).toBeGreaterThanOrEqual(6);
      expect(format.nameSize).toBeLessThanOrEqual(24);
      expect(format.wideNameSize).toBeGreaterThanOrEqual(3.6);
      expect(format.wideNameSize).toBeLessThanOrEqual(11);
      expect(format.nameStretch).toBeGreaterThanOrEqual(62);
      expect(format.nameStretch).toBeLessThanOrEqual(125);
      expect(Number.isInteger(format.rows)).toBe(true);
    }),
  );
});
