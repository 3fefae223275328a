import { describe, expect, test } from 'vitest';
import { acceptQuality } from '#lib/http/representations/accept.ts';
import {
  type AcceptRow,
  acceptCases,
  knownClients,
} from '#lib/representations/docs/accept-rows.ts';
import { docsPaths } from '#lib/representations/docs/page-rows.ts';
import { type HttpResponse, send } from '../../support/clients/http-client.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

/** A 406 is in JSON for clients that accept it, else in Markdown. */
function toNotAcceptableType(accept: string | null): string {
  const acceptsJson = acceptQuality(accept, 'application/json') > 0;
  return acceptsJson ? 'application/json; charset=utf-8' : types.markdown;
}

const rows: readonly AcceptRow[] = [...knownClients, ...acceptCases];

type TestedPage = Readonly<{
  name: string;
  toPath: () => string;
  toMarkdownPath: () => string;
  /** The path of its JSON. */
  toJsonPath?: () => string;
}>;

/** Every kind of page, with the path of its Markdown. */
const pages: readonly TestedPage[] = [
  {
    name: 'the directory',
    toPath: () => '/',
    toMarkdownPath: () => '/index.md',
    toJsonPath: () => '/api/v1/events',
  },
  {
    name: 'an event',
    toPath: () => `/events/${server.slug}`,
    toMarkdownPath: () => `/events/${server.slug}.md`,
    toJsonPath: () => `/api/v1/events/${server.slug}`,
  },
  ...[...docsPaths, '/models', '/calendar', '/subscribe'].map((path) => ({
    name: path,
    toPath: () => path,
    toMarkdownPath: () => `${path}.md`,
  })),
];

const missing: Omit<TestedPage, 'toMarkdownPath'> = {
  name: 'a missing page',
  toPath: () => '/nothing-here',
};

function sendWithAccept(
  path: string,
  accept: string | null,
  method = 'GET',
): Promise<HttpResponse> {
  return send(server, path, { method, headers: accept === null ? {} : { accept } });
}

test.each([...pages, missing])(
  '$name has the representation that each Accept header selects',
  async ({ toPath, toJsonPath }) => {
    const path = toPath();
    const found = toPath === missing.toPath ? 404 : 200;
    for (const { accept, selects } of rows) {
      for (const method of ['GET', 'HEAD']) {
        const response = await sendWithAccept(path, accept, method);
        const row = `${method} with ${accept}`;
        expect(response.header('vary'), row).toMatch(/(?:^|, *)accept(?:,|$)/i);
        if (method === 'HEAD') expect(response.body.length, row).toBe(0);
        if (selects === 'json' && toJsonPath !== undefined) {
          expect(response.status, row).toBe(303);
          expect(response.header('location'), row).toBe(toJsonPath());
          continue;
        }
        const isFound = selects !== 'none' && selects !== 'json';
        // Nothing has the URL: programs, which read JSON, are told so.
        const isMissing = found === 404 && toNotAcceptableType(accept).includes('json');
        expect(response.status, row).toBe(isFound || isMissing ? found : 406);
        expect(response.header('content-type'), row).toBe(
          isFound ? types[selects] : toNotAcceptableType(accept),
        );
        if ((selects === 'markdown' || selects === 'text') && found === 200) {
          expect(response.header('etag'), row).toMatch(/^"[^"]{8,}"$/);
          expect(response.header('link'), row).toContain(`<${siteUrl}${path}>; rel="canonical"`);
        }
        if (selects === 'html' && found === 200) {
          expect(response.header('link'), row).toMatch(/; rel="alternate"; type="text\/markdown"/);
        }
      }
    }
  },
);

describe.each(pages)('$name', ({ toPath, toMarkdownPath }) => {
  const sendAccept = (accept: string): Promise<HttpResponse> => sendWithAccept(toPath(), accept);

  test('a 406 lists the available representations, and each is at its URL', async () => {
    const [markdown, json] = [
      await sendAccept('image/png'),
      await sendAccept('image/png, application/*;q=0.1'),
    ];
    const { code, representations } = JSON.parse(json.text);
    expect(code).toBe('not_acceptable');
    expect(representations.length).toBeGreaterThan(1);
    for (const { type, url } of representations) {
      expect(markdown.text).toContain(`\`${type}\`: [${url}](${url})`);
      expect(markdown.header('link')).toContain(`<${url}>; rel="alternate"; type="${type}"`);
      const representation = await send(server, url.slice(siteUrl.length), {
        headers: { accept: '*/*' },
      });
      expect(representation.status, url).toBe(200);
      expect(representation.header('content-type')).toContain(type);
    }
    for (const response of [markdown, json]) {
      expect(response.header('cache-control')).toBe('no-store');
      expect(response.header('x-request-id')).not.toBe('');
    }
  });

  test('the HTML links to the Markdown in its head and in its Link header', async () => {
    const response = await sendAccept('text/html');
    expect(response.header('link')).toContain(
      `<${siteUrl}${toMarkdownPath()}>; rel="alternate"; type="text/markdown"`,
    );
    expect(response.text).toMatch(
      new RegExp(`<link rel="alternate" type="text/markdown" href="${siteUrl}${toMarkdownPath()}"`),
    );
    expect(response.text).not.toMatch(/^#/);
  });

  test('plain text is the Markdown, and HTML, Markdown and plain text have different ETags', async () => {
    const accepts = ['text/html', 'text/markdown', 'text/plain'];
    const responses = await Promise.all(accepts.map(sendAccept));
    const [, markdown, plain] = responses;
    expect(plain?.text).toBe(markdown?.text);
    const etags = new Set(responses.map(({ header }) => header('etag')));
    expect(etags).not.toContain('');
    expect(etags.size).toBe(3);
  });

  test('the .md URL gives the same Markdown for every Accept header', async () => {
    const chosen = await sendAccept('text/markdown');
    for (const accept of ['text/markdown', 'text/html', '*/*', 'image/png']) {
      const response = await send(server, toMarkdownPath(), { headers: { accept } });
      expect(response.status).toBe(200);
      expect(response.header('content-type')).toBe(types.markdown);
      expect(response.header('etag')).toBe(chosen.header('etag'));
      expect(response.body.equals(chosen.body)).toBe(true);
    }
  });

  test('Markdown links to the page, has a token count, and is shorter than 50,000 characters', async () => {
    const response = await sendAccept('text/markdown');
    expect(response.header('link')).toContain(`<${siteUrl}${toPath()}>; rel="canonical"`);
    expect(Number(response.header('x-markdown-tokens'))).toBeGreaterThan(10);
    expect(response.text.length).toBeLessThan(50_000);
    expect(response.text).toMatch(/^# /);
    expect(response.text).not.toContain('\r');
  });
});

test('the directory’s Markdown has the filters of the page, and reports ignored parameters', async () => {
  const ended = server.events.filter(({ status }) => status === 'ended');
  for (const path of ['/?status=ended', '/index.md?status=ended']) {
    const response = await sendWithAccept(path, 'text/markdown');
    expect(response.header('link')).toContain(`<${siteUrl}/?status=ended>; rel="canonical"`);
    expect(response.text).toContain(`\n\n${ended.length} past.`);
    expect(response.text).not.toContain('## On now');
    expect(response.text).toContain(`(${siteUrl}/api/v1/events?status=ended)`);
  }
  const invalid = await sendWithAccept('/?status=endet&utm_source=x', 'text/markdown');
  expect(invalid.status).toBe(200);
  expect(invalid.text).toMatch(/^> .*endet.*status.*It was ignored/m);
  const unfiltered = await sendWithAccept('/index.md', null);
  expect(invalid.text).toContain(/^\d+ pinned.*$/m.exec(unfiltered.text)?.[0]);
});

test('JSON has the filters of the page, and works from pages of other sites', async () => {
  const response = await sendWithAccept(
    '/?q=night&status=ended,upcoming&page=2&utm_source=x',
    'application/json',
  );
  expect(response.status).toBe(303);
  expect(response.header('location')).toBe('/api/v1/events?status=ended,upcoming&q=night');
  expect(response.header('access-control-allow-origin')).toBe('*');
  const list = await sendWithAccept(response.header('location'), 'application/json');
  expect(list.status).toBe(200);
  const online = await sendWithAccept('/?format=online&when=today', 'application/json');
  expect(online.header('location')).toBe('/api/v1/events?format=online,both&when=today');
  expect((await sendWithAccept(online.header('location'), '*/*')).status).toBe(200);
  const invalid = await sendWithAccept('/?status=endet', 'application/json');
  expect(invalid.header('location')).toBe('/api/v1/events?status=endet');
});

test('for programs an event that nobody knows is a 404, whatever its URL has, and never another site', async () => {
  for (const path of ['/events/nobody', '/events/a%2Fb', '/events/%2F%2Fevil', '/events/%0d%0ax']) {
    const response = await sendWithAccept(path, 'application/json');
    expect([response.status, response.header('location')]).toEqual([404, '']);
    expect(JSON.parse(response.text).code).toBe('not_found');
  }
});

test.each(['/nothing', '/events/nobody', '/docs/nothing', '/events', '/events/a/b'])(
  '%s is a 404 in HTML and Markdown, and not cacheable',
  async (path) => {
    for (const [url, accept] of [
      [path, 'text/html'],
      [path, 'text/markdown'],
      [`${path}.md`, '*/*'],
    ] as const) {
      const response = await send(server, url, { headers: { accept } });
      expect(response.status).toBe(404);
      expect(response.header('cache-control')).toMatch(/no-store/);
      expect(response.header('vary')).toMatch(/(?:^|, *)accept(?:,|$)/i);
      expect(response.header('content-type')).toBe(
        accept === 'text/html' ? types.html : types.markdown,
      );
    }
  },
);
