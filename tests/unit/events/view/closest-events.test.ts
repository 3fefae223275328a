import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerQuery } from '#lib/events/view/answer-query.ts';
import { listOthers } from '#lib/events/view/closest-events.ts';
import { selectNearEvents } from '#lib/events/view/search-notes.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

type When = Readonly<{ startDate: string; endDate?: null }>;

function draftOf(id: string, name: string, { city, ...days }: When & Readonly<{ city: string }>) {
  const inPerson = { start: null, end: null, location: `Hall, ${city}` };
  return makeDraft({ id, name, endDate: days.startDate, ...days, format: 'in-person', inPerson });
}

// A Tuesday.
const snapshot = await makeSnapshot([
  draftOf('recOpen', 'Open Desk', { city: 'Ghent', startDate: '2025-09-01', endDate: null }),
  draftOf('recRobot', 'Robot Derby', { city: 'Ghent', startDate: '2026-05-02' }),
  draftOf('recKnit', 'Knitting', { city: 'Lisbon', startDate: '2026-06-02' }),
]);

const online = { format: ['online' as const] };

test('words are left out first, then price, age, place and days, the kind last', () => {
  const filters = {
    ...online,
    q: 'robot',
    price: 'free' as const,
    audience: 'kids' as const,
    city: 'Ghent',
    when: 'weekend' as const,
  };
  expect(listOthers(snapshot, filters).map(({ without }) => without)).toEqual([
    'robot',
    'Free',
    'For kids',
    'Ghent',
    'This weekend',
    'Online',
  ]);
});

test('what a search says is left out as filters are', () => {
  const others = listOthers(snapshot, { q: 'free online robot in ghent this weekend' });
  expect(others).toEqual([
    { without: 'robot', query: { q: 'free online in ghent this weekend' } },
    { without: 'free', query: { q: 'online robot in ghent this weekend' } },
    {
      without: 'ghent',
      query: { q: 'free online robot in this weekend', near: '51.05,3.72', within: 20_000 },
    },
    { without: 'this weekend', query: { q: 'free online robot in ghent' } },
    { without: 'online', query: { q: 'free robot in ghent this weekend' } },
  ]);
});

test.each([
  ['robot in ghent this weekend', 'Closest, without “robot”', ['recOpen']],
  ['derby in lisbon', 'Closest, without “derby”', ['recKnit']],
  ['knitting in paris', 'Closest, without “paris”: from 1452 km away', ['recKnit']],
  ['free knitting in lisbon', 'Closest, without “free”', ['recKnit']],
  ['xylophone in ghent', 'Closest, without “xylophone”', ['recRobot', 'recOpen']],
  ['free xylophone in ghent', 'Closest, without “xylophone, free”', ['recRobot', 'recOpen']],
  ['1 january 1999', 'Closest, without “1 january 1999”', ['recRobot', 'recKnit', 'recOpen']],
  ['lisbn', 'Did you mean “Lisbon”?', ['recKnit']],
  ['derby lisbn', 'Closest, without “derby”', ['recKnit']],
  // What starts next, not what has been on since September.
  ['xylophone', 'What else is on', ['recRobot', 'recKnit', 'recOpen']],
])('%s suggests what is nearest', (q, title, ids) => {
  const near = selectNearEvents(snapshot, { q });
  expect([near?.title, near?.events.map(({ id }) => id)]).toEqual([title, ids]);
});

test('any text of 200 characters has an answer: events, or at most some words less', () => {
  const words =
    'not no or excepted near closest to in w within 5 km of under 10 euro free robot derby dreby Ghent paris 東京 の 無料 近く 에서 بال d’enfants kids 16+ next weekend 5 dec - hackathon xylophone';
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc
      .array(fc.constantFrom(...words.split(' ')), { maxLength: 60 })
      .map((some) => some.join(' ').slice(0, 200)),
  );
  fc.assert(
    fc.property(text, (q) => {
      const { events, closest } = answerQuery(snapshot, { q });
      if (events.length > 0) expect(closest).toBeNull();
      else if (closest !== null) expect(closest.events.length).toBeGreaterThan(0);
      expect(answerQuery(snapshot, { q }).events).toEqual(events);
    }),
  );
});
