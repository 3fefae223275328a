import { expect, test } from 'vitest';
import { parseEmbedQuery } from '#lib/representations/embed/embed-query.ts';

test('without parameters it shows five events in the scheme of the visitor', () => {
  expect(parseEmbedQuery('')).toEqual({ filters: {}, count: 5, scheme: 'auto', event: null });
});

test('filters, count, scheme and event are read; others are ignored', () => {
  const search = '?format=ONLINE&count=20&scheme=dark&event=rec1&utm_source=x&constructor=y';
  expect(parseEmbedQuery(search)).toEqual({
    filters: { format: ['online'] },
    count: 20,
    scheme: 'dark',
    event: 'rec1',
  });
});

test.for([
  ['?count=0', /`count` must be an integer from 1 to 20/],
  ['?count=21', /`count`/],
  ['?count=-1', /`count`/],
  ['?count=1e1', /`count`/],
  ['?count=5;drop', /`count`/],
  ['?scheme=sepia', /`scheme` must be one of `auto`, `light`, `dark`/],
  ['?scheme=__proto__', /`scheme`/],
  ['?format=onlin', /Did you mean `online`\?/],
  ['?q=%00', /`q` must be text/],
] as const)('%s is rejected with a hint', ([search, hint]) => {
  expect(() => parseEmbedQuery(search)).toThrow(
    expect.objectContaining({ code: 'bad_request', hint: expect.stringMatching(hint) }),
  );
});
