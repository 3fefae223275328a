import { describe, expect, test } from 'vitest';
import { getPage, type HttpResponse, send } from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import { readPage } from '../../support/responses/read-page.ts';
import { startMarquee } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

/** Pages by `npm start` and by `next start`: the same status, type, text and links. */

const server = shareServer();
const next = forTests(() => startMarquee(server.settings, 'next start'));

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

type Row = readonly [path: string, status: number, contentType: string, accept?: string];

const rows: readonly Row[] = [
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
  ['/saved', 200, markdown, 'text/markdown'],
  ['/saved.md', 200, markdown],
  ['/nothing', 404, html],
  ['/unavailable', 404, html],
  ['/missing/x', 404, html],
  ['/markdown/docs', 404, html],
  ['/no-month', 404, html],
  ['/calendar/SLUG', 404, html],
  ['/', 406, markdown, 'image/png'],
  ['/docs', 406, 'application/json; charset=utf-8', 'application/json'],
  ['/nothing', 404, 'application/json; charset=utf-8', 'application/json'],
  [
    '/.well-known/oauth-protected-resource/mcp',
    404,
    'application/json; charset=utf-8',
    'application/json',
  ],
  ['/.well-known/oauth-authorization-server', 404, html, '*/*'],
  ['/%zz', 400, plain],
  ['/events/%ff', 400, plain],
];

describe.for(rows)(
  '%s is a %i of the type %s',
  ([path, status, contentType, accept = 'text/html']) => {
    test.each(['GET', 'HEAD'])('%s is the same however it is served', async (method) => {
      const filled = path.replace('SLUG', server.slug);
      const options = { method, headers: { accept } };
      const response = await send(server, filled, options);
      const alone = await send(next, filled, options);
      expect([response.status, response.header('content-type')]).toEqual([status, contentType]);
      expect(alone.status).toBe(status);
      expect(alone.header('content-type').replace(/;\s*/, '; ').toLowerCase()).toBe(contentType);
      expect(toVisible(alone)).toEqual(toVisible(response));
    });
  },
);

test.each(['/docs/', '//docs', '/events/SLUG/'])(
  '%s is redirected to its canonical path',
  async (path) => {
    const filled = path.replace('SLUG', server.slug);
    for (const origin of [server, next]) {
      const { status, header } = await send(origin, filled);
      expect(status).toBe(308);
      expect(new URL(header('location'), 'http://localhost').pathname).toBe(
        filled.replace('//', '/').replace(/\/$/, ''),
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
