import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { readFreshSeconds, send } from '../support/http-client.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';

/** Pages are rendered once for all who ask while they hold. */

let table: AirtableServer;
let server: MarqueeServer;

beforeAll(async () => {
  table = await startTable();
  server = await startMarquee(toTableSettings(table));
}, 60_000);

afterAll(async () => {
  await server.stop();
  await table.close();
});

const html = { accept: 'text/html' };

test('the first caller waits for a rendering, the next gets the same bytes and a hit', async () => {
  const first = await send(server, '/?n=1', { headers: html });
  const second = await send(server, '/?n=1', { headers: html });
  expect([first.header('x-cache'), second.header('x-cache')]).toEqual(['miss', 'hit']);
  expect(second.text).toBe(first.text);
  expect(second.header('etag')).toBe(first.header('etag'));
});

test('callers who come while a page is rendered share that rendering', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => send(server, '/?n=2', { headers: html })),
  );
  expect(answers.filter((answer) => answer.header('x-cache') === 'miss')).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
});

test('a caller who has the page gets a 304 without a body', async () => {
  const { header } = await send(server, '/docs', { headers: html });
  const headers = { ...html, 'if-none-match': header('etag') };
  const again = await send(server, '/docs', { headers });
  expect(again.status).toBe(304);
  expect(again.text).toBe('');
  expect(again.header('etag')).toBe(header('etag'));
  expect(again.header('vary')).toContain('Accept');
});

test('HEAD has the headers of GET and no body', async () => {
  const got = await send(server, '/', { headers: html });
  const head = await send(server, '/', { method: 'HEAD', headers: html });
  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  for (const name of [
    'etag',
    'content-length',
    'content-type',
    'vary',
    'content-security-policy',
  ]) {
    expect(head.header(name)).toBe(got.header(name));
  }
});

test('a page comes in brotli and gzip, with a tag for each', async () => {
  const plain = await send(server, '/', { headers: { ...html, 'accept-encoding': 'identity' } });
  const tags = new Set([plain.header('etag')]);
  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const response = await send(server, '/', { headers: { ...html, 'accept-encoding': coding } });
    expect(response.header('content-encoding')).toBe(coding);
    expect(decode(response.body).toString()).toBe(plain.text);
    tags.add(response.header('etag'));
  }
  expect(tags.size).toBe(3);
});

test('Next’s own payload is kept apart from the page', async () => {
  const page = await send(server, '/docs/errors', { headers: html });
  const askPayload = () =>
    send(server, '/docs/errors?_rsc', { headers: { rsc: '1', accept: '*/*' } });
  const [payload, again] = [await askPayload(), await askPayload()];
  expect(page.header('content-type')).toContain('text/html');
  expect(payload.header('content-type')).toContain('text/x-component');
  expect(again.header('x-cache')).toBe('hit');
  expect(again.text).toBe(payload.text);
});

test('every inline script of a page is allowed by its hash, and no other', async () => {
  for (const path of ['/', '/docs', '/nope']) {
    const page = await send(server, path, { headers: html });
    const policy = page.header('content-security-policy');
    const [, sources = ''] = /script-src ([^;]*)/.exec(policy) ?? [];
    expect(sources).not.toContain('unsafe');
    const scripts = [...page.text.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
      .filter(([, attributes = '']) => !attributes.includes('ld+json'))
      .map(([, , text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(scripts.length).toBeGreaterThan(0);
    expect(sources.split(' ').sort()).toEqual(["'self'", ...new Set(scripts)].sort());
  }
});

/**
 * What a server may send before the first acknowledgement comes back: ten segments (RFC 6928 §2) of what
 * Ethernet carries. A byte more costs every newcomer a round trip, 150 ms on a slow phone.
 */
const firstFlightBytes = 10 * 1460;

test.each(['/', '/events/robot-sumo-cardboard-league', '/docs/api'])(
  '%s comes in the first flight of a connection, its headers included',
  async (path) => {
    // The first caller gets what is pressed quickly; the smallest form is there soon after.
    await expect
      .poll(() => measure(path), { timeout: 20_000 })
      .toBeLessThanOrEqual(firstFlightBytes);
  },
  30_000,
);

async function measure(path: string): Promise<number> {
  const asked = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' };
  const { status, headers, body } = await send(server, path, { headers: asked });
  expect(status).toBe(200);
  expect(body.length).toBeGreaterThan(5_000);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`.length + body.length;
}

test('a page is never older than the events, and an error is never kept', async () => {
  const brief = await startMarquee({ ...toTableSettings(table), EVENTS_CACHE_SECONDS: '2' });
  const before = await send(brief, '/?n=3', { headers: html });
  expect(readFreshSeconds(before)).toBeLessThanOrEqual(300);
  table.setFault({ kind: '500-html' });
  await expect
    .poll(async () => (await send(brief, '/?n=3', { headers: html })).status, { timeout: 15_000 })
    .toBe(502);
  const failed = await send(brief, '/?n=3', { headers: html });
  expect(failed.header('cache-control')).toBe('no-store');
  expect(failed.header('x-cache')).toBe('bypass');
  table.setFault(null);
  const after = await send(brief, '/?n=3', { headers: html });
  expect(after.status).toBe(200);
  expect(after.header('x-cache')).toBe('miss');
  await brief.stop();
});
