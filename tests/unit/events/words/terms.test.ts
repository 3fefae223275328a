import { expect, test } from 'vitest';
import { listTerms } from '#lib/events/words/terms.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

type Cells = Parameters<typeof makeEvent>[0];

const termsOf = (cells: Cells) => listTerms(makeEvent({ price: null, audience: null, ...cells }));

test('price, age and places left are said in that order, and only what is known', () => {
  expect(termsOf({ price: '€12', audience: '13–18', placesLeft: 3 })).toEqual([
    '€12',
    'Age 13–18',
    '3 places left',
  ]);
  expect(termsOf({ placesLeft: null })).toEqual([]);
});

test.for([
  ['13–18', 'Age 13–18'],
  ['16+', 'Age 16+'],
  ['From 8', 'Age from 8'],
  ['under 12', 'Age under 12'],
  ['All ages', 'All ages'],
  ['18歳以下', '18歳以下'],
  ['Beginners', 'Beginners'],
  ['4 to 6 graders', '4 to 6 graders'],
])('the age “%s” is “%s”', ([audience = '', words]) => {
  expect(termsOf({ audience, placesLeft: null })).toEqual([words]);
});

test.for([
  [{ placesLeft: 0 }, 'Full'],
  [{ placesLeft: 1 }, '1 place left'],
  [{ placesLeft: 1200 }, '1,200 places left'],
] as const)('%j is “%s”', ([cells, words]) => {
  expect(termsOf(cells)).toEqual([words]);
});

test('nobody needs to know how many places an event has left that is over or cancelled', () => {
  expect(termsOf({ placesLeft: 4, status: 'ended' })).toEqual([]);
  expect(termsOf({ placesLeft: 0, state: 'cancelled' })).toEqual([]);
});

test('a long price is shortened', () => {
  const [price = ''] = termsOf({ price: 'Pay what you can, '.repeat(9), placesLeft: null });
  expect(price.length).toBeLessThanOrEqual(40);
});
