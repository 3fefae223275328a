import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { collectEvents } from '#lib/events/source/airtable/source.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { describeClosest, findClosest } from '#lib/events/view/closest-events.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

/**
 * Sixty searches of public lists (see `source/airtable/public-events.md`), as on 1 September 2025. What each must find
 * is said by the cells of the rows.
 */

type Row = Readonly<Record<string, unknown>>;
type Wanted = (row: Row) => boolean;

const file = join(import.meta.dirname, '../source/airtable/public-events.json');
const lists: Readonly<Record<'conferences' | 'meetups', readonly Row[]>> = JSON.parse(
  readFileSync(file, 'utf8'),
);
// A meetup is an evening.
const rows = [...lists.conferences, ...lists.meetups].map((row) => ({
  ...row,
  'End Date': row['End Date'] ?? row['Start Date'],
}));
const { drafts } = await collectEvents(rows.map((row, at) => toEvent(makeRecord(row, at), 'UTC')));
const snapshot = await makeSnapshot(drafts, '2025-09-01');
const rowsById = new Map(rows.map((row, at) => [makeRecord(row, at).id, row]));

const text = (row: Row, column: string) => String(row[column] ?? '');
const named =
  (...names: readonly string[]): Wanted =>
  (row) =>
    names.includes(text(row, 'Name'));
const matching =
  (column: string) =>
  (pattern: RegExp): Wanted =>
  (row) =>
    pattern.test(text(row, column));
const nameHas = matching('Name');
const city = matching('City');
const country = matching('Country');
/** Days, as texts: an event is on in one of them. */
const on =
  (from: string, to: string): Wanted =>
  (row) =>
    text(row, 'Start Date') <= to && (text(row, 'End Date') || text(row, 'Start Date')) >= from;
const both =
  (...all: readonly Wanted[]): Wanted =>
  (row) =>
    all.every((wanted) => wanted(row));
const either =
  (...any: readonly Wanted[]): Wanted =>
  (row) =>
    any.some((wanted) => wanted(row));
const isOnline: Wanted = (row) => row.Format === 'Online';

const usa = country(/^(u\.s\.a\.|us)$/i);
const germany = country(/^(germany|de)$/i);

/** What is named, alone or with other words. */
const names: readonly (readonly [q: string, wanted: Wanted])[] = [
  ['Clojure/conj', named('Clojure/conj')],
  ['C ++ on Sea', named('C ++ on Sea')],
  ['emBO++', named('emBO++')],
  ['.NET fwdays', named('.NET fwdays')],
  ['BDX I/O', named('BDX I/O')],
  ['#Pragma Conference', named('#Pragma Conference')],
  ['../NEW', named('../NEW')],
  ['Fork it!', nameHas(/^Fork it!/)],
  ['Øredev', named('Oredev', 'Øredev')],
  ['c’t webdev', named("c't <webdev>")],
  ['Web Directions Code', named('Web Directions Code')],
  ['MAD Summit', named('MAD Summit')],
  ['Agile Testing Days', named('Agile Testing Days')],
  ['Replay', named('Replay')],
  ['Web Summer Camp', named('Web Summer Camp')],
  ['Front End North', named('Front End North')],
  ['GraphQLConf', named('GraphQLConf')],
];
const namesWithPlaces: readonly (readonly [q: string, wanted: Wanted])[] = [
  ['Devopsdays Geneva', named('Devopsdays Geneva')],
  ['devoxx belgium', named('Devoxx Belgium')],
  ['platzi conf bogota', both(named('Platzi Conf'), city(/Bogot/))],
  ['API World Santa Clara', named('API World')],
  ['Web Directions Summit Sydney', named('Web Directions Summit')],
  ['React Norway Skien', named('React Norway')],
  ['NDC Oslo', named('NDC Oslo')],
  ['droidcon berlin', named('droidcon Berlin')],
  ['CDAO Perth', named('CDAO Perth')],
  ['jsconf mexico', named('JSConf México')],
];
const places: readonly (readonly [q: string, wanted: Wanted])[] = [
  ['Mailand', either(city(/^milan/i), named('ServerlessDays Milan'))],
  ['Genf', city(/Geneva/)],
  ['Lissabon', city(/Lisbon/)],
  ['Köln', city(/Cologne|Köln/)],
  ['Varsovie', city(/Warsaw|Warszawa/)],
  ['Bruxelles', city(/Bruxelles|Brussels/)],
  ['Deutschland', germany],
  ['Suisse', country(/^(switzerland|ch)$/i)],
  ['Estados Unidos', usa],
  ['Brasil', either(country(/^(brazil|br)$/i), named('Python Brasil'))],
  [
    'texas',
    either(
      both(
        usa,
        either(
          city(/, TX/),
          city(/^(Austin|Dallas|El Paso|Fort Worth|North Richland Hills|Plano|West Lake Hills)$/),
        ),
      ),
      named('THAT Conference Texas'),
    ),
  ],
  ['austin tx', both(usa, city(/^Austin/))],
  ['benelux', country(/^(belgium|be|netherlands|nl|luxembourg|lu)$/i)],
  ['scandinavia', country(/^(denmark|dk|norway|no|sweden|se)$/i)],
  [
    'scotland',
    either(
      country(/scotland/i),
      both(country(/^(u\.k\.|gb)$/i), city(/Edinburgh|Glasgow|Aberdeen/)),
    ),
  ],
  ['within 70 km of Ghent', city(/^(Brussels|Bruxelles|Antwerp|Gent|Ghent|Lille)/)],
];
const periods: readonly (readonly [q: string, wanted: Wanted])[] = [
  ['next month', on('2025-10-01', '2025-10-31')],
  ['october 2025', on('2025-10-01', '2025-10-31')],
  ['germany november 2024', both(germany, on('2024-11-01', '2024-11-30'))],
  ['Berlin Juli 2024', both(city(/Berlin/), on('2024-07-01', '2024-07-31'))],
  ['20-22 november 2025', on('2025-11-20', '2025-11-22')],
  ['2027', on('2027-01-01', '2027-12-31')],
  [
    'starts next week',
    (row) => text(row, 'Start Date') >= '2025-09-08' && text(row, 'Start Date') <= '2025-09-14',
  ],
  ['from 1 january 2027', on('2027-01-01', '9999-12-31')],
];
const types: readonly (readonly [q: string, wanted: Wanted])[] = [
  ['online', either(isOnline, nameHas(/\bonline\b/i))],
  ['rust', nameHas(/\brust/i)],
  ['devops denmark', both(nameHas(/devops/i), country(/^(denmark|dk)$/i))],
  ['AI', either(nameHas(/\bAI/i), city(/\bAi/))],
];

const all = [...names, ...namesWithPlaces, ...places, ...periods, ...types];

const titles = (found: readonly Row[]) =>
  found.map((row) => `${row.Name}, ${row.City}, ${row['Start Date']}`).toSorted();

test.each(all)('%s', (q, wanted) => {
  const found = selectEvents(snapshot, { q }).map(({ id }) => rowsById.get(id) ?? {});
  const expected = rows.filter(wanted);
  expect(expected.length).toBeGreaterThan(0);
  expect(titles(found)).toEqual(titles(expected));
});

test.each([
  ['devoxx belgim', 'Devoxx Belgium'],
  ['smashingconf freibrug', 'SmashingConf Freiburg'],
])('%s: the event of the name is found', (q, name) => {
  expect(new Set(selectEvents(snapshot, { q }).map((event) => event.name))).toEqual(
    new Set([name]),
  );
});

test.each([
  ['kubecom india', 'KubeCon + CloudNativeCon India'],
  ['lisbn', 'Lisbon'],
  ['conference in barcelna', 'Barcelona'],
])('%s: %s is offered', (q, name) => {
  expect(selectEvents(snapshot, { q })).toEqual([]);
  const closest = findClosest(snapshot, { q });
  if (closest === null) throw new Error('Nothing is offered.');
  const { events } = closest;
  expect(
    [describeClosest(closest), ...events.map((event) => `${event.name} ${event.place?.city}`)].join(
      '\n',
    ),
  ).toContain(name);
});

test('there are sixty searches', () => {
  expect(all.length + 5).toBe(60);
});
