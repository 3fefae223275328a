import { describe, expect, test } from 'vitest';
import { type AcceptRow, acceptCases, knownClients } from '#lib/docs/accept-table.ts';
import { docsPaths } from '#lib/docs/pages.ts';
import { type Answer, ask } from '../support/http-client.ts';
import { siteUrl } from '../support/marquee-server.ts';
import { runServerForTests } from '../support/running-server.ts';

const server = runServerForTests();

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  none: 'text/plain; charset=utf-8',
} as const;

const rows: readonly AcceptRow[] = [...knownClients, ...acceptCases];

type TestedPage = Readonly<{ name: string; toPath: () => string; toTwin: () => string }>;

/** Every page there is, with the address of its Markdown twin. */
const pages: readonly TestedPage[] = [
  { name: 'the directory', toPath: () => '/', toTwin: () => '/index.md' },
  {
    name: 'an event',
    toPath: () => `/events/${server.slug}`,
    toTwin: () => `/events/${server.slug}.md`,
  },
  ...[...docsPaths, '/models'].map((path) => ({
    name: path,
    toPath: () => path,
    toTwin: () => `${path}.md`,
  })),
];

const missing = { name: 'a page that is not there', toPath: () => '/nothing-here' };

function askWith(path: string, accept: string | null, method = 'GET'): Promise<Answer> {
  return ask(server, path, { method, headers: accept === null ? {} : { accept } });
}

test.each([...pages, missing])(
  '$name has the form that each Accept header asks for',
  async ({ toPath }) => {
    const path = toPath();
    const found = toPath === missing.toPath ? 404 : 200;
    for (const { accept, form } of rows) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await askWith(path, accept, method);
        const row = `${method} with ${accept}`;
        expect(answer.status, row).toBe(form === 'none' ? 406 : found);
        expect(answer.header('vary'), row).toMatch(/(?:^|, *)accept(?:,|$)/i);
        expect(answer.header('content-type'), row).toBe(types[form]);
        if (form === 'markdown' && found === 200) {
          expect(answer.header('etag'), row).toMatch(/^"[^"]{8,}"$/);
          expect(answer.header('link'), row).toContain(`<${siteUrl}${path}>; rel="canonical"`);
        }
        if (form === 'html' && found === 200) {
          expect(answer.header('link'), row).toMatch(/; rel="alternate"; type="text\/markdown"/);
        }
        if (method === 'HEAD') expect(answer.body.length, row).toBe(0);
      }
    }
  },
);

describe.each(pages)('$name', ({ toPath, toTwin }) => {
  const askAs = (accept: string): Promise<Answer> => askWith(toPath(), accept);

  test('a 406 is plain words about what there is', async () => {
    const answer = await askAs('image/png');
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.text).toMatch(/text\/html.*text\/markdown/);
  });

  test('the HTML leads to the Markdown, in its head and in its headers', async () => {
    const answer = await askAs('text/html');
    expect(answer.header('link')).toContain(
      `<${siteUrl}${toTwin()}>; rel="alternate"; type="text/markdown"`,
    );
    expect(answer.text).toMatch(
      new RegExp(`<link rel="alternate" type="text/markdown" href="${siteUrl}${toTwin()}"`),
    );
    expect(answer.text).not.toMatch(/^#/);
  });

  test('the forms have different tags', async () => {
    const [html, markdown] = [await askAs('text/html'), await askAs('text/markdown')];
    expect(markdown.header('etag')).not.toBe('');
    expect(html.header('etag')).not.toBe(markdown.header('etag'));
  });

  test('the .md address gives the same Markdown whatever Accept says', async () => {
    const chosen = await askAs('text/markdown');
    for (const accept of ['text/markdown', 'text/html', '*/*', 'image/png']) {
      const answer = await ask(server, toTwin(), { headers: { accept } });
      expect(answer.status).toBe(200);
      expect(answer.header('content-type')).toBe(types.markdown);
      expect(answer.header('etag')).toBe(chosen.header('etag'));
      expect(answer.body.equals(chosen.body)).toBe(true);
    }
  });

  test('Markdown points back to the page, counts its tokens, and is short enough to be read', async () => {
    const answer = await askAs('text/markdown');
    expect(answer.header('link')).toContain(`<${siteUrl}${toPath()}>; rel="canonical"`);
    expect(Number(answer.header('x-markdown-tokens'))).toBeGreaterThan(10);
    expect(answer.text.length).toBeLessThan(50_000);
    expect(answer.text).toMatch(/^# /);
    expect(answer.text).not.toContain('\r');
  });
});

test('the directory’s Markdown goes through the same filters as its page, and says what it left out', async () => {
  const ended = server.events.filter(({ status }) => status === 'ended');
  for (const path of ['/?status=ended', '/index.md?status=ended']) {
    const answer = await askWith(path, 'text/markdown');
    expect(answer.header('link')).toContain(`<${siteUrl}/?status=ended>; rel="canonical"`);
    expect(answer.text).toContain(`0 on now, 0 coming up, 0 open-ended, ${ended.length} past.`);
    expect(answer.text).toContain(`(${siteUrl}/api/v1/events?status=ended)`);
  }
  const mistaken = await askWith('/?status=endet&utm_source=x', 'text/markdown');
  expect(mistaken.status).toBe(200);
  expect(mistaken.text).toMatch(/^> .*status.*endet.*It was left out/m);
  const whole = await askWith('/index.md', null);
  expect(mistaken.text).toContain(/^\d+ on now.*$/m.exec(whole.text)?.[0]);
});

test('Markdown pages point to /llms.txt near their top', async () => {
  for (const path of ['/index.md', `/events/${server.slug}.md`, '/docs.md', '/nothing.md']) {
    expect((await ask(server, path)).text.slice(0, 1500), path).toContain('/llms.txt');
  }
});

test.each(['/nothing', '/events/nobody', '/docs/nothing', '/events', '/events/a/b'])(
  '%s is a 404 in both forms, and is not kept',
  async (path) => {
    for (const [given, accept] of [
      [path, 'text/html'],
      [path, 'text/markdown'],
      [`${path}.md`, '*/*'],
    ] as const) {
      const answer = await ask(server, given, { headers: { accept } });
      expect(answer.status).toBe(404);
      expect(answer.header('cache-control')).toMatch(/no-store/);
      expect(answer.header('vary')).toMatch(/(?:^|, *)accept(?:,|$)/i);
      expect(answer.header('content-type')).toBe(
        accept === 'text/html' ? types.html : types.markdown,
      );
    }
  },
);

test('the HTML of a 404 says so to people, with a way on', async () => {
  for (const path of ['/nothing', '/events/nobody', '/docs/nothing']) {
    const { text } = await ask(server, path, { headers: { accept: 'text/html' } });
    expect(text, path).toMatch(/<h1[^>]*>/);
    expect(text, path).toContain('<a href="/">');
  }
});

test('llms.txt has one form, whatever Accept says', async () => {
  for (const accept of ['text/markdown', 'text/html', 'text/plain', '*/*']) {
    const answer = await ask(server, '/llms.txt', { headers: { accept } });
    expect(answer.status).toBe(200);
    expect(answer.header('content-type')).toMatch(/^text\/(?:plain|markdown); charset=utf-8$/);
  }
});
