import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { docsPaths } from '#lib/representations/docs/page-rows.ts';
import { getReference } from '#lib/representations/openapi/reference.ts';
import { decodeBody, getPage, send } from '../../support/clients/http-client.ts';
import { readApiError } from '../../support/responses/api-responses.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();
const run = promisify(execFile);

async function headOf(path: string): Promise<string> {
  const { text } = await getPage(server, path);
  return text.slice(0, text.indexOf('</head>'));
}

async function readSitemap(): Promise<string[]> {
  const response = await send(server, '/sitemap.xml');
  expect(response.header('content-type')).toBe('application/xml; charset=utf-8');
  const { urlset }: { urlset: { url: { loc: string }[] } } = new XMLParser().parse(response.text);
  return urlset.url.map(({ loc }) => loc);
}

test('the sitemap lists every page and every event, and its URLs are pages', async () => {
  const urls = await readSitemap();
  const pages = [
    '/',
    '/subscribe',
    '/calendar',
    '/recent',
    '/changes',
    '/map',
    '/models',
    ...docsPaths,
  ];
  expect(urls).toEqual([...pages.map((path) => siteUrl + path), ...urls.slice(pages.length)]);
  const named = /\/(?:in|by|series)\/[^/]+$/;
  const eventUrls = urls.slice(pages.length).filter((url) => !named.test(url));
  const slugs = eventUrls.map((url) => url.split('/events/')[1]);
  expect(slugs.toSorted()).toEqual(server.events.map(({ slug }) => slug).toSorted());
  for (const url of urls.slice(0, urls.length - eventUrls.length + 3)) {
    const { status, header } = await send(server, url.slice(siteUrl.length));
    expect(status, url).toBe(200);
    expect(header('content-type'), url).toContain('text/html');
  }
});

test('a sitemap that fits into one file has one part only', async () => {
  expect((await send(server, '/sitemap/1.xml')).text).toBe(
    (await send(server, '/sitemap.xml')).text,
  );
  for (const part of ['2.xml', '0.xml', '01.xml', '1', 'x.xml', '99999.xml']) {
    readApiError(await send(server, `/sitemap/${part}`), 'not_found');
  }
});

test('robots.txt links to the sitemap', async () => {
  const { text, header } = await send(server, '/robots.txt');
  expect(header('content-type')).toBe('text/plain; charset=utf-8');
  const [, url = ''] = /^Sitemap: (.+)$/m.exec(text) ?? [];
  expect((await send(server, url.slice(siteUrl.length))).status).toBe(200);
});

test('the icons of the manifest have the type that it states', async () => {
  const response = await send(server, '/manifest.webmanifest');
  expect(response.header('content-type')).toBe('application/manifest+json; charset=utf-8');
  const { icons }: { icons: { src: string; type: string }[] } = JSON.parse(response.text);
  for (const { src, type } of [...icons, { src: '/apple-touch-icon.png', type: 'image/png' }]) {
    const icon = await send(server, src);
    expect(icon.status, src).toBe(200);
    expect(icon.header('content-type'), src).toContain(type);
  }
});

test('/llms-full.txt contains the documentation and every event in full', async () => {
  const response = await send(server, '/llms-full.txt');
  expect(response.header('content-type')).toBe('text/plain; charset=utf-8');
  for (const path of docsPaths) {
    const page = await send(server, `${path}.md`);
    expect(response.text).toContain(page.text);
  }
  for (const { slug } of server.events) {
    // The page has links to the pages of its city, organizer and series, too.
    const page = (await send(server, `/events/${slug}.md`)).text.replace(/\nMore: .+\n/, '');
    expect(response.text).toContain(page);
  }
  const packed = await send(server, '/llms-full.txt', { headers: { 'accept-encoding': 'br' } });
  expect((await decodeBody(packed)).toString()).toBe(response.text);
});

test.each(['/calendar', '/recent', '/subscribe', '/map', ...docsPaths, '/models'])(
  'the head of %s has a description and links to its representations',
  async (path) => {
    const head = await headOf(path);
    const description = /<meta name="description" content="([^"]{40,160})"\/>/.exec(head)?.[1];
    expect(description).toBeDefined();
    for (const tag of [
      `<link rel="canonical" href="${siteUrl}${path}"/>`,
      `<link rel="alternate" type="text/markdown" href="${siteUrl}${path}.md"`,
      `<link rel="alternate" type="application/rss+xml" href="${siteUrl}/api/v1/events/rss"`,
      `<link rel="alternate" type="text/calendar" href="${siteUrl}/api/v1/events/calendar.ics"`,
      `<meta property="og:url" content="${siteUrl}${path}"/>`,
      `<meta property="og:description" content="${description}"/>`,
      `<meta property="og:image" content="${siteUrl}/media/og.jpg"/>`,
      '<meta name="twitter:card" content="summary_large_image"/>',
    ]) {
      expect(head).toContain(tag);
    }
  },
);

test.each(['/', '/subscribe'])(
  'feeds in the head of %s have the filters that are on',
  async (path) => {
    const head = await headOf(`${path}?format=online&projectType=Gamedev`);
    const search = '?format=online,both&amp;projectType=Gamedev';
    const api = `${siteUrl}/api/v1/events`;
    const feeds = [
      ['application/rss+xml', `${api}/rss${search}`, 'New events of Marquee: Online, Games'],
      ['application/atom+xml', `${api}/feed.atom${search}`, 'New events of Marquee: Online, Games'],
      [
        'application/feed+json',
        `${api}/feed.json${search}`,
        'New events of Marquee: Online, Games',
      ],
      ['text/calendar', `${api}/calendar.ics${search}`, 'Events of Marquee: Online, Games'],
    ];
    for (const [type, href, title] of feeds) {
      expect(head).toContain(
        `<link rel="alternate" type="${type}" href="${href}" title="${title}"/>`,
      );
    }
  },
);

test('feeds in the head of an event say whose they are; one that is over has no calendar of its own', async () => {
  const coming = server.events.find(({ status }) => status === 'upcoming')?.slug ?? '';
  const over = server.events.find(({ status }) => status === 'ended')?.slug ?? '';
  for (const slug of [coming, over]) {
    expect(await headOf(`/events/${slug}`)).toContain(
      `type="application/rss+xml" href="${siteUrl}/api/v1/events/rss" title="New events of Marquee"/>`,
    );
  }
  expect(await headOf(`/events/${coming}`)).toContain(
    `type="text/calendar" href="${siteUrl}/events/${coming}.ics"`,
  );
  expect(await headOf(`/events/${over}`)).not.toContain(`/events/${over}.ics`);
});

test('search engines do not list a month without dates, but those with', async () => {
  const isIndexed = async (path: string) => {
    const { text } = await send(server, path);
    return !text.includes('<meta name="robots" content="noindex"/>');
  };
  expect(await isIndexed('/calendar')).toBe(true);
  const year = new Date().getUTCFullYear() + 4;
  expect(await isIndexed(`/calendar?month=${year}-05`)).toBe(false);
});

// ASVS 3.7.2
test('/docs/try redirects to the path with the form’s value, never to another site', async () => {
  const response = await send(server, '/docs/try?operation=getEvent&idOrSlug=a%2Fb%3F%0d%0ax');
  expect(response.status).toBe(303);
  expect(response.header('location')).toBe('/api/v1/events/a%2Fb%3F%0D%0Ax');
  const away = await send(server, '/docs/try?operation=getEvent&idOrSlug=//evil.example');
  expect(away.header('location')).toBe('/api/v1/events/%2F%2Fevil.example');
  readApiError(await send(server, '/docs/try?operation=constructor'), 'not_found');
  readApiError(await send(server, '/docs/try'), 'not_found');
});

test('the code samples of the reference run unchanged', async () => {
  const [event] = server.events;
  for (const { id, samples } of getReference({ name: 'Marquee', url: siteUrl }).operations) {
    for (const { language, code } of samples) {
      const local = code
        .replaceAll(siteUrl, server.url)
        .replace('recV7kQ2mXw4Tn9Lb', event?.id ?? '');
      const [program, ...options] = programs[language] ?? [];
      // Python is not on every machine.
      if (program === undefined || (language === 'python' && !hasPython)) continue;
      const { stdout } = await run(program, [...options, local]);
      // Nothing has changed on this server.
      const lengthMin = id === 'listChanges' ? 2 : 100;
      expect(stdout.trim().length, `${id} in ${language}`).toBeGreaterThanOrEqual(lengthMin);
    }
  }
});

/** Commands that run the sample in their last argument. */
const programs: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh', '-c'],
  js: [process.execPath, '--input-type=module', '--eval'],
  python: ['python3', '-c'],
};
const hasPython = spawnSync('python3', ['--version']).status === 0;
