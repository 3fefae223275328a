import { expect, test } from 'vitest';
import { getPage, send } from '../../support/clients/http-client.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import {
  readDirectoryMarkdown,
  readSlugsInHtml,
} from '../../support/responses/read-representations.ts';
import { startSiteInProcess } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';

const server = shareServer();

test.for([
  ['/in/ghent', '?city=Ghent', 'Events in Ghent, Belgium'],
  ['/in/GHENT', '?city=Ghent', 'Events in Ghent, Belgium'],
  [`/in/${encodeURIComponent('東京')}`, `?city=${encodeURIComponent('東京')}`, '東京, Japan'],
  ['/by/cardboard-league', '?organizer=cardboard+league', 'Events by Cardboard League'],
  ['/series/cardboard-league', '?series=Cardboard+League', 'Cardboard League: all events'],
] as const)('%s has the events of the API with %s', async ([path, search, title]) => {
  const { data } = readEventList(await send(server, `/api/v1/events${search}`));
  const slugs = data.map(({ slug }) => slug).toSorted();
  expect(slugs).not.toEqual([]);
  const page = await getPage(server, path);
  expect(readSlugsInHtml(page.text).toSorted()).toEqual(slugs);
  const markdown = await send(server, `${path}.md`);
  expect(markdown.text.split('\n')[0]).toContain(title);
  expect(
    readDirectoryMarkdown(markdown.text)
      .map(({ slug = '' }) => slug)
      .toSorted(),
  ).toEqual(slugs);
});

test.for(['/in/nowhere', '/by/nobody', '/series/nothing', '/in/ghent-be', '/in/%F0%9F%8E%AA'])(
  '%s is a 404',
  async (path) => {
    expect((await getPage(server, path)).status).toBe(404);
    expect((await send(server, `${path}.md`)).status).toBe(404);
  },
);

test('the 404 of a misspelled city leads to the nearest one', async () => {
  const page = await getPage(server, '/in/gnet');
  expect(page.status).toBe(404);
  expect(page.text).toContain('href="/in/ghent"');
  expect((await send(server, '/in/gnet.md')).text).toContain('/in/ghent.md)');
});

test('a city in another spelling is suggested, and an unknown one is no error', async () => {
  expect(readEventList(await send(server, '/api/v1/events?city=Gnet')).data).toEqual([]);
  const page = await getPage(server, '/?city=Gnet');
  expect(page.status).toBe(200);
  expect(page.text).toContain('href="/?city=Ghent"');
});

test('cities of one name in two states have a page each, and its URL without one leads to both', async () => {
  const cities = ['Portland, OR', 'Portland, ME', 'Portland, Oregon'];
  const records = cities.map((City, row) =>
    makeRecord({ Name: `Evening ${row + 1}`, 'Start Date': '2027-03-01', City }, row),
  );
  await using site = await startSiteInProcess({ records });
  const { status, text } = await send(site, '/in/portland-or.md');
  expect([status, text.split('\n')[0]]).toEqual([200, '# Events in Portland, OR, United States']);
  const slugs = readDirectoryMarkdown(text).map(({ slug }) => slug);
  expect(slugs.toSorted()).toEqual(['evening-1', 'evening-3']);
  expect(text).toContain('/api/v1/events/rss?city=Portland&country=US-OR');
  const list = await send(site, '/api/v1/events?city=portland&country=us-me');
  expect(readEventList(list).data.map(({ slug }) => slug)).toEqual(['evening-2']);
  const both = await send(site, '/in/portland.md');
  expect(both.status).toBe(404);
  expect(both.text).toContain('/in/portland-or.md)');
  expect(both.text).toContain('/in/portland-me.md)');
});
