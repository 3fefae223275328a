import sharp from 'sharp';
import { expect, test } from 'vitest';
import { docsPaths } from '#lib/representations/docs/page-rows.ts';
import { getPage, send } from '../../support/clients/http-client.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

/** What messengers read of a link: they do not read on for long. */

const server = shareServer();

/** Half of what Slack reads, so that further styles and scripts do no harm. */
const firstBytes = 16 * 1024;

const paths = [
  '/',
  '/?format=online&q=jam',
  '/?when=weekend&view=list',
  '/calendar',
  '/map',
  '/map?area=europe',
  '/recent',
  '/changes',
  '/subscribe',
  '/saved',
  '/models',
  '/in/ghent',
  '/by/solder-society',
  '/series/solder-sundays',
  ...docsPaths,
];

/** The tags of a page’s head, as a reader sees them in its first bytes. */
function readTags(bytes: Buffer) {
  const text = bytes.toString();
  const metas = [...text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)];
  const links = [...text.matchAll(/<link rel="([^"]+)"[^>]*>/g)];
  return {
    title: /<title>([^<]+)<\/title>/.exec(text)?.[1],
    metas: new Map(metas.map(([, name = '', value = '']) => [name, value])),
    links: links.map(([tag, relation = '']) => ({
      relation,
      type: /type="([^"]+)"/.exec(tag)?.[1],
      href: (/href="([^"]+)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&'),
    })),
  };
}

function expectPreview(path: string, bytes: Buffer): void {
  const { title, metas, links } = readTags(bytes);
  expect(title, path).toMatch(/./);
  for (const name of ['description', 'og:title', 'og:description', 'og:site_name', 'og:type']) {
    expect(metas.get(name), `${name} of ${path}`).toMatch(/./);
  }
  expect(metas.get('og:url'), path).toMatch(/^https?:/);
  expect(metas.get('og:image'), path).toMatch(/^https?:.*\.jpg/);
  expect(metas.get('og:image:width'), path).toBe('1200');
  expect(metas.get('twitter:card'), path).toBe('summary_large_image');
  for (const relation of ['canonical', 'icon', 'apple-touch-icon', 'manifest']) {
    expect(
      links.filter((link) => link.relation === relation),
      `${relation} of ${path}`,
    ).not.toEqual([]);
  }
}

test.each(paths)('the first 16 kB of %s have all that a preview shows', async (path) => {
  const { status, body } = await getPage(server, path);
  expect(status).toBe(200);
  expectPreview(path, body.subarray(0, firstBytes));
});

test('the first 16 kB of every event have them too, its own picture and oEmbed', async () => {
  for (const { slug } of server.events) {
    const path = `/events/${slug}`;
    const { body } = await getPage(server, path);
    const first = body.subarray(0, firstBytes);
    expectPreview(path, first);
    const { metas, links } = readTags(first);
    expect(metas.get('og:image'), path).toContain('/media/og/');
    expect(links.map(({ type }) => type)).toContain('application/json+oembed');
  }
});

test('a page that is missing has its title and icons there', async () => {
  const { status, body } = await getPage(server, '/nothing-here');
  expect(status).toBe(404);
  const { title, links } = readTags(body.subarray(0, firstBytes));
  expect(title).toMatch(/./);
  expect(links.map(({ relation }) => relation)).toContain('icon');
});

type Reader = readonly [name: string, bytesMax: number, headers: Readonly<Record<string, string>>];

/** How they request a page, and how much of it they read at most, as they or their users document it. */
const readers: readonly Reader[] = [
  [
    'Slack',
    32 * 1024,
    {
      'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      accept: '*/*',
      range: 'bytes=0-32768',
    },
  ],
  [
    'Discord',
    64 * 1024,
    { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' },
  ],
  ['WhatsApp', 300 * 1024, { 'user-agent': 'WhatsApp/2.25.1 A', accept: '*/*' }],
  [
    'Mastodon',
    1024 * 1024,
    {
      'user-agent': 'Mastodon/4.4.0 (http.rb/5.2.0; +https://social.example/) Bot',
      accept: 'text/html',
    },
  ],
  [
    'iMessage',
    1024 * 1024,
    {
      'user-agent':
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    },
  ],
];

/** The smallest bound for a preview’s picture: WhatsApp’s. */
const pictureBytesMax = 600 * 1024;

test.for(readers)('%s finds an event’s preview and its picture', async ([, bytesMax, headers]) => {
  const path = `/events/${server.slug}`;
  const head = await send(server, path, { method: 'HEAD', headers });
  expect(head.status).toBe(200);
  const { status, header, body } = await send(server, path, { headers });
  expect(status).toBe(200);
  expect(header('content-type')).toBe('text/html; charset=utf-8');
  const first = body.subarray(0, bytesMax);
  expectPreview(path, first);
  const { metas, links } = readTags(first);
  const url = metas.get('og:image') ?? '';
  expect(url.startsWith(siteUrl)).toBe(true);
  const picture = await send(server, url.slice(siteUrl.length), { headers });
  expect(picture.header('content-type')).toBe('image/jpeg');
  expect(picture.body.length).toBeLessThan(pictureBytesMax);
  expect(await sharp(picture.body).metadata()).toMatchObject({ width: 1200, height: 630 });
  const oEmbed = links.find(({ type }) => type === 'application/json+oembed')?.href ?? '';
  const embedded = await send(server, oEmbed.slice(siteUrl.length), { headers });
  expect(JSON.parse(embedded.text)).toMatchObject({ version: '1.0', type: 'rich' });
});

test('pages that isolate themselves may show pictures and embeds', async () => {
  const pictures = server.events.flatMap(({ pictures }) => pictures.background ?? []);
  const shown = [
    '/media/og.jpg',
    `/media/og/${server.events[0]?.id}.jpg`,
    ...pictures.slice(0, 1).map(({ url }) => `${url.slice(siteUrl.length)}?w=320`),
    '/embed',
    '/embed?count=nonsense',
  ];
  expect(shown).toHaveLength(5);
  for (const path of shown) {
    const { header } = await send(server, path);
    expect(header('cross-origin-resource-policy'), path).toBe('cross-origin');
    if (path.startsWith('/embed')) {
      expect(header('cross-origin-embedder-policy'), path).toBe('require-corp');
    }
  }
});
