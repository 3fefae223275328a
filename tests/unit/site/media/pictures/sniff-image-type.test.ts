import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sniffImageType } from '#lib/site/media/pictures/sniff-image-type.ts';
import { makePicture, svgPicture } from '../../../../support/factories/picture-factory.ts';

test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
  '%s is detected by its bytes',
  async (format) => {
    expect(sniffImageType(await makePicture({ format, width: 20, height: 20 }))).toBe(format);
  },
);

test.each([
  ['an SVG', svgPicture],
  [
    'an SVG after whitespace',
    Buffer.concat([Buffer.from('\ufeff \n<?xml version="1.0"?>'), svgPicture]),
  ],
  ['an HTML page', Buffer.from('<!doctype html><html></html>')],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['a TIFF', Buffer.from('II*\0\x08\0\0\0')],
  ['a BMP', Buffer.from('BM\x36\0\0\0\0\0\0\0')],
  ['a video', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')],
  ['a HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
  ['audio', Buffer.from('RIFF\x24\0\0\0WAVEfmt ')],
  ['text with an image signature further on', Buffer.from('text \x89PNG\r\n\x1a\n')],
  ['nothing', Buffer.alloc(0)],
])('%s is not an image', (_, bytes) => {
  expect(sniffImageType(bytes)).toBeNull();
});

test('no bytes make it throw, and a partial signature is not enough', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const type = sniffImageType(bytes);
      if (bytes.length < 3) expect(type).toBeNull();
    }),
  );
});
