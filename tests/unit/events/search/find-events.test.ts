import { describe, expect, test } from 'vitest';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { makePlace } from '../../../support/factories/event-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

type Overrides = Parameters<typeof makeDraft>[0];

const plain = {
  format: 'online' as const,
  inPerson: null,
  place: null,
  description: null,
  requirements: null,
  slackChannel: null,
  projectTypes: [],
};
const at = (location: string) => ({
  format: 'in-person' as const,
  inPerson: { start: null, end: null, location },
});

const rows: readonly Overrides[] = [
  { name: 'Web Summit', ...at('MEO Arena, Lisbon') },
  {
    name: 'SingleStore Now',
    startDate: '2026-10-03',
    endDate: '2026-10-03',
    ...at('Pier 27, San Francisco'),
  },
  { name: 'Wasm I/O', ...at('AXA, Barcelona') },
  { name: 'Beer and Bits', ...at('Hofbräuhaus, München') },
  {
    name: 'Rodeo Hacks',
    format: 'in-person',
    place: makePlace({ city: 'Austin', region: 'TX', country: 'US' }),
  },
  { name: 'Rain Barrels', description: 'Digital maintenance for a garden. It is wet.' },
  { name: 'AI for Gardens', description: 'Air and soil.' },
  { name: 'C++ Meetup', description: 'All about C.' },
  { name: 'Dot Net Café', description: 'From .NET to here. See fosdem.net too.' },
  { name: '24h Jam', description: 'Bring 124 hats.' },
  {
    name: 'Solder Club',
    organizer: { name: 'Solder Society', url: null },
    price: 'Free',
    audience: '8–14',
  },
  { name: 'Paint Night', price: '€12', audience: '18+', placesLeft: 0, series: 'Night Shift' },
  { name: 'Print Night', price: 'US$9–20' },
  { name: 'First Steps', description: 'No experience needed.' },
  { name: 'Clay Night', price: 'Free', placesLeft: 4, audience: 'All ages' },
];

const snapshot = await makeSnapshot(
  rows.map((row, index) =>
    makeDraft({
      id: `rec${index}`,
      organizer: null,
      price: null,
      audience: null,
      placesLeft: null,
      series: null,
      ...plain,
      ...row,
    }),
  ),
);

const find = (query: EventsQuery) =>
  selectEvents(snapshot, { ...query, sort: 'name', order: 'asc' }).map(({ name }) => name);

describe('the event of that name is found, though words of it are filters', () => {
  test.each([
    ['web summit lisbon', 'Web Summit'],
    ['SingleStore Now San Francisco', 'SingleStore Now'],
    ['Wasm I/O Barcelona', 'Wasm I/O'],
    ['solder club solder society', 'Solder Club'],
  ])('%s', (q, name) => {
    expect(find({ q })).toEqual([name]);
  });
});

test.each([
  ['munich', ['Beer and Bits']],
  ['lissabon', ['Web Summit']],
  ['texas', ['Rodeo Hacks']],
  ['austin texas', ['Rodeo Hacks']],
  ['austin tx', ['Rodeo Hacks']],
  ['california', ['SingleStore Now']],
  ['north america', ['Rodeo Hacks', 'SingleStore Now']],
  ['usa', ['Rodeo Hacks', 'SingleStore Now']],
  ['near sintra', ['Web Summit']],
  ['within 300 km of dallas', ['Rodeo Hacks']],
  ['closest to salzburg', ['Beer and Bits']],
])('places are found by all their names: %s', (q, names) => {
  expect(find({ q })).toEqual(names);
});

test.each([
  ['ai', ['AI for Gardens']],
  ['i/o', ['Wasm I/O']],
  ['c++', ['C++ Meetup']],
  ['.net', ['Dot Net Café']],
  ['24h', ['24h Jam']],
  ['24', ['24h Jam']],
])('short words, numbers and signs match where a word begins: %s', (q, names) => {
  expect(find({ q })).toEqual(names);
});

test.each([
  ['asc', ['Free', '0 €', 'from €1', '¥3', '€5–90', 'US$20', null]],
  ['desc', ['US$20', '€5–90', '¥3', 'from €1', 'Free', '0 €', null]],
] as const)(
  'by price, the lowest counts, and what is unknown comes last: %s',
  async (order, prices) => {
    const drafts = ['from €1', null, 'Free', 'US$20', '¥3', '0 €', '€5–90'].map((price, index) =>
      makeDraft({ id: `rec${index}`, price }),
    );
    const found = selectEvents(await makeSnapshot(drafts), { sort: 'price', order });
    expect(found.map(({ price }) => price)).toEqual(prices);
  },
);

test.each([
  [{ q: 'by solder society' }, ['Solder Club']],
  [{ q: 'night shift' }, ['Paint Night']],
  [{ q: '€12' }, ['Paint Night']],
  [{ price: 'free' }, ['Clay Night', 'Solder Club']],
  [{ price: 'paid' }, ['Paint Night', 'Print Night']],
  [{ maxPrice: '0' }, ['Clay Night', 'Solder Club']],
  [{ maxPrice: '11.99' }, ['Clay Night', 'Print Night', 'Solder Club']],
  [{ maxPrice: '12' }, ['Clay Night', 'Paint Night', 'Print Night', 'Solder Club']],
  [{ maxPrice: '12EUR' }, ['Clay Night', 'Paint Night', 'Solder Club']],
  [{ maxPrice: '12USD' }, ['Clay Night', 'Print Night', 'Solder Club']],
  [{ q: 'free' }, ['Clay Night', 'Solder Club']],
  [{ audience: 'kids' }, ['Clay Night', 'Solder Club']],
  [{ q: 'free clay for kids with places left' }, ['Clay Night']],
  [{ hasPlaces: 'true' }, ['Clay Night']],
  [{ q: 'from 16' }, ['Clay Night']],
  [{ q: 'for 10 year olds' }, ['Clay Night', 'Solder Club']],
  [{ q: '18+' }, ['Clay Night', 'Paint Night']],
  [{ q: 'sold out' }, ['Paint Night']],
  [{ q: 'for beginners' }, ['First Steps']],
] as const)('%j', (query, names) => {
  expect(find(query)).toEqual(names);
});
