import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { pictureWidths } from '#lib/representations/theming/picture-placeholder.ts';
import { parsePictureRequest } from '#lib/site/media/pictures/picture-request.ts';
import { pictureFormats } from '#lib/site/media/pictures/process-image.ts';
import { hostileText } from '../../../../support/factories/hostile-text.ts';

const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

test.each([
  ['', chrome, { width: null, format: 'avif', isNegotiated: true }],
  ['', 'image/webp,*/*;q=0.5', { width: null, format: 'webp', isNegotiated: true }],
  ['', 'image/avif;q=0,image/webp', { width: null, format: 'webp', isNegotiated: true }],
  ['', '*/*', { width: null, format: 'plain', isNegotiated: true }],
  ['', 'image/*', { width: null, format: 'plain', isNegotiated: true }],
  ['', null, { width: null, format: 'plain', isNegotiated: true }],
  ['?w=640', null, { width: 640, format: 'plain', isNegotiated: true }],
  ['?w=&format=', null, { width: null, format: 'plain', isNegotiated: true }],
  ['?w=96&format=jpeg', chrome, { width: 96, format: 'jpeg', isNegotiated: false }],
  ['?format=png', chrome, { width: null, format: 'png', isNegotiated: false }],
] as const)('%j with Accept %j', (query, accept, wanted) => {
  expect(parsePictureRequest(`http://x/media/a${query}`, accept)).toEqual(wanted);
});

test.each([
  '?w=641',
  '?w=0',
  '?w=-96',
  '?w=96.0',
  '?w=0096',
  '?w=+96',
  '?w=9e1',
  '?w=1e9',
  '?w=96&w=96',
  '?format=svg',
  '?format=AVIF',
  '?format=png&format=png',
  '?width=96',
  '?W=96',
  '?w=%zz',
  '?__proto__=1',
])('%s is rejected with a hint that lists every option', (query) => {
  const error = errorOf(() => parsePictureRequest(`http://x/media/a${query}`, null));
  expect(error?.code).toBe('bad_request');
  expect(error?.hint).toBeTruthy();
  if (!query.includes('%')) {
    for (const width of pictureWidths) expect(error?.hint).toContain(String(width));
    for (const format of pictureFormats) expect(error?.hint).toContain(format);
  }
});

test('any query and Accept header give a supported width and format, or a 400', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (query, accept) => {
      const error = errorOf(() => {
        const { width, format } = parsePictureRequest(`http://x/media/a?w=${query}`, accept);
        expect([null, ...pictureWidths]).toContain(width);
        expect(['plain', ...pictureFormats]).toContain(format);
      });
      if (error !== null) expect(error.status).toBe(400);
    }),
  );
});

function errorOf(work: () => unknown) {
  try {
    work();
    return null;
  } catch (error) {
    if (isHttpError(error)) return error;
    throw error;
  }
}
