import { describe, expect, test } from 'vitest';
import { readEventList } from '../support/api-responses.ts';
import { decodeBody, type HttpResponse, readFreshSeconds, send } from '../support/http-client.ts';
import { shareServer } from '../support/running-server.ts';

const server = shareServer();

type Address = Readonly<{ name: string; path: () => string; accept?: string; small?: true }>;

const addresses: readonly Address[] = [
  { name: 'the list', path: () => '/api/v1/events' },
  { name: 'an item', path: () => `/api/v1/events/${server.slug}` },
  { name: 'RSS', path: () => '/api/v1/events/rss' },
  { name: 'JSON Feed', path: () => '/api/v1/events/feed.json' },
  { name: 'the calendar', path: () => '/api/v1/events/calendar.ics' },
  { name: 'OpenAPI', path: () => '/api/v1/openapi.json' },
  { name: 'llms.txt', path: () => '/llms.txt' },
  { name: 'the directory in Markdown', path: () => '/', accept: 'text/markdown' },
  { name: 'an event in Markdown', path: () => `/events/${server.slug}.md` },
  { name: 'a text in Markdown', path: () => '/docs/api.md' },
];

describe.each(addresses)('$name', ({ path, accept }) => {
  function sendWithAccept(headers: Record<string, string>, method = 'GET'): Promise<HttpResponse> {
    return send(server, path(), { method, headers: { ...(accept && { accept }), ...headers } });
  }

  test('has a strong tag, a date and a freshness, and says by which header it was chosen', async () => {
    const response = await sendWithAccept({});
    expect(response.status).toBe(200);
    expect(response.header('etag')).toMatch(/^"[^"]{8,}"$/);
    expect(Date.parse(response.header('last-modified'))).toBeLessThanOrEqual(Date.now());
    expect(response.header('vary')).toMatch(/\baccept-encoding\b/i);
    expect(readFreshSeconds(response)).toBeGreaterThan(0);
    expect(response.header('content-length')).toBe(String(response.body.length));
    expect((await sendWithAccept({})).header('etag')).toBe(response.header('etag'));
  });

  test('answers HEAD with the headers of GET and no body', async () => {
    const [get, head] = [await sendWithAccept({}), await sendWithAccept({}, 'HEAD')];
    expect(head.status).toBe(200);
    expect(head.body.length).toBe(0);
    for (const name of [
      'etag',
      'content-type',
      'content-length',
      'vary',
      'last-modified',
      'link',
    ]) {
      expect(head.header(name), name).toBe(get.header(name));
    }
  });

  test('is a 304 that repeats ETag, Cache-Control and Vary to whoever has it', async () => {
    const full = await sendWithAccept({});
    const etag = full.header('etag');
    for (const given of [
      etag,
      `W/${etag}`,
      `"another", ${etag}`,
      `"a,b" , W/"c",W/${etag}`,
      '*',
      ' * ',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const response = await sendWithAccept({ 'if-none-match': given }, method);
        expect(response.status, `${method} ${given}`).toBe(304);
        expect(response.body.length).toBe(0);
        expect(response.header('etag')).toBe(etag);
        expect(response.header('vary')).toBe(full.header('vary'));
        expect(response.header('cache-control')).toMatch(/^public, max-age=\d+$/);
        expect(response.header('content-type')).toBe('');
        expect(response.header('access-control-allow-origin')).toBe('*');
        expect(response.header('x-request-id')).not.toBe('');
      }
    }
  });

  test('is sent whole to whoever has another, even with a date in the future', async () => {
    const etag = (await sendWithAccept({})).header('etag');
    const future = new Date(Date.now() + 86_400_000).toUTCString();
    for (const given of [
      '"another"',
      'W/"another", "third"',
      etag.replaceAll('"', ''),
      '""',
      'x',
    ]) {
      const response = await sendWithAccept({
        'if-none-match': given,
        'if-modified-since': future,
      });
      expect(response.status, given).toBe(200);
    }
  });

  test('If-Modified-Since counts where there is no If-None-Match', async () => {
    const date = (await sendWithAccept({})).header('last-modified');
    expect((await sendWithAccept({ 'if-modified-since': date })).status).toBe(304);
    const before = new Date(Date.parse(date) - 86_400_000).toUTCString();
    expect((await sendWithAccept({ 'if-modified-since': before })).status).toBe(200);
    expect((await sendWithAccept({ 'if-modified-since': 'the day before' })).status).toBe(200);
  });

  test('is compressed to the same content under a tag of its own', async () => {
    const plain = await sendWithAccept({});
    const tags = new Set([plain.header('etag')]);
    for (const encoding of ['gzip', 'br']) {
      const packed = await sendWithAccept({ 'accept-encoding': encoding });
      // Below a kilobyte compressing saves no packet.
      expect(packed.header('content-encoding')).toBe(plain.body.length < 1024 ? '' : encoding);
      expect((await decodeBody(packed)).equals(plain.body)).toBe(true);
      expect(packed.header('content-length')).toBe(String(packed.body.length));
      tags.add(packed.header('etag'));
      const again = await sendWithAccept({
        'accept-encoding': encoding,
        'if-none-match': packed.header('etag'),
      });
      expect(again.status).toBe(304);
      expect(again.header('etag')).toBe(packed.header('etag'));
    }
    expect(tags.size).toBe(plain.body.length < 1024 ? 1 : 3);
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip;q=0, br;q=0', ''],
    ['identity', ''],
    ['*;q=0', ''],
    ['zstd', ''],
    ['', ''],
    ['GZIP', 'gzip'],
  ])('Accept-Encoding %j gives %j', async (given, expected) => {
    const plain = await sendWithAccept({});
    const response = await sendWithAccept({ 'accept-encoding': given });
    const encoding = plain.body.length < 1024 ? '' : expected;
    expect(response.header('content-encoding')).toBe(encoding);
    expect((await decodeBody(response)).equals(plain.body)).toBe(true);
  });
});

test('age of the snapshot and max-age are never more than 300 seconds together', async () => {
  const response = await send(server, '/api/v1/events?limit=1');
  const ageMs = Date.now() - Date.parse(readEventList(response).meta.generatedAt);
  for (const { path, accept } of addresses.filter(({ name }) => !/OpenAPI|a text/.test(name))) {
    const kept = await send(server, path(), { headers: accept ? { accept } : {} });
    expect(readFreshSeconds(kept) * 1000 + ageMs).toBeLessThan(301_000);
  }
});
