import { expect, test } from 'vitest';
import { isForKids, parseAges } from '#lib/events/words/ages.ts';

test.each([
  ['13–18', 13, 18],
  ['8-12 years', 8, 12],
  ['ages 6 to 10', 6, 10],
  ['between 6 and 10', 6, 10],
  ['16+', 16, 120],
  ['From 16', 16, 120],
  ['18 and over', 18, 120],
  ['ab 8 Jahren', 8, 120],
  ['Kinder von 8 bis 12', 8, 12],
  ['under 12', 0, 11],
  ['up to 12', 0, 12],
  ['bis 10', 0, 10],
  ['U18', 0, 17],
  ['U-15', 0, 14],
  ['Under-18s', 0, 17],
  ['18 and under', 0, 18],
  ['12 & under', 0, 12],
  ['10 years or younger', 0, 10],
  ['18歳以下', 0, 18],
  ['18歳未満', 0, 17],
  ['12세 이하', 0, 12],
  ['bis 16', 0, 16],
  ['hasta 12 años', 0, 12],
  ["jusqu'à 10 ans", 0, 10],
  ['tot 12 jaar', 0, 12],
  ['desde 8', 8, 120],
  ['ab 16', 16, 120],
  ['18', 18, 120],
  ['All ages', 0, 120],
  ['Families', 0, 120],
  ['Kids', 0, 12],
  ['Children', 0, 12],
  ['Teens', 13, 19],
  ['Adults', 18, 120],
  ['tout public', 0, 120],
  ['для всех', 0, 120],
  ['для детей', 0, 12],
  ['Vuxna', 18, 120],
  ['8+ (under 12 with an adult)', 8, 120],
  ['All ages, under 10s must be accompanied by an adult', 0, 120],
  ['Ages 8-12 (grades 3-6)', 8, 12],
  ['Kids, max. 16 people', 0, 12],
  ['2 years - 4 years', 2, 4],
  ['от 6 до 12 лет', 6, 12],
  ['18 months - 3 years', 1, 3],
  ['6-18 months', 0, 1],
])('%s is %i to %i', (audience, from, to) => {
  expect(parseAges(audience)).toEqual({ from, to });
});

test.each([
  null,
  '',
  'Students',
  'Beginners',
  '18–13',
  'since 1999',
  'a skid',
  'Grades 3-5',
  '2nd - 5th grade',
  'K-5',
  'Year 7-9',
  'Klasse 5-7',
  'born 2010-2014',
  'max. 16 people',
])('%s names no age', (audience) => {
  expect(parseAges(audience)).toBeNull();
});

test('kids are up to 12', () => {
  expect(['12+', 'Kids', '8–14', 'all ages', '0–3'].map(isForKids)).toEqual(Array(5).fill(true));
  expect(['13+', '13–18', 'Adults', null, 'Students'].map(isForKids)).toEqual(Array(5).fill(false));
});
