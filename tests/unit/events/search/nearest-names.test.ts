import { expect, test } from 'vitest';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { suggestNames } from '#lib/events/search/nearest-names.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';

const place = { name: null, address: null, latitude: null, longitude: null };
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
  const options = { readAtMs: 0, day: '2026-03-10', yieldWhenDue: createTimeSlices() };
  const query: EventsQuery = { ...filters, q: 'robots' };
  const suggestions = suggestNames(await createSnapshot(drafts, options), query);
  expect(suggestions.map((one) => one.nearest)).toEqual(nearest);
  for (const suggestion of suggestions) expect(suggestion.filters.q).toBe('robots');
});
