import sharp from 'sharp';
import { expect, test } from 'vitest';
import { eventImageUrl, siteImageUrl } from '#lib/events/view/site-urls.ts';
import { readFreshSeconds, send } from '../../support/clients/http-client.ts';
import { readApiError } from '../../support/responses/api-responses.ts';
import { siteUrl, startMarqueeInProcess } from '../../support/servers/marquee-server.ts';
import { runServerForTests } from '../../support/servers/running-server.ts';

const server = runServerForTests({ inProcess: true });

const site = { name: 'Marquee', url: siteUrl };
const pathOf = (url: string) => url.slice(siteUrl.length);

test('every event has an Open Graph image, by id and by slug', async () => {
  for (const event of server.events.slice(0, 12)) {
    const response = await send(server, pathOf(eventImageUrl(site, event)));
    expect(response.status).toBe(200);
    expect(response.header('content-type')).toBe('image/jpeg');
    expect(response.header('content-encoding')).toBe('');
    expect(response.header('x-content-type-options')).toBe('nosniff');
    expect(await sharp(response.body).metadata()).toMatchObject({ width: 1200, height: 630 });
    // The limit of WhatsApp.
    expect(response.body.length).toBeLessThan(300_000);
    const bySlug = await send(server, `/media/og/${event.slug}.jpg`);
    expect(bySlug.header('etag')).toBe(response.header('etag'));
  }
});

test('an Open Graph image is as fresh as its event', async () => {
  const path = pathOf(eventImageUrl(site, server.events[0] ?? { id: '' }));
  const response = await send(server, path);
  expect(readFreshSeconds(response)).toBeGreaterThan(0);
  const headers = { 'if-none-match': response.header('etag'), 'accept-encoding': 'gzip, br' };
  expect((await send(server, path, { headers })).status).toBe(304);
  const head = await send(server, path, { method: 'HEAD' });
  expect(head.header('content-length')).toBe(String(response.body.length));
  expect(head.body.length).toBe(0);
});

test.each(['nobody.jpg', 'x', 'x.png', '.jpg', '..%2f..%2fpackage.jpg', '%E2%98%83.jpg'])(
  '/media/og/%s is a 404',
  async (file) => {
    readApiError(await send(server, `/media/og/${file}`), 'not_found');
  },
);

// Last: its server replaces the one above.
test('the site has its own Open Graph image, which needs no table', async () => {
  await using unconfigured = await startMarqueeInProcess({});
  const response = await send(unconfigured, pathOf(siteImageUrl(site)));
  expect(response.status).toBe(200);
  expect(response.header('cache-control')).toBe('public, max-age=86400');
  expect(await sharp(response.body).metadata()).toMatchObject({ width: 1200, height: 630 });
});
