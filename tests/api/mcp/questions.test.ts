import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { undoEdits } from '#lib/demo/data/sample-edits.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { send } from '../../support/clients/http-client.ts';
import { startSiteInProcess } from '../../support/servers/marquee-server.ts';

/**
 * Questions about the demo, each asked as an agent does that has read the descriptions of the tools. What each
 * must find is said by the cells of the table, on three days: a Thursday, a Saturday and a Sunday, at ten in UTC.
 */

type Cells = Readonly<Record<string, unknown>>;
type Wanted = (row: Row, day: Days) => boolean;

/** A row of the table, with its days and clock times as texts that sort. */
type Row = Readonly<{
  name: string;
  first: string;
  last: string;
  start: string;
  end: string;
  announced: string;
  cells: Cells;
}>;

type Days = Readonly<{
  today: string;
  add: (days: number) => string;
  monday: string;
  sunday: string;
}>;

function toDays(today: string): Days {
  const add = (days: number) =>
    new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return { today, add, monday: add(-sinceMonday), sunday: add(6 - sinceMonday) };
}

/** `8 pm` → `20:00`. */
function toClock(text: unknown): string {
  const [, hour = '', minute = '00', half] =
    /^(\d+)(?::(\d+))?(?: (am|pm))?$/.exec(String(text ?? '')) ?? [];
  return hour === ''
    ? ''
    : `${String(Number(hour) + (half === 'pm' ? 12 : 0)).padStart(2, '0')}:${minute}`;
}

function toRow({
  fields: cells,
  createdTime,
}: Readonly<{ fields: Cells; createdTime: string }>): Row {
  return {
    announced: String(cells['Announced At'] ?? createdTime).slice(0, 10),
    name: String(cells.Name),
    first: String(cells['Start Date']),
    last: String(cells['End Date'] ?? '9999-12-31'),
    start: toClock(cells['Start Time']),
    end: toClock(cells['End Time']),
    cells,
  };
}

const isOn = ({ first, last }: Row, from: string, to = from) => first <= to && last >= from;
/** On days on which people meet. */
const isThere = ({ first, last, cells, ...row }: Row, from: string, to: string) =>
  isOn(
    {
      ...row,
      cells,
      first: String(cells['In-Person Start'] ?? first),
      last: String(cells['In-Person End'] ?? last),
    },
    from,
    to,
  );
const isAhead: Wanted = ({ last }, { today }) => last >= today;
// None of the demo's events begins or ends at ten.
const isOnNow: Wanted = ({ first, last, start }, { today }) =>
  last >= today && (first < today || (first === today && start === ''));
const isOnline = ({ cells }: Row) =>
  cells.Format === 'Online' || cells.Format === 'Both' || cells.State === 'Moved online';
const isInPerson = ({ cells }: Row) =>
  (cells.Format === 'In-Person' || cells.Format === 'Both') && cells.State !== 'Moved online';
const hasType = ({ cells }: Row, type: string) =>
  [cells['Project Types'] ?? []].flat().includes(type);
const hasText = ({ cells }: Row, pattern: RegExp) =>
  ['Name', 'Description', 'Requirements', 'Location', 'Slack Channel'].some((column) =>
    pattern.test(String(cells[column] ?? '')),
  );
const isFree = ({ cells }: Row) => /^(Free|Gratuit|無料|مجان)/.test(String(cells.Price ?? ''));
const places = ({ cells }: Row) => Number(cells['Places Left'] ?? -1);
const oneOf =
  (...names: readonly string[]): Wanted =>
  ({ name }) =>
    names.includes(name);

const inEurope = oneOf(
  'Robot Sumo, Cardboard League',
  'Keyboard Orchard',
  'Solder Sunday',
  'Wandering Workshop',
  'Bench Test',
  'Tomorrow’s Machines',
  'Soapbox Derby for Robots',
  'Night Train Hackathon',
  'Window Lights',
  'Museum of Broken Things',
  'Harbour Hack',
  'View Source Potluck',
  'Forest Radio',
);
const forKids = oneOf(
  'Robot Sumo, Cardboard League',
  'Solder Sunday',
  'Soapbox Derby for Robots',
  'Mañana Makers',
  // Up to 18 years.
  '夜のゲームジャム',
);
/** In the order of their distance: in Ghent, Aachen, Utrecht and Zürich. */
const aroundBrussels = [
  'Robot Sumo, Cardboard League',
  'Wandering Workshop',
  'Solder Sunday',
  'Night Train Hackathon',
];

/** What an agent calls; arguments may depend on the day, which a result has told it. */
type Call = Readonly<{ tool: string; args: (days: Days) => Readonly<Record<string, unknown>> }>;
const list = (args: object | ((days: Days) => object)): Call => ({
  tool: 'list_events',
  args: (days) => ({ limit: 100, ...(typeof args === 'function' ? args(days) : args) }),
});
const search = (query: string): Call => ({ tool: 'search', args: () => ({ query }) });
const changes = (args: (days: Days) => object = () => ({})): Call => ({
  tool: 'list_changes',
  args: (days) => ({ ...args(days) }),
});

const ahead = { status: ['upcoming', 'ongoing'] };
const nextMonth = ({ today }: Days) => {
  const [year = 0, month = 0] = today.split('-').map(Number);
  const write = (date: Date) => date.toISOString().slice(0, 10);
  return [
    write(new Date(Date.UTC(year, month, 1))),
    write(new Date(Date.UTC(year, month + 1, 0))),
  ] as const;
};
const weekend = ({ today, sunday, add }: Days) =>
  [today === sunday ? today : add((6 - new Date(today).getUTCDay()) % 7), sunday] as const;

type Question = readonly [question: string, call: Call, wanted: Wanted];

const questions: readonly Question[] = [
  [
    'What can I join online this weekend?',
    list({ format: 'online', when: 'weekend' }),
    (row, day) => isOnline(row) && isOn(row, ...weekend(day)),
  ],
  [
    'Which hackathons are there in Europe next month?',
    list({ country: 'Europe', when: 'next-month' }),
    (row, day) => inEurope(row, day) && isThere(row, ...nextMonth(day)),
  ],
  [
    'And in words?',
    search('hackathons in Europe next month'),
    (row, day) => inEurope(row, day) && isThere(row, ...nextMonth(day)),
  ],
  [
    'What is on in Ghent before Christmas?',
    search('what is on in Ghent before Christmas'),
    (row, day) =>
      hasText(row, /Ghent/) &&
      isThere(row, day.today, `${day.today > '2026-12-24' ? '2027' : '2026'}-12-24`),
  ],
  [
    'What can I do on 5 December 2026?',
    list({ from: '2026-12-05', to: '2026-12-05' }),
    (row) => isOn(row, '2026-12-05'),
  ],
  [
    'Which are free?',
    list({ price: 'free', ...ahead }),
    (row, day) => isFree(row) && isAhead(row, day),
  ],
  [
    'What is there for kids?',
    list({ audience: 'kids', ...ahead }),
    (row, day) => forKids(row, day) && isAhead(row, day),
  ],
  ['What was cancelled?', search('cancelled'), ({ cells }) => cells.State === 'Cancelled'],
  [
    'What does the Solder Society do?',
    list({ organizer: 'Solder Society' }),
    ({ cells }) => cells.Organizer === 'Solder Society',
  ],
  [
    'What starts tomorrow morning?',
    search('what starts tomorrow morning'),
    ({ first, start }, { add }) => first === add(1) && start >= '05:00' && start < '12:00',
  ],
  [
    'Where are robots, in person, in December?',
    search('robots in person in december'),
    (row) => isInPerson(row) && hasText(row, /robot/i) && isThere(row, '2026-12-01', '2026-12-31'),
  ],
  ['What is on now?', list({ status: 'ongoing' }), isOnNow],
  [
    'What was announced this week?',
    search('announced this week'),
    ({ announced }, { monday, today }) => announced >= monday && announced <= today,
  ],
  [
    'What is on in Portugal?',
    list({ country: 'Portugal', ...ahead }),
    oneOf('Tomorrow’s Machines', 'Museum of Broken Things'),
  ],
  [
    'Where are places left?',
    list({ hasPlaces: true, ...ahead }),
    (row, day) => places(row) > 0 && isAhead(row, day),
  ],
  [
    'What costs up to 10 euros?',
    list({ maxPrice: 10, price: 'paid', ...ahead }),
    ({ cells }) => ['€6', '€8', '£5'].includes(String(cells.Price)),
  ],
  [
    'What can I attend near Lisbon?',
    list({ near: 'Lisbon', format: 'in-person', ...ahead }),
    oneOf('Tomorrow’s Machines'),
  ],
  [
    'What is on this evening?',
    list({ when: 'tonight' }),
    (row, { today }) =>
      row.start !== '' &&
      isOn(row, today) &&
      ((row.first === today && row.start >= '17:00') ||
        row.last > today ||
        row.end > '18:00' ||
        (row.end !== '' && row.end < row.start)),
  ],
  // Ten more.
  [
    'Is there anything in Scotland?',
    search('anything in scotland'),
    oneOf('Soapbox Derby for Robots'),
  ],
  [
    'CAD or electronics next month?',
    list({ projectType: ['CAD', 'Electronics'], when: 'next-month' }),
    (row, day) =>
      (hasType(row, 'CAD') || hasType(row, 'Electronics')) && isOn(row, ...nextMonth(day)),
  ],
  [
    'Anything in Scandinavia?',
    list({ country: 'Scandinavia', ...ahead }),
    oneOf('Window Lights', 'Forest Radio'),
  ],
  [
    'Free, and with places left?',
    search('free with places left'),
    (row) => isFree(row) && places(row) > 0,
  ],
  [
    'What starts next week?',
    search('what starts next week'),
    ({ first }, { sunday }) => first > sunday && first <= toDays(sunday).add(7),
  ],
  [
    'Which events does the Cardboard League have?',
    list({ series: 'Cardboard League' }),
    ({ cells }) => cells.Series === 'Cardboard League',
  ],
  ['Are there telescopes?', search('telescopes'), (row) => hasText(row, /telescope/i)],
  ['Which are sold out?', search('which are sold out'), (row) => places(row) === 0],
];

/** Where the answer is an order, or one event. */
const ordered: readonly (readonly [string, Call, readonly string[]])[] = [
  ['Which is closest to Brussels?', search('which is closest to brussels'), aroundBrussels],
  [
    'Which two are nearest to Brussels?',
    list({ near: 'Brussels', within: 1000, limit: 2, ...ahead }),
    aroundBrussels.slice(0, 2),
  ],
  [
    'When is the next game jam?',
    list({ projectType: 'Gamedev', status: 'upcoming', limit: 1 }),
    ['Night Train Hackathon'],
  ],
  [
    'What is the next game jam?',
    search('next game jam'),
    ['Night Train Hackathon', 'Ghost Stories in Plain Text'],
  ],
  [
    'What has changed this week?',
    changes(({ monday }) => ({ since: monday })),
    ['Forest Radio', 'Museum of Broken Things', 'Harbour Hack', 'Winter Benchmarks'],
  ],
  [
    'What was moved or cancelled?',
    changes(() => ({ type: 'event.changed' })),
    ['Museum of Broken Things', 'Harbour Hack'],
  ],
  [
    'Is Overnight at the Observatory full?',
    search('is Overnight at the Observatory full'),
    ['Overnight at the Observatory'],
  ],
];

const titleSchema = z.union([
  z.object({ title: z.string() }).transform(({ title }) => title),
  z.object({ name: z.string() }).transform(({ name }) => name),
]);
const answerSchema = z.union([
  z.object({ results: z.array(titleSchema) }).transform(({ results }) => results),
  z.object({ data: z.array(titleSchema) }).transform(({ data }) => data),
]);

describe.each(['2026-11-26', '2026-12-19', '2027-01-31'])('on %s', (today) => {
  const days = toDays(today);
  const records = sampleRecords({ today });
  const rows = records.map(toRow);
  let timeMs = Date.parse(`${today}T10:00:00Z`) - 241_000;
  let isEdited = false;
  let site: Awaited<ReturnType<typeof startSiteInProcess>>;
  let client: Client;

  beforeAll(async () => {
    site = await startSiteInProcess(
      {
        records: () => (isEdited ? records : undoEdits(records, today)),
        settings: { EVENTS_TIME_ZONE: 'UTC' },
      },
      { now: () => timeMs },
    );
    await send(site, '/api/v1/events');
    isEdited = true;
    timeMs += 241_000;
    await send(site, '/api/v1/events');
    client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${site.url}/mcp`)));
  });

  afterAll(async () => {
    await client?.close();
    await site?.[Symbol.asyncDispose]();
  });

  async function ask({ tool, args }: Call): Promise<readonly string[]> {
    const result = await client.callTool({ name: tool, arguments: { ...args(days) } });
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
    expect(result.structuredContent).not.toMatchObject({ ignoredArguments: expect.anything() });
    return answerSchema.parse(result.structuredContent);
  }

  test.each(questions)('%s', async (_, call, wanted) => {
    const expected = rows.filter((row) => wanted(row, days)).map(({ name }) => name);
    const answer = await ask(call);
    // Of a search that nothing meets, the results say that they are partial.
    if (expected.length > 0) expect(answer.toSorted()).toEqual(expected.toSorted());
  });

  test.each(ordered)('%s', async (_, call, expected) => {
    const answer = await ask(call);
    expect(answer.slice(0, expected.length)).toEqual(expected);
  });
});

test('each question has an answer on the first day', () => {
  const days = toDays('2026-11-26');
  const rows = sampleRecords({ today: days.today }).map(toRow);
  const empty = questions.filter(([, , wanted]) => !rows.some((row) => wanted(row, days)));
  expect(empty.map(([question]) => question)).toEqual([]);
});
