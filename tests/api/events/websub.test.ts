import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { siteUrl, startSiteInProcess } from '../../support/servers/marquee-server.ts';

test('the unfiltered feeds name the hub, in headers and bodies', async () => {
  const hub = 'https://hub.example/';
  await using server = await startSiteInProcess({ settings: { WEBSUB_HUB: hub } });
  for (const path of [
    '/api/v1/events/rss',
    '/api/v1/events/feed.atom',
    '/api/v1/events/feed.json',
  ]) {
    const self = siteUrl + path;
    const response = await fetch(server.url + path);
    const link = response.headers.get('link') ?? '';
    expect(link).toContain(`<${hub}>; rel="hub"`);
    expect(link).toContain(`<${self}>; rel="self"`);
    expect(link).toContain('service-desc');
    const filtered = await fetch(`${server.url}${path}?format=online`);
    expect(filtered.headers.get('link')).not.toContain('hub');
    const [body, other] = [await response.text(), await filtered.text()];
    if (path.endsWith('.json')) {
      expect(JSON.parse(body).hubs).toEqual([{ type: 'WebSub', url: hub }]);
      expect(JSON.parse(other)).not.toHaveProperty('hubs');
    } else {
      const { rss, feed } = new XMLParser({ ignoreAttributes: false }).parse(body);
      const links = rss?.channel['atom:link'] ?? feed.link;
      const type = rss === undefined ? 'application/atom+xml' : 'application/rss+xml';
      expect(links).toContainEqual({ '@_href': self, '@_rel': 'self', '@_type': type });
      expect(links).toContainEqual({ '@_href': hub, '@_rel': 'hub' });
      expect(other).not.toContain('rel="hub"');
    }
  }
});
