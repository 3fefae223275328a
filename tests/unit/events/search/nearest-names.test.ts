import { expect, test } from 'vitest';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { findNearestGroups, suggestNames } from '#lib/events/search/nearest-names.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { makePlace } from '../../../support/factories/event-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

const drafts = [
  makeDraft({
    id: 'recA',
    place: makePlace({ city: 'Ghent', country: 'BE' }),
    series: 'Night Shift',
  }),
  makeDraft({ id: 'recB', place: makePlace({ city: 'Budapest', country: 'HU' }) }),
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
  const query: EventsQuery = { ...filters, q: 'robots' };
  const suggestions = suggestNames(await makeSnapshot(drafts), query);
  expect(suggestions.map((suggestion) => suggestion.nearest)).toEqual(nearest);
  for (const suggestion of suggestions) expect(suggestion.filters.q).toBe('robots');
});

test('the slug of a city in two countries leads to both, and a misspelled one to the nearest', async () => {
  const snapshot = await makeSnapshot(
    ['GB', 'CA'].map((country) =>
      makeDraft({ id: `rec${country}`, place: makePlace({ city: 'London', country }) }),
    ),
  );
  const find = (slug: string) =>
    findNearestGroups(snapshot, 'city', slug).map((group) => group.slug);
  expect(find('london').toSorted()).toEqual(['london-ca', 'london-gb']);
  expect(find('lodnon')).toHaveLength(2);
  expect(find('reykjavik')).toEqual([]);
  expect(find('x'.repeat(1_000))).toEqual([]);
  expect(findNearestGroups(snapshot, 'series', 'london')).toEqual([]);
});
