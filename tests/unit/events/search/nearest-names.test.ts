import { expect, test } from 'vitest';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { findNearestGroups, suggestNames } from '#lib/events/search/nearest-names.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { siteTime } from '../../../support/factories/site-time.ts';

const place = { name: null, address: null, region: null, latitude: null, longitude: null };
const drafts = [
  makeDraft({
    id: 'recA',
    place: { ...place, city: 'Ghent', country: 'BE' },
    series: 'Night Shift',
  }),
  makeDraft({ id: 'recB', place: { ...place, city: 'Budapest', country: 'HU' } }),
];

test.for([
  [{ city: 'Gnet' }, ['Ghent']],
  [{ city: 'Buda' }, ['Budapest']],
  [{ city: 'ghent' }, []],
  [{ city: 'Reykjavik' }, []],
  [{ city: 'x'.repeat(300) }, []],
  [{ country: 'Belgum' }, ['Belgium']],
  // It is a country, but no event is there.
  [{ country: 'Japan' }, []],
  [{ series: 'nihgt shift' }, ['Night Shift']],
  [{ organizer: 'Anyone' }, []],
] as const)('%j suggests %j', async ([filters, nearest]) => {
  const options = { readAtMs: 0, ...siteTime('2026-03-10'), yieldWhenDue: createTimeSlices() };
  const query: EventsQuery = { ...filters, q: 'robots' };
  const suggestions = suggestNames(await createSnapshot(drafts, options), query);
  expect(suggestions.map((suggestion) => suggestion.nearest)).toEqual(nearest);
  for (const suggestion of suggestions) expect(suggestion.filters.q).toBe('robots');
});

test('the slug of a city in two countries leads to both, and a misspelled one to the nearest', async () => {
  const options = { readAtMs: 0, ...siteTime('2026-03-10'), yieldWhenDue: createTimeSlices() };
  const snapshot = await createSnapshot(
    ['GB', 'CA'].map((country) =>
      makeDraft({ id: `rec${country}`, place: { ...place, city: 'London', country } }),
    ),
    options,
  );
  const find = (slug: string) =>
    findNearestGroups(snapshot, 'city', slug).map((group) => group.slug);
  expect(find('london').toSorted()).toEqual(['london-ca', 'london-gb']);
  expect(find('lodnon')).toHaveLength(2);
  expect(find('reykjavik')).toEqual([]);
  expect(find('x'.repeat(1_000))).toEqual([]);
  expect(findNearestGroups(snapshot, 'series', 'london')).toEqual([]);
});
