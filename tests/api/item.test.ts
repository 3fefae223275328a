import { expect, test } from 'vitest';
import { errorCodes } from '#lib/http/errors.ts';
import { readApiError, readEventItem } from '../support/api-forms.ts';
import { ask } from '../support/http-client.ts';
import { siteUrl } from '../support/marquee-server.ts';
import { runServerForTests } from '../support/running-server.ts';

const server = runServerForTests();

function askItem(segment: string) {
  return ask(server, `/api/v1/events/${segment}`);
}

test('every event is found by its id and by its slug, as it stands in the list', async () => {
  for (const event of server.events) {
    const byId = await askItem(event.id);
    expect(readEventItem(byId).data).toEqual(event);
    expect((await askItem(event.slug)).body.equals(byId.body)).toBe(true);
  }
});

test('a slug is found in any case and with its letters escaped, an id only as it is', async () => {
  const [event] = server.events.filter(({ slug }) => /^[a-z-]{5,}$/.test(slug));
  if (event === undefined) throw new Error('The sample has no such slug');
  const escaped = [...event.slug].map((letter) => `%${letter.charCodeAt(0).toString(16)}`);
  expect(readEventItem(await askItem(event.slug.toUpperCase())).data.id).toBe(event.id);
  expect(readEventItem(await askItem(escaped.join(''))).data.id).toBe(event.id);
  readApiError(await askItem(event.id.toLowerCase()), 'not_found');
});

test('an unknown name is a 404 whose hint names the nearest slug', async () => {
  const [event] = server.events.filter(({ slug }) => slug.length > 8);
  const error = readApiError(await askItem(`${event?.slug}x`), 'not_found');
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
])('%s is the name of no event, and nothing worse', async (segment) => {
  const answer = await askItem(segment);
  readApiError(answer, 'not_found');
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test('a hint does not suggest a slug that has nothing in common with what was asked for', async () => {
  const error = readApiError(await askItem('%2F'), 'not_found');
  expect(error.hint).not.toContain('Did you mean');
});

test.each(['%zz', '%ff', '%', '%E0%A4%A', 'a%C0%AFb'])(
  '%s is a malformed address',
  async (segment) => {
    readApiError(await askItem(segment), 'bad_request');
  },
);

test('a path of 8,000 characters is a 404', async () => {
  readApiError(await askItem('a'.repeat(8000)), 'not_found');
});

test('parameters mean nothing here, which is a 400; an empty query is none', async () => {
  const [event] = server.events;
  readApiError(await askItem(`${event?.id}?limit=1`), 'bad_request');
  readEventItem(await askItem(`${event?.id}?`));
});

test('the Link header leads to the page and to its Markdown', async () => {
  const [event] = server.events;
  const link = (await askItem(event?.id ?? '')).header('link');
  expect(link).toContain(`<${siteUrl}/events/${event?.slug}>; rel="alternate"; type="text/html"`);
  expect(link).toContain(
    `<${siteUrl}/events/${event?.slug}.md>; rel="alternate"; type="text/markdown"`,
  );
});

test('documentation_url of every code leads to a place on a page that exists', async () => {
  const page = await ask(server, '/docs/errors', { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.header('content-type')).toContain('text/html');
  for (const code of errorCodes) expect(page.text).toContain(` id="${code}"`);
});
