import { describe, expect, test } from 'vitest';
import {
  decodeBody,
  type HttpResponse,
  readFreshSeconds,
  send,
} from '../../support/clients/http-client.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();

type Resource = Readonly<{ name: string; path: () => string; accept?: string }>;

const resources: readonly Resource[] = [
  { name: 'the list', path: () => '/api/v1/events' },
  { name: 'an item', path: () => `/api/v1/events/${server.slug}` },
  { name: 'RSS', path: () => '/api/v1/events/rss' },
  { name: 'Atom', path: () => '/api/v1/events/feed.atom' },
  { name: 'JSON Feed', path: () => '/api/v1/events/feed.json' },
  { name: 'the calendar', path: () => '/api/v1/events/calendar.ics' },
  { name: 'the calendar with alarms', path: () => '/api/v1/events/calendar.ics?alarms=true' },
  { name: 'OpenAPI', path: () => '/api/v1/openapi.json' },
  { name: 'llms.txt', path: () => '/llms.txt' },
  { name: 'the directory', path: () => '/', accept: 'text/html' },
  { name: 'documentation', path: () => '/docs', accept: 'text/html' },
  { name: 'the directory in Markdown', path: () => '/', accept: 'text/markdown' },
  { name: 'an event in Markdown', path: () => `/events/${server.slug}.md` },
  { name: 'documentation in Markdown', path: () => '/docs/api.md' },
];

describe.each(resources)('$name', ({ path, accept }) => {
  function sendWithAccept(headers: Record<string, string>, method = 'GET'): Promise<HttpResponse> {
    return send(server, path(), { method, headers: { ...(accept && { accept }), ...headers } });
  }

  test('has a strong ETag, Last-Modified, max-age and Vary', async () => {
    const response = await sendWithAccept({});
    expect(response.status).toBe(200);
    expect(response.header('etag')).toMatch(/^"[^"]{8,}"$/);
    expect(Date.parse(response.header('last-modified'))).toBeLessThanOrEqual(Date.now());
    expect(response.header('vary')).toMatch(/\baccept-encoding\b/i);
    expect(readFreshSeconds(response)).toBeGreaterThan(0);
    expect(response.header('content-length')).toBe(String(response.body.length));
    expect((await sendWithAccept({})).header('etag')).toBe(response.header('etag'));
  });

  test('an If-Match that does not hold is a 412, and one that holds changes nothing', async () => {
    for (const method of ['GET', 'HEAD']) {
      const etag = (await sendWithAccept({})).header('etag');
      for (const ifMatch of [etag, '*', `"other", ${etag}`]) {
        expect((await sendWithAccept({ 'if-match': ifMatch }, method)).status).toBe(200);
      }
      for (const ifMatch of ['"other"', `W/${etag}`]) {
        expect((await sendWithAccept({ 'if-match': ifMatch }, method)).status).toBe(412);
      }
      const long = { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' };
      expect((await sendWithAccept(long, method)).status).toBe(412);
      const now = { 'if-unmodified-since': new Date(Date.now() + 86_400_000).toUTCString() };
      expect((await sendWithAccept(now, method)).status).toBe(200);
    }
    // It is looked at first (RFC 9110 §13.2.2).
    const both = { 'if-match': '"other"', 'if-none-match': '*' };
    expect((await sendWithAccept(both)).status).toBe(412);
    expect((await sendWithAccept({})).status).toBe(200);
  });

  test('a HEAD has the headers of a GET and no body', async () => {
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
      'content-security-policy',
    ]) {
      expect(head.header(name), name).toBe(get.header(name));
    }
  });

  test('a matching If-None-Match gives a 304 with ETag, Cache-Control and Vary', async () => {
    for (const condition of [
      'ETAG',
      'W/ETAG',
      '"another", ETAG',
      '"a,b" , W/"c",W/ETAG',
      '*',
      ' * ',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        // Asked for each time: once its pictures are known, the next read of the table changes a page.
        const full = await sendWithAccept({});
        const etag = full.header('etag');
        const ifNoneMatch = condition.replace('ETAG', etag);
        const response = await sendWithAccept({ 'if-none-match': ifNoneMatch }, method);
        expect(response.status, `${method} ${ifNoneMatch}`).toBe(304);
        expect(response.body.length).toBe(0);
        expect(response.header('etag')).toBe(etag);
        expect(response.header('vary')).toBe(full.header('vary'));
        expect(response.header('cache-control')).toMatch(/^public, max-age=\d+$/);
        expect(response.header('content-type')).toBe('');
        const origins = accept === 'text/html' ? '' : '*';
        expect(response.header('access-control-allow-origin')).toBe(origins);
        expect(response.header('x-request-id')).not.toBe('');
      }
    }
  });

  test('each encoding has the same content and its own ETag', async () => {
    const plain = await sendWithAccept({});
    const tags = new Set([plain.header('etag')]);
    for (const encoding of ['gzip', 'br']) {
      const packed = await sendWithAccept({ 'accept-encoding': encoding });
      // Bodies below a kilobyte are not compressed.
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
});

test('the snapshot’s age and max-age add up to at most 300 seconds', async () => {
  const response = await send(server, '/api/v1/events?limit=1');
  const ageMs = Date.now() - Date.parse(readEventList(response).meta.generatedAt);
  for (const { path, accept } of resources.filter(
    ({ name }) => !/OpenAPI|documentation/.test(name),
  )) {
    const cached = await send(server, path(), { headers: accept ? { accept } : {} });
    expect(readFreshSeconds(cached) * 1000 + ageMs).toBeLessThan(301_000);
  }
});
