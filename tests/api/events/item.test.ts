import { expect, test } from 'vitest';
import { errorCodes } from '#lib/http/errors/errors.ts';
import { getPage, send } from '../../support/clients/http-client.ts';
import {
  readApiError,
  readEventItem,
  readEventList,
} from '../../support/responses/api-responses.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';
import { waitFor } from '../../support/wait-for.ts';

const server = shareServer();

function getItem(segment: string) {
  return send(server, `/api/v1/events/${segment}`);
}

test('every event of the list is found by its id and by its slug', async () => {
  // A refresh in between changes the URLs of pictures.
  await waitFor(async () => {
    const { data } = readEventList(await send(server, '/api/v1/events'));
    for (const event of data) {
      const byId = await getItem(event.id);
      expect(readEventItem(byId).data).toEqual(event);
      expect((await getItem(event.slug)).body.equals(byId.body)).toBe(true);
    }
  });
});

test('a slug matches in any case and percent-encoded, an id exactly', async () => {
  const [event] = server.events.filter(({ slug }) => /^[a-z-]{5,}$/.test(slug));
  if (event === undefined) throw new Error('The sample has no such slug');
  const escaped = [...event.slug].map((letter) => `%${letter.charCodeAt(0).toString(16)}`);
  expect(readEventItem(await getItem(event.slug.toUpperCase())).data.id).toBe(event.id);
  expect(readEventItem(await getItem(escaped.join(''))).data.id).toBe(event.id);
  readApiError(await getItem(event.id.toLowerCase()), 'not_found');
});

test('an unknown slug is a 404 whose hint names the most similar slug', async () => {
  const [event] = server.events.filter(({ slug }) => slug.length > 8);
  const error = readApiError(await getItem(`${event?.slug}x`), 'not_found');
  expect(error.hint).toContain(`\`${event?.slug}\``);
});

test.each([
  '%2F',
  '%00',
  '..%2f..',
  '%2e%2e%2f',
  'a%0d%0aSet-Cookie:%20x=y',
  '__proto__',
  'constructor',
  'toString',
  '%F0%9F%94%A5',
  "'%20OR%201=1",
])('%s is a plain 404', async (segment) => {
  const response = await getItem(segment);
  readApiError(response, 'not_found');
  expect(response.headers['set-cookie']).toBeUndefined();
});

test.each(['%zz', '%ff', '%', '%E0%A4%A', 'a%C0%AFb'])(
  '%s is a 400: malformed percent-encoding',
  async (segment) => {
    readApiError(await getItem(segment), 'bad_request');
  },
);

test('a parameter is a 400, an empty query is ignored', async () => {
  const [event] = server.events;
  readApiError(await getItem(`${event?.id}?limit=1`), 'bad_request');
  readEventItem(await getItem(`${event?.id}?`));
});

test('the Link header has the page, its Markdown and its calendar', async () => {
  const [event] = server.events;
  const link = (await getItem(event?.id ?? '')).header('link');
  const types = { '': 'text/html', '.md': 'text/markdown', '.ics': 'text/calendar' };
  for (const [extension, type] of Object.entries(types)) {
    const url = `${siteUrl}/events/${event?.slug}${extension}`;
    expect(link).toContain(`<${url}>; rel="alternate"; type="${type}"`);
  }
});

test('the documentation has an anchor for every error code', async () => {
  const page = await getPage(server, '/docs/errors');
  expect(page.status).toBe(200);
  expect(page.header('content-type')).toContain('text/html');
  for (const code of errorCodes) expect(page.text).toContain(` id="${code}"`);
});
