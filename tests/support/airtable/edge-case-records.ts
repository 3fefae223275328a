import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import { addDays } from '#lib/demo/data/sample-sketch.ts';
import { toAirtableId } from '#lib/demo/seeded-random.ts';
import { type EdgeCase, lookCases, textCases, typeCases } from './edge-case-cells.ts';

/**
 * Rows as public tables get them: by accident, by formula and by malice. Each has one invalid
 * thing, a stable record id, and a name that says what is invalid, unless it is the name itself.
 * Readers have to leave some out, and repair most.
 */
export function edgeCaseRecords(options: { today: string }): AirtableRecord[] {
  const { today } = options;
  const rows = [
    ...toDateCases(today),
    ...toNameCases(today),
    ...textCases,
    ...lookCases,
    ...typeCases,
  ];
  return rows.map(([name, cells]) => ({
    id: toAirtableId('rec', `odd ${name}`),
    createdTime: `${addDays(today, -20)}T09:30:00.000Z`,
    fields: {
      Name: name,
      'Start Date': addDays(today, -3),
      'End Date': addDays(today, 3),
      ...cells,
    },
  }));
}

function toDateCases(today: string): EdgeCase[] {
  const yesterday = addDays(today, -1);
  return [
    ['Start on a day that does not exist', { 'Start Date': '2025-09-31' }],
    ['Start in a year that has no 29 February', { 'Start Date': '2025-02-29' }],
    ['Start without leading zeros', { 'Start Date': '2026-7-25' }],
    ['Start with a month only', { 'Start Date': '2026-09' }],
    ['Start in words', { 'Start Date': 'next Tuesday, probably' }],
    ['Start with a time', { 'Start Date': `${today}T18:00:00.000Z` }],
    ['Start as a number', { 'Start Date': 46_000 }],
    ['Start as a list', { 'Start Date': [today] }],
    ['Start from a failed formula', { 'Start Date': { error: '#ERROR!' } }],
    ['Start in the year 0000', { 'Start Date': '0000-01-01' }],
    ['Start in the year 99999', { 'Start Date': '99999-01-01' }],
    ['Start missing', { 'Start Date': undefined }],
    ['Start of blanks', { 'Start Date': '   ' }],
    ['Starts and ends today', { 'Start Date': today, 'End Date': today }],
    ['Began a year ago', { 'Start Date': addDays(today, -365), 'End Date': today }],
    ['Lasts 400 days', { 'Start Date': addDays(today, -200), 'End Date': addDays(today, 199) }],
    ['End before the start', { 'Start Date': today, 'End Date': yesterday }],
    ['End on a day that does not exist', { 'End Date': '2026-06-31' }],
    ['End in words', { 'End Date': 'TBD' }],
    ['End from a failed formula', { 'End Date': { specialValue: 'NaN' } }],
    ['Announced in words', { 'Announced At': 'yesterday' }],
    ['Announced without a time', { 'Announced At': yesterday }],
    ['Announced at an hour that does not exist', { 'Announced At': `${yesterday}T25:61:00.000Z` }],
    ['Announced in the future', { 'Announced At': `${addDays(today, 400)}T00:00:00.000Z` }],
    [
      'In person, end before start',
      { Format: 'Both', 'In-Person Start': today, 'In-Person End': yesterday, Location: 'Here' },
    ],
    ['In person, dates in words', { Format: 'in person', 'In-Person Start': 'Saturday' }],
    ['Online with a place', { Format: 'ONLINE', Location: 'Nowhere', 'In-Person Start': today }],
  ];
}

/** Rows with an invalid name are described in their Description; the name determines their id. */
function toNameCases(today: string): EdgeCase[] {
  const tomorrow = addDays(today, 1);
  const names: readonly (readonly [name: unknown, why: string])[] = [
    ['   ', 'a name of blanks'],
    ['', 'an empty name'],
    [undefined, 'no name at all'],
    [{ error: '#ERROR!' }, 'a name from a failed formula'],
    [42, 'a name that is a number'],
    [['Listed name'], 'a name in a list'],
    [true, 'a name that is a boolean'],
    ['!!! ??? ---', 'a name of symbols only'],
    ['深夜工作坊', 'a name in Chinese only'],
    ['🛠️🔥🤖', 'a name of emoji only'],
    ['👩‍👩‍👧‍👦', 'a name that is one joined emoji'],
    ['RSS', 'a name that is a reserved word'],
    ['rss', 'the reserved word again, in lower case'],
    ['calendar.ics', 'a name that looks like a file'],
    ['../../etc/passwd', 'a name that looks like a path'],
    ['a/b?c=d#e%2Ff', 'a name with the delimiters of a URL'],
    ['Open Shed', 'a name that comes three times'],
    ['OPEN SHED', 'the same name in capitals'],
    ['open  shed', 'the same name with two spaces'],
    ['open-shed-2', 'a name that is the slug of another'],
    ['\u202Egnp.exe', 'a name with a right-to-left override'],
    ['Zero\u200Bwidth\uFEFF space', 'a name with characters that do not show'],
    ['Z̷̢̛a̸̡͝l̶̨̕g̵̢͠o̶͜͝', 'a name with many accents'],
    ['<b>Bold</b> & "quoted" \'name\'', 'a name with markup'],
    ['Line\nbreak\tand tab', 'a name over two lines'],
    ['=HYPERLINK("https://formula.example")', 'a name that a spreadsheet would run'],
    ['__proto__', 'a name that is a property of objects'],
    ['constructor', 'another one'],
    [`Long ${'long '.repeat(58)}name`, 'a name of 300 characters'],
    ['x'.repeat(300), 'a name of 300 characters without a space'],
  ];
  return names.map(([name, why], index) => [
    `name ${index}`,
    {
      Name: name,
      Description: `This row has ${why}.`,
      'Start Date': index % 2 === 0 ? today : tomorrow,
      'End Date': undefined,
    },
  ]);
}
