import { XMLParser } from 'fast-xml-parser';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { getPage, send } from '../../support/clients/http-client.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();

describe('/calendar', () => {
  test.each(['9999-12', '2026-13', 'december', '%3Cscript%3E', '1999-01'])(
    'the month %s gives a 404 that says what there is',
    async (month) => {
      for (const accept of ['text/html', 'text/markdown']) {
        const { status, text, header } = await send(server, `/calendar?month=${month}`, {
          headers: { accept },
        });
        expect(status).toBe(404);
        expect(text).toContain('That month isn’t in the calendar');
        expect(header('cache-control')).toBe('no-store');
      }
    },
  );

  test('months around today have pages, and link to each other', async () => {
    const { text } = await getPage(server, '/calendar');
    const next = /rel="next" href="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(next).toMatch(/^\/calendar\?month=\d{4}-\d{2}$/);
    const page = await getPage(server, next);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/rel="prev" href="\/calendar"/);
    expect(page.header('link')).toContain(
      `<${siteUrl}${next.replace('?', '.md?')}>; rel="alternate"`,
    );
  });
});

describe('/subscribe', () => {
  test('the filters go along into every address, which works', async () => {
    const { text } = await getPage(server, '/subscribe?q=robot&format=online');
    const fields = [...text.matchAll(/readOnly="" value="([^"]+)"/gi)].map(([, url = '']) =>
      url.replaceAll('&amp;', '&'),
    );
    const [changes, ...filtered] = fields.toReversed();
    // What has changed is that of all events.
    expect(changes).toBe(`${siteUrl}/api/v1/events/changes/rss`);
    expect(filtered).toHaveLength(4);
    for (const url of filtered) {
      expect(url).toMatch(/\?format=online,both&q=robot$/);
      expect((await send(server, url.slice(siteUrl.length))).status, url).toBe(200);
    }
  });

  test('the calendar that it names is one that a calendar program reads', async () => {
    const markdown = await send(server, '/subscribe.md?q=robot');
    const [, url = ''] = /iCalendar: \[([^\]]+)\]/.exec(markdown.text) ?? [];
    const calendar = await send(server, url.slice(siteUrl.length));
    const events = new ICAL.Component(ICAL.parse(calendar.text)).getAllSubcomponents('vevent');
    expect(events.length).toBeGreaterThan(0);
    expect(url).toContain('?q=robot');
  });
});

describe('/embed', () => {
  test('any site may frame it, and nothing in it runs or loads', async () => {
    const { status, header } = await send(server, '/embed?count=2&scheme=dark');
    expect(status).toBe(200);
    expect(header('content-type')).toBe('text/html; charset=utf-8');
    expect(header('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *",
    );
    expect(header('x-frame-options')).toBe('');
    expect(header('x-robots-tag')).toBe('noindex');
    expect(header('etag')).not.toBe('');
  });

  test.each(['/', '/calendar', '/subscribe', '/docs', '/models', '/nothing', '/embed/x'])(
    'nobody may frame %s',
    async (path) => {
      const { header } = await getPage(server, path);
      expect(header('content-security-policy')).toContain("frame-ancestors 'none'");
    },
  );

  test.each(['?count=999', '?scheme=x', '?format=nope', '?q=%00', '?event=nobody'])(
    '%s gives an error that the frame shows',
    async (query) => {
      const { status, text, header } = await send(server, `/embed${query}`);
      expect(status).toBe(query === '?event=nobody' ? 404 : 400);
      expect(header('content-type')).toBe('text/html; charset=utf-8');
      expect(header('content-security-policy')).toContain('frame-ancestors *');
      expect(header('cache-control')).toBe('no-store');
      expect(text).toMatch(/<p class="none">[A-Z]/);
    },
  );

  test('one event by its slug', async () => {
    const { text } = await send(server, `/embed?event=${server.slug}`);
    expect(text.match(/<li>/g)).toHaveLength(1);
    expect(text).toContain(`${siteUrl}/events/${server.slug}`);
  });
});

describe('/oembed', () => {
  const toPath = (url: string, more = '') => `/oembed?url=${encodeURIComponent(url)}${more}`;

  test('pages name it in their head, and it answers with an iframe of the same page', async () => {
    for (const path of ['/?q=robot', `/events/${server.slug}`]) {
      const page = await getPage(server, path);
      const [, href = ''] =
        /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(page.text) ??
        [];
      const found = new URL(href.replaceAll('&amp;', '&'));
      expect(found.searchParams.get('url')).toBe(siteUrl + path);
      const { status, header, text } = await send(server, found.pathname + found.search);
      expect([status, header('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      const { html } = JSON.parse(text);
      const [, src = ''] = /src="([^"]+)"/.exec(html) ?? [];
      const embed = await send(server, src.slice(siteUrl.length).replaceAll('&amp;', '&'));
      expect(embed.status).toBe(200);
    }
  });

  test('as XML', async () => {
    const { header, text } = await send(server, toPath(`${siteUrl}/`, '&format=xml'));
    expect(header('content-type')).toBe('text/xml; charset=utf-8');
    const { oembed } = new XMLParser().parse(text);
    expect(oembed).toMatchObject({ type: 'rich', width: 600 });
    expect(oembed.html).toMatch(/^<iframe src="/);
  });

  test.each([
    [toPath('https://elsewhere.example/'), 404],
    [toPath(`${siteUrl}/docs`), 404],
    [toPath(`${siteUrl}/events/nobody`), 404],
    [toPath(`${siteUrl}/`, '&format=yaml'), 501],
    [toPath(`${siteUrl}/`, '&maxwidth=-1'), 400],
    ['/oembed', 400],
  ])('%s is a %i', async (path, status) => {
    expect((await send(server, path)).status).toBe(status);
  });
});
