import { expect, test } from 'vitest';
import { getPage, send } from '../../support/clients/http-client.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

/** Plans change: every representation says so. */

const server = shareServer();
const html = { headers: { accept: 'text/html' } };

test.each([
  ['museum-of-broken-things', 'cancelled', 'Cancelled: Museum of Broken Things'],
  ['satellite-listening-party', 'postponed', 'Postponed: Satellite Listening Party'],
  ['drawn-by-machine', 'moved-online', 'Moved online: Drawn by Machine'],
])('%s is %s everywhere', async (slug, state, title) => {
  const words = title.split(':')[0] ?? '';
  const page = (await getPage(server, `/events/${slug}`)).text;
  expect(page).toContain(`<meta property="og:title" content="${title}"/>`);
  expect(page).toMatch(new RegExp(`<meta property="og:description" content="[^"]*: ${words} · `));
  const schemaState = { cancelled: 'Cancelled', postponed: 'Postponed' }[state] ?? 'MovedOnline';
  expect(page).toContain(`https://schema.org/Event${schemaState}`);
  const texts = [
    [`/api/v1/events/${slug}`, `"state":"${state}"`],
    [`/events/${slug}.md`, `> ${words}: this event`],
    [`/events/${slug}.ics`, `SUMMARY:${title}`],
    ['/index.md', `upcoming, ${words.toLowerCase()}`],
    ['/llms.txt', `/events/${slug}.md): ${words} · `],
    [`/api/v1/events/rss?state=${state}`, `<title>${title}</title>`],
    [`/api/v1/events/feed.json?state=${state}`, `"title":"${title}"`],
    [`/api/v1/events/calendar.ics?state=${state}`, `SUMMARY:${title}`],
  ] as const;
  for (const [path, text] of texts) {
    expect((await send(server, path)).text, path).toContain(text);
  }
});

test('nothing offers a calendar of an event that is over', async () => {
  const { data } = readEventList(await send(server, '/api/v1/events?status=ended&limit=1'));
  const path = `/events/${data[0]?.slug}`;
  for (const [url, options] of [[path, html], [`${path}.md`], [`/api/v1${path}`]] as const) {
    const { text, header } = await send(server, url, options);
    expect(text, url).not.toContain(`${path}.ics`);
    expect(header('link'), url).not.toContain('.ics');
  }
  const page = (await getPage(server, path)).text;
  const [calendar] = /<link[^>]*type="text\/calendar"[^>]*>/.exec(page) ?? [];
  expect(calendar).toContain(`"${siteUrl}/api/v1/events/calendar.ics"`);
});

test('an event that was moved online is an online event: filters, page, Markdown and calendar agree', async () => {
  const isThere = async (format: string) => {
    const list = readEventList(await send(server, `/api/v1/events?format=${format}`));
    return list.data.some(({ slug }) => slug === 'drawn-by-machine');
  };
  expect([await isThere('online'), await isThere('in-person')]).toEqual([true, false]);
  const path = '/events/drawn-by-machine';
  expect((await getPage(server, path)).text).toContain('href="/?format=online">Online<');
  expect((await send(server, `${path}.md`)).text).toMatch(/\| Format +\| Online +\|/);
  expect((await send(server, `${path}.ics`)).text).not.toContain('LOCATION');
});
