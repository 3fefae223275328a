import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groupProblems } from '#lib/events/source/airtable/problem-groups.ts';
import type { AirtableRecord } from '#lib/events/source/airtable/request-page.ts';
import { collectEvents } from '#lib/events/source/airtable/source.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { indexNames } from '#lib/events/source/name-index.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { makeRecord } from '../../../../support/upstreams/upstream.ts';

/**
 * Public lists of events, as people typed them: see `public-events.md`. Titles of meetups are replaced, since some name
 * people.
 */
const lists: Readonly<Record<'conferences' | 'meetups', readonly AirtableRecord['fields'][]>> =
  JSON.parse(readFileSync(join(import.meta.dirname, 'public-events.json'), 'utf8'));

const records = [...lists.conferences, ...lists.meetups].map(makeRecord);

async function readAll() {
  const results = records.map((record) => toEvent(record, 'UTC'));
  const { drafts, problems } = await collectEvents(results);
  const groups = groupProblems(problems, {
    rowsMax: { 'left out': 100, repaired: 1000 },
    columnNames: {},
  });
  return { drafts, groups, names: await indexNames(drafts, createTimeSlices()) };
}

test('no row is left out, and what is repaired is said by column and reason', async () => {
  const { drafts, groups } = await readAll();
  expect(drafts).toHaveLength(753);
  expect(groups.map(({ column, reason, count }) => `${count} ${column}: ${reason}`)).toEqual([
    '132 City: city_divided',
    '19 Latitude: impossible_coordinates',
    '7 City: not_a_city',
  ]);
  // Postcodes alone, and countries that have a cell of their own.
  expect(groups[2]?.rows.map(({ value }) => value).toSorted()).toEqual([
    '1606',
    '45202',
    '55105',
    '90095',
    'EC1V 4AB',
    'Malaysia',
    'Taiwan',
  ]);
});

test('every country is read, and every state of the United States', async () => {
  const { drafts } = await readAll();
  const count = (field: 'city' | 'country' | 'region') =>
    drafts.filter(({ place }) => place?.[field] != null).length;
  expect(count('country')).toBe(lists.conferences.filter(({ Country }) => Country).length + 260);
  const american = drafts.filter(({ place }) => place?.country === 'US');
  const regions = new Set(american.flatMap(({ place }) => place?.region ?? []));
  expect([...regions].filter((region) => !/^[A-Z]{2}$/.test(region))).toEqual([]);
});

test('spellings of a city are one page', async () => {
  const { drafts, names } = await readAll();
  const spellings = names.groups
    .filter(({ kind }) => kind === 'city')
    .map(({ positions }) => new Set(positions.map((at) => drafts[at]?.place?.city ?? '')))
    .filter(({ size }) => size > 1)
    .map((cities) => [...cities].toSorted().join(' = '));
  expect(spellings.toSorted()).toEqual([
    "'s-Hertogenbosch = s-Hertogenbosch",
    'Bangalore = Bengaluru',
    'Belgrade = Beograd',
    'Brisbane = Brisbane City',
    'Brooklyn = Kings County',
    'Brussels = Bruxelles',
    'Bucharest = București',
    'Copenhagen = København',
    'Freiburg = Freiburg im Breisgau',
    'Istanbul = İstanbul',
    'Milano = milano',
    'New York = New york',
    'Newcastle upon Tyne = Newcastle-Upon-Tyne',
    'Querétaro = Santiago de Querétaro',
    'Rio De Janeiro = Rio de Janeiro',
    'San Jose = San José',
    'Sidney = Sydney',
    'Zurich = Zürich',
  ]);
});

test('the moments of all meetups are those of their source', async () => {
  const { drafts } = await readAll();
  const wrong = drafts.filter(({ id, startsAt }) => {
    const time = records.find((record) => record.id === id)?.fields['Start Time'];
    return time !== undefined && Date.parse(startsAt ?? '') !== Date.parse(String(time));
  });
  expect(wrong.map(({ startsAt, place }) => `${startsAt} ${place?.city}`)).toEqual([]);
});
