import { expect, test } from 'vitest';
import type { EventDraft } from '#lib/events/model/schema.ts';
import type { EventPlace } from '#lib/events/model/time-and-place.ts';
import { indexNames } from '#lib/events/source/name-index.ts';
import { toGroupFilters, toGroupName } from '#lib/events/view/named-groups.ts';
import { toNameKey } from '#lib/events/words/fold-text.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { makeDraft, makeRecordId } from '../../../support/factories/draft-factory.ts';
import { makePlace } from '../../../support/factories/event-factory.ts';

function index(places: readonly Partial<EventPlace>[], more: Partial<EventDraft> = {}) {
  const drafts = places.map((place, position) =>
    makeDraft({ id: makeRecordId(position), place: makePlace(place), ...more }),
  );
  return indexNames(drafts, createTimeSlices());
}

test('a city in four spellings is one, named as most events spell it', async () => {
  const { groups, bySlug } = await index([
    { city: 'SAO PAULO' },
    { city: 'São Paulo' },
    { city: 'Sao-Paulo' },
    { city: 'são  paulo' },
    { city: 'São Paulo' },
  ]);
  expect(groups).toMatchObject([{ kind: 'city', slug: 'sao-paulo', name: 'São Paulo' }]);
  expect(groups[0]?.positions).toHaveLength(5);
  expect(bySlug.city.get('sao-paulo')).toBe(groups[0]);
});

test('a city by several names is one, found by each of them and by names that no event has', async () => {
  const { groups, bySlug } = await index([
    { city: 'München', country: 'DE' },
    { city: 'Munich' },
    { city: 'MUNICH', country: 'DE' },
    { city: 'Sidney', country: 'US' },
    { city: 'Sidney', country: 'AU' },
    { city: 'Sydney', country: 'AU' },
    { city: 'Sydney', country: 'AU' },
  ]);
  expect(groups.map(({ name, country, positions }) => [name, country, positions])).toEqual([
    ['München', 'DE', [0, 1, 2]],
    ['Sidney', 'US', [3]],
    ['Sydney', 'AU', [4, 5, 6]],
  ]);
  expect(groups.map(({ slug }) => slug)).toEqual(['muenchen', 'sidney', 'sydney']);
  for (const slug of ['muenchen', 'munich', 'munchen']) {
    expect(bySlug.city.get(slug)).toBe(groups[0]);
  }
});

test('slugs are those of events; names without Latin letters keep theirs', async () => {
  const { groups, bySlug } = await index([
    { city: 'Zürich' },
    { city: 'Київ' },
    { city: '東京 都' },
    { city: '!!!' },
  ]);
  expect(groups.map(({ slug }) => slug)).toEqual(['zuerich', 'київ', '東京-都']);
  expect(bySlug.city.get('zurich')?.name).toBe('Zürich');
});

test('cities of one name in two countries are two; without a country a third', async () => {
  const { groups, bySlug } = await index([
    { city: 'London', country: 'GB' },
    { city: 'London' },
    { city: 'london', country: 'CA' },
    { city: 'Paris', country: 'FR' },
    { city: 'Paris' },
  ]);
  expect(groups.map(({ slug, country, positions }) => [slug, country, positions])).toEqual([
    ['london-gb', 'GB', [0]],
    ['london', null, [1]],
    ['london-ca', 'CA', [2]],
    ['paris', 'FR', [3, 4]],
  ]);
  expect(bySlug.city.get('london')?.country).toBeNull();
});

test('cities of one name in two states are two; a region that is no state divides none', async () => {
  const { groups } = await index([
    { city: 'Portland', country: 'US', region: 'OR' },
    { city: 'Portland', country: 'US', region: 'ME' },
    { city: 'Portland', country: 'US' },
    { city: 'Portland', country: 'GB' },
    { city: 'Munich', country: 'DE', region: 'Bavaria' },
    { city: 'München', country: 'DE', region: 'Bayern' },
    { city: 'Austin', country: 'US', region: 'TX' },
    { city: 'Austin' },
  ]);
  const shown = groups.map((group) => [group.slug, toGroupName(group), group.positions]);
  expect(shown).toEqual([
    ['portland-or', 'Portland, OR, United States', [0]],
    ['portland-me', 'Portland, ME, United States', [1]],
    ['portland-us', 'Portland, United States', [2]],
    ['portland-gb', 'Portland, United Kingdom', [3]],
    ['munich', 'Munich, Germany', [4, 5]],
    ['austin', 'Austin, United States', [6, 7]],
  ]);
  expect(groups.map(toGroupFilters)[1]).toEqual({ city: 'Portland', country: 'US-ME' });
});

test('a name that gives the same slug as another gets a number', async () => {
  const long = 'Guild '.repeat(30);
  const drafts = [`${long}one`, `${long}two`].map((name, position) =>
    makeDraft({ id: makeRecordId(position), organizer: { name, url: null } }),
  );
  const { groups } = await indexNames(drafts, createTimeSlices());
  expect(new Set(groups.map(({ slug }) => slug)).size).toBe(2);
});

test('the former place of an event that was moved online is no city', async () => {
  const { groups, keys } = await index([{ city: 'Ghent' }], {
    state: 'moved-online',
    series: 'Nights',
  });
  expect(groups).toMatchObject([{ kind: 'series', slug: 'nights' }]);
  expect(keys.city).toEqual([null]);
});

test('10,000 events in one city are one city', async () => {
  const places = Array.from({ length: 10_000 }, () => ({ city: 'Ghent', country: 'BE' }));
  const { groups } = await index(places);
  expect(groups[0]?.positions).toHaveLength(10_000);
});

test('a name of signs alone is itself', () => {
  expect(toNameKey(' !!! ')).toBe('!!!');
});
