import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAirtableSource } from '#lib/airtable/source.ts';
import { createTimeZone } from '#lib/events/model/time-zone.ts';
import { reuse } from '#lib/events/store/reuse.ts';
import { createSnapshot, type EventsSnapshot, findAttachment } from '#lib/events/store/snapshot.ts';
import { createTimeSlices } from '#lib/events/store/time-slices.ts';
import { makeDrafts } from '../../../support/draft-factory.ts';
import { makeRecord, startUpstream } from '../../../support/upstream.ts';

const { dayAt } = createTimeZone('UTC');

test('what is the same is the very same, and the rest is new', () => {
  const before = { name: 'A', theme: { text: '#fff' }, types: ['CAD'], end: null };
  const next = { name: 'B', theme: { text: '#fff' }, types: ['CAD', 'Other'], end: null };
  const reused = reuse(next, before);
  expect(reused).toEqual({
    name: 'B',
    theme: { text: '#fff' },
    types: ['CAD', 'Other'],
    end: null,
  });
  expect(reused.theme).toBe(before.theme);
  expect(reused.types).not.toBe(before.types);
  expect(reuse(structuredClone(before), before)).toBe(before);
});

test('values that only look alike are kept apart', () => {
  expect(reuse({ a: undefined }, { b: undefined })).toEqual({ a: undefined });
  expect(reuse({ a: [] }, { a: {} }).a).toBeInstanceOf(Array);
  expect(reuse({ a: {} }, { a: [] }).a).not.toBeInstanceOf(Array);
  expect(reuse({ a: 1 }, { a: 1, b: 2 })).toEqual({ a: 1 });
  expect(reuse([1], [1, 2])).toEqual([1]);
  expect(reuse({ a: '1' }, { a: 1 })).toEqual({ a: '1' });
  expect(reuse({ a: null }, { a: {} })).toEqual({ a: null });
  expect(reuse({ a: 1 }, null)).toEqual({ a: 1 });
});

test('nothing is taken from what objects inherit', () => {
  const next = JSON.parse('{"__proto__": {}, "constructor": {}}');
  const reused = reuse(next, {});
  expect(Object.getOwnPropertyDescriptor(reused, '__proto__')?.value).not.toBe(Object.prototype);
  expect(JSON.stringify(reused)).toBe('{"__proto__":{},"constructor":{}}');
});

test('it never changes what something says, whatever was there before', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(value, value, (next, before) => {
      const [nextText, beforeText] = [JSON.stringify(next), JSON.stringify(before)];
      expect(JSON.stringify(reuse(next, before))).toBe(nextText);
      expect(JSON.stringify(before)).toBe(beforeText);
    }),
  );
});

test('a table that is read again gives the same drafts and events, but for the rows that changed', async () => {
  const records = [makeRecord({ Name: 'One' }, 1), makeRecord({ Name: 'Two' }, 2)];
  await using stand = await startUpstream({ records });
  const source = createAirtableSource(stand.client, dayAt);
  const first = await source.read();
  const before = await toSnapshot(first, undefined);
  stand.upstream.setRecords([makeRecord({ Name: 'One' }, 1), makeRecord({ Name: 'Deux' }, 2)]);
  const second = await source.read();
  const after = await toSnapshot(second, before);
  const byName = <T extends { name: string }>(items: readonly T[], name: string) =>
    items.find((item) => item.name === name);
  // The upstream gives rows in any order.
  expect(byName(first.drafts, 'One')).toBeDefined();
  expect(byName(second.drafts, 'One')).toBe(byName(first.drafts, 'One'));
  expect(byName(after.events, 'One')).toBe(byName(before.events, 'One'));
  expect(byName(after.events, 'Deux')).toMatchObject({ slug: 'deux' });
  expect([...after.searchTexts].sort()).toEqual([
    expect.stringContaining('deux'),
    expect.stringContaining('one'),
  ]);
  expect(byName(before.events, 'Two')).toMatchObject({ slug: 'two' });
});

test('a table in which nothing changed has other signed addresses, and all else as it was', async () => {
  const logo = { id: 'attLogo1', url: 'https://files.example/first' };
  const rows = (url: string) => [
    makeRecord({ Name: 'One', Logo: [{ ...logo, url }] }, 1),
    makeRecord({ Name: 'Two' }, 2),
  ];
  await using stand = await startUpstream({ records: rows('https://files.example/first') });
  const source = createAirtableSource(stand.client, dayAt);
  const before = await toSnapshot(await source.read(), undefined);
  stand.upstream.setRecords(rows('https://files.example/second'));
  const after = await toSnapshot(await source.read(), before);
  expect(after.sorted).toBe(before.sorted);
  expect(after.events.every((event, position) => event === before.events[position])).toBe(true);
  expect(findAttachment(before, 'attLogo1')?.url).toBe('https://files.example/first');
  expect(findAttachment(after, 'attLogo1')?.url).toBe('https://files.example/second');
});

test('statuses and pictures move where the table stands still', async () => {
  const drafts = makeDrafts(3, (index) => ({
    startDate: `2026-03-1${index}`,
    endDate: `2026-03-1${index}`,
    attachments: { logo: { id: `attLogo${index}`, width: null, height: null }, background: null },
  }));
  const options = { readAtMs: 0, yieldWhenDue: createTimeSlices() };
  const before = await createSnapshot(drafts, { ...options, day: '2026-03-10' });
  const after = await createSnapshot(drafts, {
    ...options,
    before,
    day: '2026-03-11',
    toPicture: ({ id, width, height }) =>
      id === 'attLogo2' ? { id, url: 'https://x.example/', width, height, thumbHash: null } : null,
  });
  const seen = (snapshot: EventsSnapshot) =>
    snapshot.events.map(({ status, pictures }) => [status, pictures.logo !== null]);
  expect(seen(before)).toEqual([
    ['ongoing', false],
    ['upcoming', false],
    ['upcoming', false],
  ]);
  expect(seen(after)).toEqual([
    ['ended', false],
    ['ongoing', false],
    ['upcoming', true],
  ]);
});

function toSnapshot(
  { drafts, signedUrls }: Awaited<ReturnType<ReturnType<typeof createAirtableSource>['read']>>,
  before: EventsSnapshot | undefined,
) {
  const options = { readAtMs: 0, day: '2026-03-10', yieldWhenDue: createTimeSlices(), signedUrls };
  return createSnapshot(drafts, { ...options, ...(before && { before }) });
}
