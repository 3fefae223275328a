import { expect, test } from 'vitest';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';

const nowhere = {
  name: null,
  address: null,
  city: null,
  country: null,
  latitude: null,
  longitude: null,
};

async function find(query: EventsQuery): Promise<string[]> {
  const drafts = [
    makeDraft({
      id: 'recGhent',
      place: { ...nowhere, city: 'Ghent', country: 'BE', latitude: 51.05, longitude: 3.72 },
      organizer: { name: 'Atelier «Ñandú»', url: null },
    }),
    makeDraft({ id: 'recSuva', place: { ...nowhere, latitude: -18.1, longitude: 178.4 } }),
    makeDraft({ id: 'recTaveuni', place: { ...nowhere, latitude: -16.8, longitude: -179.9 } }),
    makeDraft({
      id: 'recMoved',
      state: 'moved-online',
      place: { ...nowhere, city: 'Ghent', country: 'BE', latitude: 51.05, longitude: 3.72 },
      series: 'Night Shift',
    }),
    makeDraft({ id: 'recNowhere' }),
  ];
  const options = { readAtMs: 0, day: '2026-03-10', yieldWhenDue: createTimeSlices() };
  return selectEvents(await createSnapshot(drafts, options), query).map(({ id }) => id);
}

test.for([
  [{ city: 'GHÉNT' }, ['recGhent']],
  [{ city: 'Gent' }, []],
  [{ city: '...' }, []],
  [{ country: 'be' }, ['recGhent']],
  [{ country: 'Belgium' }, ['recGhent']],
  [{ country: 'Atlantis' }, []],
  [{ organizer: 'atelier nandu' }, ['recGhent']],
  [{ series: 'night shift' }, ['recMoved']],
  [{ near: '51,3.7', within: 10 }, ['recGhent']],
  [{ near: '50.5,3.7' }, []],
  // Across the antimeridian.
  [{ near: '-17.5,179.9', within: 200 }, ['recSuva', 'recTaveuni']],
  // Half the way around the Earth from either pole, and nothing close to them.
  [{ near: '90,0', within: 20_000 }, ['recGhent', 'recSuva', 'recTaveuni']],
  [{ near: '-90,123', within: 1_000 }, []],
] as const)('%j finds %j', async ([query, ids]) => {
  expect((await find(query)).sort()).toEqual(ids);
});
