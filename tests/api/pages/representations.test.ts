import { beforeAll, describe, expect, test } from 'vitest';
import {
  getPage,
  type HttpResponse,
  type RequestOptions,
  send,
} from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import { readPage } from '../../support/responses/read-page.ts';
import { expectSameResponse } from '../../support/responses/same-response.ts';
import { startMarquee } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

/** One table, served by `npm start` and by `next start`: of pages the same status, type, text and links. */

const server = shareServer();
const next = forTests(() => startMarquee(server.settings, 'next start'));
let paths: Readonly<Record<string, string>> = {};

beforeAll(() => {
  const pictured = server.events.find(({ pictures }) => pictures.background !== null);
  paths = {
    SLUG: server.slug,
    PICTURED: pictured?.id ?? '',
    PICTURE: pictured?.pictures.background?.id ?? '',
  };
});

const json = 'application/json; charset=utf-8';
const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
const text = 'text/plain; charset=utf-8';
const rss = 'application/rss+xml; charset=utf-8';
const atom = 'application/atom+xml; charset=utf-8';
const feed = 'application/feed+json; charset=utf-8';
const calendar = 'text/calendar; charset=utf-8';
const catalog = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const xml = 'application/xml; charset=utf-8';

type Row = readonly [
  path: string,
  status: number,
  contentType: string,
  headers?: Readonly<Record<string, string>>,
];

/** SLUG, PICTURED and PICTURE stand for an event, one with a picture, and its picture. */
const rows: readonly Row[] = [
  ['/api/v1/events', 200, json],
  ['/api/v1/events?status=upcoming,ongoing&sort=name&order=asc&limit=7', 200, json],
  ['/api/v1/events?status=upcoming&status=ended&projectType=CAD&format=both', 200, json],
  ['/api/v1/events?q=night+jam&from=2020-01-01&to=2030-01-01', 200, json],
  ['/api/v1/events?limit=&status=', 200, json],
  ['/api/v1/events?limit=0', 400, json],
  ['/api/v1/events?limit=%2B5', 400, json],
  ['/api/v1/events?status%5B%5D=ended', 400, json],
  ['/api/v1/events?q=a%00b', 400, json],
  ['/api/v1/events?what=is&this=it', 400, json],
  ['/api/v1/events', 406, json, { accept: 'text/html' }],
  ['/api/v1/events/SLUG', 200, json],
  ['/api/v1/events/SLUG?x=1', 400, json],
  ['/api/v1/events/nobody', 404, json],
  ['/api/v1/events/a%2Fb', 404, json],
  ['/api/v1/events/%E2%98%83', 404, json],
  ['/api/v1/events/nobody', 406, json, { accept: 'image/png' }],
  ['/api/v1/events/rss', 200, rss],
  ['/api/v1/events/rss?limit=3', 200, rss],
  ['/api/v1/events/rss?limit=x', 400, json],
  ['/api/v1/events/feed.atom', 200, atom],
  ['/api/v1/events/feed.json', 200, feed],
  ['/api/v1/events/feed.json?limit=3', 200, feed],
  ['/api/v1/events/calendar.ics', 200, calendar],
  ['/api/v1/events/calendar.ics?status=upcoming&limit=2', 200, calendar],
  ['/api/v1/events/calendar.ics?limit=x', 400, json],
  ['/api/v1/openapi.json', 200, json],
  ['/api/v1/openapi.json?x', 400, json],
  ['/api', 404, json],
  ['/api/v1', 404, json],
  ['/api/v2/events', 404, json],
  ['/api/a/b/c?d=e', 404, json],
  ['/llms.txt', 200, text],
  ['/llms-full.txt', 200, text],
  ['/sitemap.xml', 200, xml],
  ['/sitemap/1.xml', 200, xml],
  ['/sitemap/2.xml', 404, json],
  ['/robots.txt', 200, text],
  ['/manifest.webmanifest', 200, 'application/manifest+json; charset=utf-8'],
  ['/health', 200, 'application/json'],
  ['/index.md', 200, markdown],
  ['/index.md?status=ended&q=night', 200, markdown],
  ['/', 200, markdown, { accept: 'text/markdown' }],
  ['/', 200, markdown, { accept: 'text/markdown, text/html, */*' }],
  ['/?format=online&status=no', 200, markdown, { accept: 'text/markdown' }],
  ['/docs', 200, markdown, { accept: 'text/markdown' }],
  ['/', 200, text, { accept: 'text/plain' }],
  ['/?status=ended', 200, text, { accept: 'text/plain' }],
  ['/docs/errors', 200, text, { accept: 'text/plain' }],
  ['/events/SLUG', 200, text, { accept: 'text/plain' }],
  ['/events/nobody', 404, text, { accept: 'text/plain' }],
  ['/.well-known/api-catalog', 200, catalog],
  ['/.well-known/agent-skills/index.json', 200, json],
  ['/.well-known/agent-skills/find-events/SKILL.md', 200, markdown],
  ['/.well-known/mcp/catalog.json', 200, json],
  ['/mcp/server-card', 200, 'application/mcp-server-card+json'],
  ['/docs.md', 200, markdown],
  ['/docs/errors.md', 200, markdown],
  ['/models.md', 200, markdown],
  ['/events/SLUG', 200, markdown, { accept: 'text/markdown' }],
  ['/events/SLUG.md', 200, markdown],
  ['/events/nobody.md', 404, markdown],
  ['/events/nobody', 404, markdown, { accept: 'text/markdown' }],
  ['/nothing.md', 404, markdown],
  ['/docs/nothing', 404, markdown, { accept: 'text/markdown' }],
  ['/events/SLUG.ics', 200, calendar],
  ['/events/SLUG.ics?x=1', 400, json],
  ['/events/nobody.ics', 404, json],
  ['/media/PICTURE?w=96', 200, 'image/webp', { accept: 'image/webp,*/*' }],
  ['/media/PICTURE?w=97', 400, json],
  ['/media/attNobody', 404, json],
  ['/media/..%2f..%2fpackage.json', 404, json],
  ['/media/og.jpg', 200, 'image/jpeg'],
  ['/media/og/PICTURED.jpg', 200, 'image/jpeg'],
  ['/media/og/SLUG.png', 404, json],
  ['/media/og/nobody.jpg', 404, json],
];

const cases = rows.map(([path, status, contentType, headers = {}]) => {
  return { path, status, contentType, headers };
});

describe.each(cases)('$path $headers is a $status of type $contentType', (expected) => {
  test.each(['GET', 'HEAD'])('%s gives the same response both ways', async (method) => {
    const path = fill(expected.path);
    const options: RequestOptions = { method, headers: expected.headers };
    const response = await send(server, path, options);
    expect(response.status).toBe(expected.status);
    expect(response.header('content-type')).toBe(expected.contentType);
    if (method === 'HEAD') expect(response.body).toHaveLength(0);
    await expectSameResponse(await send(next, path, options), response);
  });
});

test.each(['/?q=night&page=2', '/events/SLUG'])(
  '%s as JSON is the same redirect under `next start`',
  async (path) => {
    const options = { headers: { accept: 'application/json' } };
    const response = await send(server, fill(path), options);
    const other = await send(next, fill(path), options);
    for (const { status, header } of [response, other]) {
      expect(status).toBe(303);
      expect(header('location')).toBe(response.header('location'));
      expect(header('vary')).toMatch(/(?:^|, *)accept(?:,|$)/i);
      expect(header('access-control-allow-origin')).toBe('*');
    }
  },
);

const pages: readonly Row[] = [
  ['/', 200, html],
  ['/?status=ended&q=night', 200, html],
  ['/?utm_source=x', 200, html],
  ['/?when=month&view=list', 200, html],
  ['/?status=nope&page=0', 200, html],
  ['/?status=ended&page=2', 200, html],
  ['/events/SLUG', 200, html],
  ['/events/nobody', 404, html],
  ['/events/a/b', 404, html],
  ['/docs', 200, html],
  ['/docs/api', 200, html],
  ['/docs/ai', 200, html],
  ['/docs/agents', 200, html],
  ['/docs/errors', 200, html],
  ['/docs/versioning', 200, html],
  ['/docs/nothing', 404, html],
  ['/models', 200, html],
  ['/calendar', 200, html],
  ['/calendar?format=online&month=2026-12&x=1', 200, html],
  ['/calendar?month=9999-12', 404, html],
  ['/subscribe?q=night', 200, html],
  ['/saved', 200, html],
  ['/recent', 200, html],
  ['/recent.md', 200, markdown],
  ['/saved?id=recV7kQ2mXw4Tn9Lb', 200, html],
  ['/saved', 200, markdown, { accept: 'text/markdown' }],
  ['/saved.md', 200, markdown],
  ['/nothing', 404, html],
  ['/unavailable', 404, html],
  ['/missing/x', 404, html],
  ['/markdown/docs', 404, html],
  ['/no-month', 404, html],
  ['/calendar/SLUG', 404, html],
  ['/', 406, markdown, { accept: 'image/png' }],
  ['/docs', 406, json, { accept: 'application/json' }],
  ['/nothing', 404, json, { accept: 'application/json' }],
  ['/.well-known/oauth-protected-resource/mcp', 404, json, { accept: 'application/json' }],
  ['/.well-known/oauth-authorization-server', 404, html, { accept: '*/*' }],
  ['/%zz', 400, text],
  ['/events/%ff', 400, text],
];

describe.for(pages)('%s is a %i of the type %s', ([path, status, contentType, headers]) => {
  test.each(['GET', 'HEAD'])('%s is the same however it is served', async (method) => {
    const options = { method, headers: { accept: 'text/html', ...headers } };
    const response = await send(server, fill(path), options);
    const alone = await send(next, fill(path), options);
    expect([response.status, response.header('content-type')]).toEqual([status, contentType]);
    expect(alone.status).toBe(status);
    expect(alone.header('content-type').replace(/;\s*/, '; ').toLowerCase()).toBe(contentType);
    expect(toVisible(alone)).toEqual(toVisible(response));
  });
});

test.each(['/docs/', '//docs', '/events/SLUG/'])(
  '%s is redirected to its canonical path',
  async (path) => {
    for (const origin of [server, next]) {
      const { status, header } = await send(origin, fill(path));
      expect(status).toBe(308);
      expect(new URL(header('location'), 'http://localhost').pathname).toBe(
        fill(path).replace('//', '/').replace(/\/$/, ''),
      );
    }
  },
);

// ASVS 3.7.1
test('both send a policy that allows only scripts of ours, and no frames', async () => {
  for (const path of ['/', '/docs', '/nothing', '/events/nobody']) {
    for (const origin of [server, next]) {
      const { header } = await getPage(origin, path);
      expect(header('content-security-policy')).toMatch(/script-src 'self' '(?:sha256|nonce)-/);
      expect(header('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/);
      expect(header('content-security-policy')).toContain("; frame-ancestors 'none'");
      expect(header('x-content-type-options')).toBe('nosniff');
    }
  }
});

test.each(['POST', 'PUT', 'DELETE', 'PROPFIND', 'OPTIONS'])('%s of a page', async (method) => {
  for (const [origin, path] of [
    [server, '/'],
    [server, '/events/some-event'],
    [server, '/docs'],
    [next, '/docs'],
  ] as const) {
    const { status, header } = await send(origin, path, { method });
    expect(status).toBe(method === 'OPTIONS' ? 204 : 405);
    expect(header('allow')).toBe('GET, HEAD, OPTIONS');
    if (status === 204) expect(header('content-length')).toBe('');
  }
});

/** What a reader sees of a page, and where its links lead. */
function toVisible({ text, header }: HttpResponse) {
  return header('content-type').startsWith('text/html') ? readPage(text) : text.trim();
}

test.each([
  [
    'when=yesterday',
    '“yesterday”. Try today, tonight, this weekend, next 7 days, this month or next month.',
  ],
  [
    'projectType=Cars',
    '“Cars”. Try electronics, websites, software, games, CAD or other projects.',
  ],
  ['from=2026-13-01', '“2026-13-01”: we expected a valid date, as YYYY-MM-DD.'],
  ['when=today&when=tonight', 'Only one of these can be chosen: “today”, “tonight”.'],
  ['within=10', 'A distance needs a place from which it is measured.'],
])(
  'of /?%s the page says what it does not know, without the names of parameters',
  async (query, words) => {
    const { text } = await getPage(server, `/?${query}`);
    const notice = /<div class="notice notice-wrong">(.*?)<\/div>/.exec(text)?.[1] ?? '';
    expect(notice.replace(/<!--.*?-->|<[^>]*>/g, '')).toContain(words);
    expect(notice).not.toMatch(/parameter|<code>(?:when|from|within)/);
  },
);

function fill(path: string): string {
  return path.replace(/SLUG|PICTURED|PICTURE/g, (name) => paths[name] ?? '');
}
