import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reservedSlugs, toSlugs } from '#lib/events/source/slugs/slug-names.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { anyText } from '../../../../support/factories/any-text.ts';
import { makeRecordId } from '../../../../support/factories/draft-factory.ts';
import { hostileText } from '../../../../support/factories/hostile-text.ts';

async function slugsOf(...names: string[]): Promise<string[]> {
  const events = names.map((name, index) => ({ id: makeRecordId(index), name }));
  const slugs = await toSlugs(events, createTimeSlices());
  return events.map(({ id }) => slugs.get(id) ?? '');
}

test.for([
  ['Lantern Jam', 'lantern-jam'],
  ['Çà et là: Über-Straße №5', 'ca-et-la-ueber-strasse-no5'],
  ['  --Many   marks!!--  ', 'many-marks'],
  ['ÍSLENSKA ÞÝÐING', 'islenska-thyding'],
  ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full-width'],
  ['GameDev 2026', 'gamedev-2026'],
  ['../../etc/passwd', 'etc-passwd'],
  ['a/b?c=d#e%2Ff', 'a-b-c-d-e-2ff'],
] as const)('%s becomes a slug', async ([name, slug]) => {
  const [made = ''] = await slugsOf(name);
  expect(made).toBe(slug);
});

test.for([
  '!!! ??? ---',
  '深夜工作坊',
  '🛠️🔥🤖',
  '\u202e',
  '́̂̃',
  '크래프톤 정글 8기 모집',
  '第12回 勉強会',
  'AI 大会 2027',
  'ค่าย 3 วัน',
  '42',
  'C++',
])('a name without usable characters gives the id in lower case: %s', async (name) => {
  expect(await slugsOf(name)).toEqual([makeRecordId(0)]);
});

test('reserved words get a suffix', async () => {
  expect(await slugsOf('RSS', 'rss', 'Rss Event')).toEqual([
    'rss-event',
    'rss-event-2',
    'rss-event-3',
  ]);
});

test('of several events with one name the first announced gets the plain slug', async () => {
  expect(await slugsOf('Open Shed', 'OPEN SHED', 'open  shed')).toEqual([
    'open-shed',
    'open-shed-2',
    'open-shed-3',
  ]);
});

test('a name that equals another event’s slug gets a different one', async () => {
  const slugs = await slugsOf('Open Shed', 'Open Shed 2', 'Open Shed', 'Open Shed');
  expect(slugs.slice(0, 2)).toEqual(['open-shed', 'open-shed-2']);
  expect(new Set(slugs).size).toBe(4);
});

test('a long name is cut between words', async () => {
  const [slug = ''] = await slugsOf('word '.repeat(60));
  expect(slug.length).toBeLessThanOrEqual(80);
  expect(slug).toMatch(/^word(?:-word)+$/);
});

test('ten thousand events with one name are numbered quickly', async () => {
  const slugs = await slugsOf(...Array.from({ length: 10_000 }, () => 'Same'));
  expect(new Set(slugs).size).toBe(10_000);
  expect(slugs.at(-1)).toBe('same-10000');
});

test('slugs are plain, unique and never reserved, whatever the names', () => {
  const name = fc.oneof(
    hostileText,
    fc.constantFrom('rss', 'Open Shed', 'open shed 2', '深夜', '!'),
    anyText(400),
  );
  return fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 12 }), async (names) => {
      const slugs = await slugsOf(...names);
      expect(new Set(slugs).size).toBe(names.length);
      for (const slug of slugs) {
        expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(reservedSlugs.has(slug)).toBe(false);
        expect(slug.length).toBeLessThanOrEqual(90);
      }
    }),
    { numRuns: 300 },
  );
});
