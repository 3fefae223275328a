import { expect, test } from 'vitest';
import { parseOEmbedQuery, toOEmbed } from '#lib/representations/embed/oembed.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { makePlace } from '../../../support/factories/event-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';
import { testSite as site } from '../../../support/test-site.ts';

const snapshot = await makeSnapshot([
  makeDraft({
    id: 'recLantern',
    name: 'Lantern Jam',
    place: makePlace({ city: 'Ghent', country: 'BE' }),
  }),
]);

async function read(url: string, more = '') {
  const query = parseOEmbedQuery(`?url=${encodeURIComponent(url)}${more}`);
  return toOEmbed(snapshot, query, site);
}

test('the list, with its filters', async () => {
  expect(await read('https://events.example/?utm_source=x&format=online')).toEqual({
    version: '1.0',
    type: 'rich',
    title: 'Marquee: Online',
    provider_name: 'Marquee',
    provider_url: 'https://events.example/',
    cache_age: 3600,
    width: 600,
    height: 494,
    html: '<iframe src="https://events.example/embed?format=online" title="Marquee: Online" width="600" height="494" style="border:0;max-width:100%" loading="lazy"></iframe>',
    thumbnail_url: 'https://events.example/media/og.jpg',
    thumbnail_width: 1200,
    thumbnail_height: 630,
  });
});

test('an event, by its id, which survives a new name', async () => {
  expect(await read('https://events.example/events/lantern-jam')).toMatchObject({
    title: 'Lantern Jam',
    html: expect.stringContaining('src="https://events.example/embed?event=recLantern"'),
    thumbnail_url: 'https://events.example/media/og/recLantern.jpg',
  });
});

test('an event and the list by URLs with a slash at their end', async () => {
  expect(await read('https://events.example/events/lantern-jam/')).toMatchObject({
    title: 'Lantern Jam',
  });
  expect(await read('https://events.example')).toMatchObject({ title: 'Marquee: all events' });
});

test.for(['/in/ghent', '/in/ghent/', '/in/Ghent'])('the events of a city: %s', async (path) => {
  expect(await read(`https://events.example${path}`)).toMatchObject({
    title: 'Events in Ghent, Belgium',
    html: expect.stringContaining('src="https://events.example/embed?city=Ghent"'),
    thumbnail_url: 'https://events.example/media/og.jpg',
  });
});

test('sizes stay within what the consumer has room for', async () => {
  const response = await read('https://events.example/', '&maxwidth=320&maxheight=200');
  expect(response).toMatchObject({ width: 320, height: 200 });
  expect(response.html).toContain('width="320" height="200"');
  expect(response).not.toHaveProperty('thumbnail_url');
});

test.for([
  'https://elsewhere.example/',
  'https://events.example.elsewhere.example/',
  'http://events.example/',
  'https://events.example:444/',
  'https://events.example@elsewhere.example/',
  'https://events.example/docs',
  'https://events.example/events/nobody',
  'https://events.example/events/%ff',
  'https://events.example/in/nowhere',
  'https://events.example/at/ghent',
  'https://events.example/events/lantern-jam//',
  'https://events.example/api/v1/events',
  'javascript:alert(1)',
  '/events/lantern-jam',
  'not a URL',
  `https://events.example/${'x'.repeat(3_000)}`,
])('%.60s is not found', async (url) => {
  await expect(read(url)).rejects.toThrow(expect.objectContaining({ code: 'not_found' }));
});

test.for([
  '',
  '?url=',
  '?url=https://events.example/&maxwidth=0',
  '?url=https://events.example/&maxheight=x',
])('the query %s is rejected', (search) => {
  expect(() => parseOEmbedQuery(search)).toThrow(expect.objectContaining({ code: 'bad_request' }));
});

test.for([
  ['', 'json'],
  ['&format=json', 'json'],
  ['&format=XML', 'xml'],
  ['&format=yaml', 'other'],
] as const)('%s asks for %s', ([more, format]) => {
  expect(parseOEmbedQuery(`?url=https://events.example/${more}`).format).toBe(format);
});
