import { expect, test } from 'vitest';
import { streamEventListJson, toEventListJson } from '#lib/events/view/events-json.ts';
import { streamICalendar, toICalendar } from '#lib/representations/feeds/icalendar.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { testSite as site } from '../../../support/test-site.ts';

const generatedAt = '2026-11-24T12:00:00.000Z';
const signedUrls = new Map([['rec120', { logo: 'https://files.example/a.png', background: null }]]);
const events = Array.from({ length: 121 }, (_, at) => makeEvent({ id: `rec${at}` }));

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  expect(read.length).toBeGreaterThan(2);
  return Buffer.concat(read).toString();
}

test('a list that is streamed has the bytes of one that is written at once', async () => {
  const read = { generatedAt, signedUrls };
  const written = await toEventListJson(events, read, () => undefined);
  expect(await readAll(streamEventListJson(events, read))).toBe(written.toString());
});

test('a calendar that is streamed has the bytes of one that is written at once', async () => {
  const options = { site, today: '2026-11-24' };
  expect(await readAll(streamICalendar(events, options))).toBe(await toICalendar(events, options));
});
