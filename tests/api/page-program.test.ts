import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { send } from '../support/http-client.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';

/** A page's client program waits at an address of its own until somebody touches the page. */

let table: AirtableServer;
let server: MarqueeServer;
let other: MarqueeServer;

beforeAll(async () => {
  table = await startTable();
  [server, other] = await Promise.all([
    startMarquee(toTableSettings(table)),
    startMarquee(toTableSettings(table)),
  ]);
}, 60_000);

afterAll(async () => {
  await Promise.all([server.stop(), other.stop()]);
  await table.close();
});

const html = { accept: 'text/html' };
const paths = ['/', '/?q=jam&status=upcoming', '/events/night-train-hackathon', '/docs/api'];

async function findAddress(path: string): Promise<string> {
  const { text } = await send(server, path, { headers: html });
  return /src:"(\/_page\/[^"]+)"/.exec(text)?.[1] ?? '';
}

test.each(paths)('the program of %s is not in the page, and is kept for good', async (path) => {
  const page = await send(server, path, { headers: html });
  expect(page.text).not.toContain('__next_f');
  expect(page.text).not.toMatch(/<script [^>]*src="\/_next/);
  const script = await send(server, await findAddress(path));
  expect(script.status).toBe(200);
  expect(script.header('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.header('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(script.header('x-content-type-options')).toBe('nosniff');
  expect(script.text).toContain('self.__next_f');
  expect(script.text).toContain('/_next/static/');
});

test.each(paths)('another instance has the program of %s too', async (path) => {
  const address = await findAddress(path);
  const [here, there] = [await send(server, address), await send(other, address)];
  expect(there.status).toBe(200);
  expect(there.text).toBe(here.text);
});

test('a program that no page has any more is a 404 that nobody keeps', async () => {
  const gone = `/_page/${'x'.repeat(27)}.js`;
  for (const of of ['/', '/events/no-such-event', '/models', '/api/v1/events', '//evil.example/']) {
    const answer = await send(server, `${gone}?of=${encodeURIComponent(of)}`);
    expect(answer.status, of).toBe(404);
    expect(answer.header('cache-control')).toMatch(/no-store|no-cache/);
  }
});

test('an address that is none of these is no page’s program, whatever it holds', async () => {
  for (const address of ['/_page/x.js', `/_page/${'x'.repeat(27)}.js?of=%2F%25zz`]) {
    expect((await send(server, address)).status, address).toBe(404);
  }
  expect(server.logText()).not.toContain('"level":50');
});
