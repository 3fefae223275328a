import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { columns } from '#lib/events/model/field-lists.ts';
import { eventSchema } from '#lib/events/model/schema.ts';
import { toStatusOfDays } from '#lib/events/model/status.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { toPublished } from '#lib/events/view/events-json.ts';
import { edgeCaseRecords } from '../../../../support/airtable/edge-case-records.ts';
import { noDetails } from '../../../../support/factories/event-factory.ts';
import { hostileText } from '../../../../support/factories/hostile-text.ts';
import { makeRecord } from '../../../../support/upstreams/upstream.ts';

const site = 'UTC';

type Fields = Readonly<Record<string, unknown>>;

function draftOf(fields: Fields) {
  const { draft } = toEvent(makeRecord(fields), site);
  if (draft === null) throw new Error('left out');
  return draft;
}

function reasonsOf(fields: Fields) {
  const { problems } = toEvent(makeRecord(fields), site);
  return problems.map(({ column, reason, done }) => `${column}: ${reason}, ${done}`);
}

/** Schema issues of the record as the API would publish it. */
function schemaIssuesOf(record: Parameters<typeof toEvent>[0], zone = 'UTC'): string[] {
  const { draft, signedUrls } = toEvent(record, zone);
  if (draft === null) return [];
  const { attachments, ...rest } = draft;
  const toPicture = (attachment: typeof attachments.logo) =>
    attachment && { ...attachment, url: `https://x.example/${attachment.id}`, thumbHash: null };
  const pictures = {
    logo: toPicture(attachments.logo),
    background: toPicture(attachments.background),
  };
  const event = { ...rest, slug: 'slug', status: toStatusOfDays(draft, '2026-03-10'), pictures };
  const published = toPublished(event, new Map([[event.id, signedUrls]]));
  const result = eventSchema.strict().safeParse(published);
  return result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path}: ${issue.message}`);
}

test('a complete row becomes a complete event', () => {
  const record = makeRecord({
    Name: ' Lantern  Jam ',
    Description: 'Build a *lantern*.',
    Requirements: 'None.',
    URL: ' https://lantern.example ',
    'Slack URL': 'https://chat.example/l',
    'Slack Channel': '#Lantern-Jam',
    'Start Date': '2026-03-01',
    'End Date': '2026-03-02',
    'Announced At': '2026-02-01T10:00:00.000Z',
    State: 'Postponed',
    Format: 'Both',
    'In-Person Start': '2026-03-01',
    'In-Person End': '2026-03-02',
    Location: 'Lisbon',
    'Project Types': ['Electronics', 'CAD'],
    Pinned: true,
    Logo: [
      { id: 'attLogo1', url: 'https://files.example/a.png', width: 400, height: 300 },
      { url: 'https://files.example/b.png' },
    ],
    'Background Type': 'Image',
    'Background Color': '#123456',
    'Background Image': [{ url: 'https://files.example/c.png' }],
    'Text Color': 'white',
    'Logo Size': 64,
  });
  const { draft, problems } = toEvent(record, site);
  expect(problems).toEqual([]);
  expect(draft).toEqual({
    id: record.id,
    name: 'Lantern Jam',
    description: 'Build a *lantern*.',
    url: 'https://lantern.example/',
    state: 'postponed',
    startDate: '2026-03-01',
    endDate: '2026-03-02',
    startTime: null,
    endTime: null,
    timeZone: null,
    startsAt: null,
    endsAt: null,
    schedule: null,
    announcedAt: '2026-02-01T10:00:00.000Z',
    format: 'both',
    inPerson: { start: '2026-03-01', end: '2026-03-02', location: 'Lisbon' },
    place: null,
    organizer: null,
    ...noDetails,
    priceRange: null,
    projectTypes: ['Electronics', 'CAD'],
    slackChannel: 'lantern-jam',
    slackUrl: 'https://chat.example/l',
    requirements: 'None.',
    pinned: true,
    background: { type: 'image', color: '#123456' },
    theme: expect.objectContaining({ text: '#ffffff', logoSize: 64 }),
    attachments: { logo: { id: 'attLogo1', width: 400, height: 300 }, background: null },
  });
});

test.for([
  undefined,
  7,
  '',
  'att',
  'attA1/../../secret',
  'attA1%2e',
  'recA1B2C3',
  `att${'x'.repeat(41)}`,
])('an attachment with the id %j has a signed URL only', (id) => {
  const url = 'https://files.example/a.png';
  const { draft, signedUrls } = toEvent(makeRecord({ Logo: [{ id, url }] }), site);
  expect(signedUrls).toEqual({ logo: url, background: null });
  expect(draft?.attachments.logo).toBeNull();
});

test.for([
  [{}, null, null],
  [{ width: 0, height: -1 }, null, null],
  [{ width: '400', height: 1.5 }, null, null],
  [{ width: 1e300, height: 100_001 }, null, null],
  [{ width: 400, height: Number.NaN }, 400, null],
] as const)('an attachment of size %j', ([size, width, height]) => {
  const draft = draftOf({
    'Background Image': [{ id: 'attBack1', url: 'https://files.example/b.png', ...size }],
  });
  expect(draft.attachments.background).toEqual({ id: 'attBack1', width, height });
});

test('a row with only a name and a start date is an event', () => {
  const record = makeRecord();
  const { draft, problems } = toEvent(record, site);
  expect(problems).toEqual([]);
  expect(draft).toMatchObject({
    description: null,
    endDate: null,
    announcedAt: record.createdTime,
    format: null,
    inPerson: null,
    projectTypes: [],
    pinned: false,
    background: null,
    theme: null,
  });
});

const impossibleStart = 'Start Date: impossible_start_date, left out';

test.for([
  ['no name', { Name: undefined }, 'Name: no_name, left out'],
  ['a name of blanks', { Name: ' \n\t ' }, 'Name: no_name, left out'],
  ['a name that does not show', { Name: '\u200b\u2060\u00ad' }, 'Name: no_name, left out'],
  ['no start', { 'Start Date': undefined }, 'Start Date: no_start_date, left out'],
  ['a start of blanks', { 'Start Date': '   ' }, 'Start Date: no_start_date, left out'],
  ['a start that never was', { 'Start Date': '2025-09-31' }, impossibleStart],
  ['a start of a month', { 'Start Date': '2026-09' }, impossibleStart],
  ['a start in words', { 'Start Date': 'soon' }, impossibleStart],
] as const)('a row with %s is left out and reported', ([, fields, reason]) => {
  const { draft } = toEvent(makeRecord(fields), site);
  expect(draft).toBeNull();
  expect(reasonsOf(fields)).toContain(reason);
});

test('readable dates are rewritten, and impossible ends become the last day of the month', () => {
  expect(draftOf({ 'Start Date': '2026-7-5' }).startDate).toBe('2026-07-05');
  expect(draftOf({ 'End Date': '2026-06-31' }).endDate).toBe('2026-06-30');
  expect(draftOf({ 'End Date': '2028-02' }).endDate).toBe('2028-02-29');
  // Never on for ever by mistake.
  expect(draftOf({ 'End Date': 'TBD' }).endDate).toBe('2026-03-01');
  expect(draftOf({ 'End Date': 'ongoing' }).endDate).toBeNull();
  expect(draftOf({ 'End Date': '2026-02-01' }).endDate).toBe('2026-03-01');
});

test('a date with a time is the day in the time zone', () => {
  const record = makeRecord({ 'Start Date': '2026-03-10T23:30:00.000Z' });
  expect(toEvent(record, 'Asia/Tokyo').draft?.startDate).toBe('2026-03-11');
  expect(toEvent(record, 'America/Lima').draft?.startDate).toBe('2026-03-10');
});

test.for([
  '0000-01-01T00:00:00Z',
  '0050-05-05T00:00:00Z',
  '0999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-12:00',
  '0000-02-29',
  '9999-12-31',
])('the far day %s gives a day or leaves the row out, in any column', (value) => {
  for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Niue']) {
    for (const column of ['Start Date', 'End Date', 'In-Person Start', 'In-Person End']) {
      expect(schemaIssuesOf(makeRecord({ [column]: value }), zone)).toEqual([]);
    }
  }
});

test.for([
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00+12:00',
  '2026-01-01T25:61:00Z',
  'yesterday',
])('an invalid announcement time falls back or is repaired: %s', (value) => {
  expect(schemaIssuesOf(makeRecord({ 'Announced At': value }))).toEqual([]);
  expect(schemaIssuesOf({ ...makeRecord(), createdTime: value })).toEqual([]);
});

test('formats match in any case, with any blanks and hyphens', () => {
  for (const format of ['In-Person', ' in person ', 'IN_PERSON', 'inperson', 'in–person']) {
    expect(draftOf({ Format: format }).format).toBe('in-person');
  }
  expect(draftOf({ Format: 'On the moon' }).format).toBeNull();
});

test.for([
  ['Scheduled', 'scheduled'],
  [' canceled ', 'cancelled'],
  ['CANCELLED', 'cancelled'],
  ['Moved_Online', 'moved-online'],
  [['moved online'], 'moved-online'],
  ['', 'scheduled'],
  [undefined, 'scheduled'],
  [null, 'scheduled'],
  [[], 'scheduled'],
  [[null], 'scheduled'],
] as const)('the state %j is %s, without a repair', ([cell, state]) => {
  expect(draftOf({ State: cell }).state).toBe(state);
  expect(reasonsOf({ State: cell })).toEqual([]);
});

test('an event that was moved online is online, whatever its format was, and has left its place', () => {
  for (const Format of ['In-person', 'Both', '', 'On the moon']) {
    const cells = { State: 'Moved online', Format, Location: 'Kyoto' };
    expect(draftOf(cells)).toMatchObject({ format: 'online', inPerson: null });
    expect(reasonsOf(cells)).toEqual([]);
  }
});

test.for([
  ['Abducted', 'unknown_choice'],
  [7, 'unknown_choice'],
  [true, 'not_text'],
  [{ error: '#ERROR!' }, 'failed_formula'],
] as const)('the unknown state %j is repaired to scheduled, and reported', ([cell, reason]) => {
  expect(draftOf({ State: cell }).state).toBe('scheduled');
  expect(reasonsOf({ State: cell })).toEqual([`State: ${reason}, repaired`]);
});

test('an online event has no in-person part; an unknown format with a location does', () => {
  expect(draftOf({ Format: 'Online', Location: 'Lisbon' }).inPerson).toBeNull();
  expect(draftOf({ Location: 'Lisbon' }).inPerson).toEqual({
    start: null,
    end: null,
    location: 'Lisbon',
  });
});

test('an in-person end before its start becomes the start, and is reported', () => {
  const fields = {
    Format: 'Both',
    'In-Person Start': '2026-03-05',
    'In-Person End': '2026-03-04',
    Location: 'Lisbon',
  };
  expect(draftOf(fields).inPerson).toEqual({
    start: '2026-03-05',
    end: '2026-03-05',
    location: 'Lisbon',
  });
  expect(reasonsOf(fields)).toEqual(['In-Person End: end_before_start, repaired']);
});

test('project types are deduplicated, and unknown ones dropped and reported', () => {
  const fields = { 'Project Types': ['Knitting', 'software', 'Software ', 'CAD'] };
  expect(draftOf(fields).projectTypes).toEqual(['Software', 'CAD']);
  expect(reasonsOf(fields)).toEqual(['Project Types: unknown_choice, repaired']);
});

test.for([
  ['#first, #second', 'first'],
  ['##loud', 'loud'],
  ['Ünï_1', 'ünï_1'],
  ['#', null],
  ['https://chat.example/C1', null],
  ['a'.repeat(81), null],
  ['no<b>', null],
] as const)('the channel %s', ([value, channel]) => {
  expect(draftOf({ 'Slack Channel': value }).slackChannel).toBe(channel);
});

test.for([
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'https://user:word@login.example',
  'https://',
  'mailto:a@b.example',
  `https://long.example/${'x'.repeat(5000)}`,
])('%j is not a web URL', (value) => {
  const cells = { URL: value, 'Slack URL': value, Logo: [{ url: value }] };
  const { draft, signedUrls } = toEvent(makeRecord(cells), site);
  expect([draft?.url, draft?.slackUrl, signedUrls.logo]).toEqual([null, null, null]);
});

// ASVS 5.4.2
test('a URL contains nothing that could end a header or a line', () => {
  expect(draftOf({ URL: 'https://broken.example/\r\nSet-Cookie: a=b' }).url ?? '').not.toMatch(
    /\s/,
  );
});

test('texts keep their lines and lose control characters', () => {
  const { description } = draftOf({
    Description: ' a\r\nb\u2028c\u0000\u001b[31m\ufeff\u202ed\ud800 ',
  });
  expect(description).toBe('a\nb\nc[31md\ufffd');
});

test('a very long text is cut at a whole character', () => {
  const { description, name } = draftOf({
    Description: '😀'.repeat(60_000),
    Name: '😀'.repeat(400),
  });
  expect(description?.length).toBeLessThanOrEqual(100_000);
  expect(description?.isWellFormed()).toBe(true);
  expect(name.length).toBeLessThanOrEqual(300);
  expect(name.isWellFormed()).toBe(true);
});

test('sizes are numbers within bounds', () => {
  expect(draftOf({ 'Logo Size': '96px', 'Button Border Radius': -4 }).theme).toMatchObject({
    logoSize: 96,
    button: { borderRadius: 0 },
  });
  expect(draftOf({ 'Logo Size': 1e308 }).theme?.logoSize).toBe(512);
  expect(draftOf({ 'Logo Size': { specialValue: 'Infinity' } }).theme).toBeNull();
});

test('blanks or a unit alone are not a size', () => {
  for (const value of ['   ', 'px']) expect(draftOf({ 'Logo Size': value }).theme).toBeNull();
});

test('a colour that makes the parser throw is repaired like any other', () => {
  expect(draftOf({ 'Text Color': 'rgb(0 0 0 / 5px)' }).theme).toBeNull();
});

test('a background has the type image only if there is an image', () => {
  expect(draftOf({ 'Background Type': 'Image' }).background).toBeNull();
  expect(
    draftOf({ 'Background Type': 'Image', 'Background Color': '#123456' }).background?.type,
  ).toBe('color');
  expect(
    draftOf({ 'Background Type': 'Color', 'Background Image': [{ url: 'https://f.example/' }] })
      .background,
  ).toMatchObject({ type: 'image' });
});

test('every sample row is a valid event', () => {
  for (const record of sampleRecords({ today: '2026-03-10', count: 300 })) {
    expect(toEvent(record, site).draft).not.toBeNull();
    expect(schemaIssuesOf(record)).toEqual([]);
  }
});

test('no edge-case row gives an event that the API cannot send', () => {
  for (const record of edgeCaseRecords({ today: '2026-03-10' })) {
    expect([record.fields.Name, schemaIssuesOf(record)]).toEqual([record.fields.Name, []]);
  }
});

test('no row injects a style or a script URL', () => {
  for (const record of edgeCaseRecords({ today: '2026-03-10' })) {
    const { draft, signedUrls } = toEvent(record, site);
    if (draft === null) continue;
    for (const url of [draft.url, draft.slackUrl, ...Object.values(signedUrls)]) {
      expect(url ?? 'https://').toMatch(/^https?:\/\//);
    }
    const { text, accent, button } = draft.theme ?? {};
    const { color, textColor, borderColor } = button ?? {};
    for (const shownColor of [
      text,
      accent,
      color,
      textColor,
      borderColor,
      draft.background?.color,
    ]) {
      expect(shownColor ?? '#000000').toMatch(/^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/);
    }
  }
});

test('reported cell values are shortened and on one line', () => {
  const { problems } = toEvent(makeRecord({ URL: `\u001b[31m\n${'x'.repeat(5000)}` }), site);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.value.length).toBeLessThan(70);
  expect(problems[0]?.value).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('ten thousand invalid choices are reported as at most fifty problems', () => {
  const types = Array.from({ length: 10_000 }, (_, index) => `Type ${index}`);
  expect(toEvent(makeRecord({ 'Project Types': types }), site).problems.length).toBeLessThanOrEqual(
    50,
  );
});

test('a cell nested twenty thousand levels deep is repaired like any other', () => {
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  for (const column of columns) {
    expect(() => toEvent(makeRecord({ [column]: deep }), site)).not.toThrow();
  }
  const { problems } = toEvent(makeRecord({ 'Text Color': deep }), site);
  expect(problems.map(({ value }) => value)).toContain('[[["…"]]]');
});

const cell = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.webUrl(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc
    .date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  fc
    .tuple(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 14 }),
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom('', 'T00:00', 'T23:59:59-12:00', ' '),
    )
    .map(([year, month, day, rest]) => `${String(year).padStart(4, '0')}-${month}-${day}${rest}`),
  fc.constantFrom<unknown>(
    null,
    '',
    [],
    {},
    { error: '#ERROR!' },
    { specialValue: 'NaN' },
    [null],
    [['x']],
    [{ id: 'att1', url: 'https://files.example/a.png' }],
    [{ url: 'javascript:alert(1)' }],
    ['CAD', 'cad', null],
    'Online',
    'In Person',
    'Image',
    'Color',
    '#fff',
    'rgb(1 2 3 / 0.5)',
    'rgb(1 2 3 / 5px)',
    '2026-03-10',
    true,
  ),
);

test('any cells give an event that the API can send, or a row that is left out', () => {
  const fields = fc.record(Object.fromEntries(columns.map((column) => [column, cell])), {
    requiredKeys: [],
  });
  const createdTime = fc.oneof(
    hostileText,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  fc.assert(
    fc.property(
      fields,
      createdTime,
      fc.constantFrom('UTC', 'Asia/Tokyo', 'America/Lima'),
      (given, created, zone) => {
        const sound = { Name: 'Sound', 'Start Date': '2026-03-01' };
        for (const all of [given, { ...given, ...sound }]) {
          expect(
            schemaIssuesOf({ ...makeRecord(), fields: all, createdTime: created }, zone),
          ).toEqual([]);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test.for([
  ['a PDF first', ['application/pdf', 'image/png'], 'attFile2'],
  ['a document and a film first', ['text/plain', 'video/mp4', 'image/svg+xml'], 'attFile3'],
  ['a TIFF', ['image/tiff', 'image/png'], 'attFile1'],
  ['what does not say its type', [undefined, 'image/png'], 'attFile1'],
  ['a HEIC, which is not read, first', ['image/heic', 'image/jpeg'], 'attFile2'],
  ['no picture', ['application/pdf', 'text/plain'], undefined],
] as const)('of attachments with %s, the first picture is taken', ([, types, id]) => {
  const Logo = types.map((type, index) => ({
    id: `attFile${index + 1}`,
    url: `https://files.example/${index + 1}`,
    ...(type !== undefined && { type }),
  }));
  const { draft, signedUrls, problems } = toEvent(makeRecord({ Logo }), site);
  expect(draft?.attachments.logo?.id).toBe(id);
  expect(signedUrls.logo).toBe(id === undefined ? null : `https://files.example/${id.slice(-1)}`);
  expect(problems.map(({ reason }) => reason)).toEqual(id === undefined ? ['not_a_picture'] : []);
});
