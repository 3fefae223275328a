import { expect, test } from 'vitest';
import { proxyErrors } from '#lib/representations/docs/generated-tables.ts';
import { loadDocsPage } from '#lib/representations/docs/pages.ts';
import { noResponse, toErrorMessage } from '#lib/site/playground/error-messages.ts';
import { readAnchors } from '../../../support/responses/markdown-tree.ts';
import { testSite } from '../../../support/test-site.ts';

const page = loadDocsPage('errors', testSite);
const anchors = page === undefined ? [] : readAnchors(page);

test.each([...proxyErrors.map(({ code }) => code), 'stream_cut', 'made_up', 'constructor'])(
  '%s has a message, and links to a section that exists',
  (code) => {
    const { title, advice, href } = toErrorMessage({ status: 500, code, message: 'Raw.' });
    expect(title).toMatch(/^[A-Z].{5,60}$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
    const [path, anchor] = href.split('#');
    expect(path).toBe('/docs/errors');
    expect(anchors).toContain(anchor);
  },
);

test('a bad request shows the server’s own message', () => {
  const message = '`temperature` must be a number from 0 to 2.';
  expect(toErrorMessage({ status: 400, code: null, message }).advice).toBe(message);
});

test('a site without a proxy and no response at all have different messages', () => {
  expect(toErrorMessage({ status: 404, code: null, message: '' }).title).toContain('no AI proxy');
  expect(toErrorMessage(noResponse).title).toBe('No response');
});
