import { expect, test } from 'vitest';
import { columns } from '#lib/events/model/field-lists.ts';
import { convertRow } from '../../../../support/airtable/convert-row.ts';
import { linearGrowthMax, measureGrowth } from '../../../../support/measure-growth.ts';

const recordIds = ['recV7kQ2mXw4Tn9Lb', 'recA1b2C3d4E5f6G7'];

test('a name that links to records leaves the row out, and says why', () => {
  expect(convertRow({ Name: recordIds })).toEqual({
    reasons: ['Name: linked_record', 'Name: no_name'],
  });
});

test('the mail address of a collaborator is shown nowhere', () => {
  const Organizer = { id: 'usrA1b2C3d4E5f6G7', email: 'someone@private.example' };
  const { reasons, ...draft } = convertRow({ Organizer });
  expect(JSON.stringify(draft)).not.toContain('private.example');
  expect(reasons).toEqual(['Organizer: not_text']);
});

test('a lookup of a thousand texts is cut', () => {
  const Description = Array.from({ length: 1000 }, (_, index) => `Talk ${index}`);
  expect(convertRow({ Description }).description?.split('\n\n')).toHaveLength(100);
});

test.for([
  ['https://a.example/x, https://b.example/y', 'https://a.example/x', 'several_urls'],
  ['https://a.example/x and again https://a.example/x', 'https://a.example/x', 'url_in_text'],
  [
    'Tickets (https://a.example/wiki/Jam_(2026))',
    'https://a.example/wiki/Jam_(2026)',
    'url_in_text',
  ],
  ['see the poster', null, 'not_a_web_url'],
  ['https://a.example/ Tickets', 'https://a.example/', 'url_in_text'],
  ['a.example@b', null, 'not_a_web_url'],
  ['e.g. nothing', null, 'not_a_web_url'],
  ['www', null, 'not_a_web_url'],
  ['localhost:3000', null, 'not_a_web_url'],
] as const)('the website %j', ([URL, url, reason]) => {
  expect(convertRow({ URL })).toMatchObject({ url, reasons: [`URL: ${reason}`] });
});

test('a URL ends before the brackets and signs of its sentence, however many there are', () => {
  for (const [URL, url] of [
    ['See (https://a.example/x)).', 'https://a.example/x'],
    ['See https://a.example/(x), or call', 'https://a.example/(x)'],
    ['“https://a.example/x”!?', 'https://a.example/x'],
    [`See https://a.example/${')'.repeat(4_000)}`, 'https://a.example/'],
  ]) {
    expect(convertRow({ URL }).url).toBe(url);
  }
  expect(convertRow({ URL: `See https://a.example/${')'.repeat(90_000)}` }).url).toBeNull();
});

test.for([
  ['brackets behind a URL', `https://a.example/${')'.repeat(90_000)}`],
  ['dots behind a URL', `https://a.example/${'.'.repeat(90_000)}x`],
  ['thousands', `1${',111'.repeat(25_000)}`],
  ['spaces', `a${' '.repeat(100_000)}b`],
  ['commas', 'Paris, '.repeat(15_000)],
  ['times', '18:00-'.repeat(16_000)],
  ['lines of a schedule', '19:00 Doors\n'.repeat(8_000)],
  // Not longer than a cell may be: to cut it is a step of its own.
  ['hosts', `${'a-'.repeat(49_990)}.com`],
  ['accents', `z${'\u0335'.repeat(99_999)}`],
  ['overrides of direction', '\u202e'.repeat(100_000)],
  ['flags', '🇧🇪'.repeat(20_000)],
  ['brackets', '('.repeat(100_000)],
  ['markup', '<a href="'.repeat(11_000)],
] as const)('100,000 characters of %s in any column are read in linear time', ([, text]) => {
  for (const column of columns) {
    const read = (value: string) => convertRow({ [column]: value });
    expect(measureGrowth<string>(text, read), column).toBeLessThan(linearGrowthMax);
  }
});
