import { expect, test } from 'vitest';
import { parsePrice } from '#lib/events/words/price.ts';

test.for([
  ['Free', '0', null],
  ['free!', '0', null],
  ['Free, with a numbered ticket', '0', null],
  ['€12', '12', 'EUR'],
  ['12,50 €', '12.50', 'EUR'],
  ['£5', '5', 'GBP'],
  ['150 MXN', '150', 'MXN'],
  ['CHF 20', '20', 'CHF'],
] as const)('%s', ([text, amount, currency]) => {
  expect(parsePrice(text)).toEqual({ amount, currency });
});

test.for([
  '$10',
  '12',
  '12 XYZ',
  '€5–10',
  'from €5',
  'Free for members, €5 for others',
  'Freedom',
  'Gratis',
  '=1+1',
  '',
])('%j is no price that a program could read', (text) => {
  expect(parsePrice(text)).toBeNull();
});
