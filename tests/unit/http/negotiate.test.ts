import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptCases, knownClients } from '#lib/docs/accept-table.ts';
import { choosePage, toFormRoute, toMarkdownPath } from '#lib/http/negotiate.ts';

test.for([...knownClients, ...acceptCases])(
  '$client, Accept: $accept, is $selects',
  ({ accept, selects }) => {
    expect(choosePage('/docs', accept).form).toBe(selects);
  },
);

test('an Accept header of blanks is like none', () => {
  expect(choosePage('/docs', ' ').form).toBe('html');
});

test('the order of the list does not change the form', () => {
  const accept = ['*/*;q=0.1', 'text/html;q=0.7', 'text/markdown', 'text/plain;q=0.8'];
  fc.assert(
    fc.property(fc.shuffledSubarray(accept, { minLength: 4 }), (shuffled) => {
      expect(choosePage('/', shuffled.join(', ')).form).toBe('markdown');
    }),
  );
});

test('an address in .md is Markdown, whatever the Accept header says', () => {
  expect(choosePage('/docs/api.md', 'text/html')).toEqual({ form: 'markdown', path: '/docs/api' });
  expect(choosePage('/index.md', 'application/json')).toEqual({ form: 'markdown', path: '/' });
});

test('a page and the address of its twin lead to the same page', () => {
  const segment = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
  const path = fc.array(segment, { maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
  fc.assert(
    fc.property(
      path.filter((one) => one !== '/index'),
      (page) => {
        expect(choosePage(toMarkdownPath(page), null)).toEqual({ form: 'markdown', path: page });
      },
    ),
  );
});

test('the page behind a .md address is one that a page can have', () => {
  for (const address of ['/.md', '/docs/.md', '/.md.md', '/index.md']) {
    const choice = choosePage(address, null);
    if (choice.form !== 'markdown') continue;
    expect(choice.path).toMatch(/^\/(?:.*[^/])?$/);
    expect(toFormRoute(choice)).not.toMatch(/\/$/);
  }
});

test('an event’s address in .ics is its calendar file, whatever the Accept header says', () => {
  for (const accept of [null, 'text/html', 'text/markdown', 'image/png']) {
    const choice = choosePage('/events/lantern-jam.ics', accept);
    expect(choice).toEqual({ form: 'calendar', path: '/events/lantern-jam' });
    expect(toFormRoute(choice)).toBe('/calendar/lantern-jam');
  }
});

test.each(['/lantern-jam.ics', '/events/.ics', '/events/a/b.ics', '/docs/api.ics'])(
  '%s is no calendar file',
  (path) => {
    expect(choosePage(path, null)).toEqual({ form: 'html' });
  },
);
