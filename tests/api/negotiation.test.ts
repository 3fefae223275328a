import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable-server.ts';
import { readEventList } from '../support/api-forms.ts';
import { type Answer, ask } from '../support/http-client.ts';
import {
  type MarqueeServer,
  siteUrl,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';

let table: AirtableServer;
let server: MarqueeServer;
let slug = '';

beforeAll(async () => {
  table = await startTable();
  server = await startMarquee(toTableSettings(table));
  slug = readEventList(await ask(server, '/api/v1/events?limit=1')).data[0]?.slug ?? '';
});

afterAll(async () => {
  await server.stop();
  await table.close();
});

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
} as const;

/** What clients send, and what they get. */
const clients: readonly (readonly [
  client: string,
  accept: string,
  form: keyof typeof types | 406,
])[] = [
  ['Claude Code', 'text/markdown, text/html, */*', 'markdown'],
  [
    'OpenCode',
    'text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1',
    'markdown',
  ],
  ['Cursor', 'text/markdown, text/plain;q=0.9, */*;q=0.8', 'markdown'],
  ['Codex CLI', 'text/html, */*', 'html'],
  [
    'a browser',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'html',
  ],
  ['curl', '*/*', 'html'],
  ['a program that sends nothing', '', 'html'],
  ['one that takes any text', 'text/*', 'html'],
  ['one that lists HTML first and Markdown as much', 'text/html, text/markdown', 'markdown'],
  ['one that likes HTML more', 'text/html, text/markdown;q=0.9', 'html'],
  ['one that likes Markdown more', 'text/html;q=0.9, text/markdown', 'markdown'],
  ['one that rules Markdown out', 'text/markdown;q=0, */*', 'html'],
  ['one that rules HTML out', 'text/html;q=0, */*', 'markdown'],
  ['one that rules both out', 'text/html;q=0, text/markdown;q=0, */*', 406],
  ['one that wants a picture', 'image/png', 406],
  ['one that wants JSON', 'application/json', 406],
  ['one that writes in capitals', 'TEXT/MARKDOWN', 'markdown'],
  ['one with a parameter', 'text/markdown;variant=GFM;q=0.5, text/html;q=0.4', 'markdown'],
];

const pages = [
  ['/', () => '/', '/index.md'],
  ['an event', () => `/events/${slug}`, null],
  ['/docs', () => '/docs', '/docs.md'],
] as const;

describe.each(pages)('%s', (_, toPath, twin) => {
  const path = () => toPath();
  const twinPath = () => twin ?? `${toPath()}.md`;
  const askAs = (accept: string, method = 'GET'): Promise<Answer> =>
    ask(server, path(), { method, headers: { accept } });

  test.each(clients)('%s, Accept: %s', async (_client, accept, form) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await askAs(accept, method);
      expect(answer.status).toBe(form === 406 ? 406 : 200);
      expect(answer.header('vary')).toMatch(/(?:^|, *)accept(?:,|$)/i);
      if (form !== 406) expect(answer.header('content-type')).toBe(types[form]);
      if (method === 'HEAD') expect(answer.body.length).toBe(0);
    }
  });

  test('without an Accept header it is HTML', async () => {
    expect((await ask(server, path())).header('content-type')).toBe(types.html);
  });

  test('a 406 is plain words about what there is', async () => {
    const answer = await askAs('image/png');
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.text).toMatch(/text\/html.*text\/markdown/);
  });

  test('the HTML leads to the Markdown, in its head and in its headers', async () => {
    const answer = await askAs('text/html');
    expect(answer.header('link')).toContain(
      `<${siteUrl}${twinPath()}>; rel="alternate"; type="text/markdown"`,
    );
    expect(answer.text).toMatch(
      new RegExp(`<link rel="alternate" type="text/markdown" href="${siteUrl}${twinPath()}"`),
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
      const answer = await ask(server, twinPath(), { headers: { accept } });
      expect(answer.status).toBe(200);
      expect(answer.header('content-type')).toBe(types.markdown);
      expect(answer.header('etag')).toBe(chosen.header('etag'));
      expect(answer.body.equals(chosen.body)).toBe(true);
    }
  });

  test('Markdown points back to the page, counts its tokens, and is short enough to be read', async () => {
    const answer = await askAs('text/markdown');
    expect(answer.header('link')).toContain(`<${siteUrl}${path()}>; rel="canonical"`);
    expect(Number(answer.header('x-markdown-tokens'))).toBeGreaterThan(10);
    expect(answer.text.length).toBeLessThan(50_000);
    expect(answer.text).toMatch(/^# /);
    expect(answer.text).not.toContain('\r');
  });
});

test('Markdown pages point to /llms.txt near their top', async () => {
  for (const path of ['/index.md', `/events/${slug}.md`, '/docs.md', '/nothing.md']) {
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
