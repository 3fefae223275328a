import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventFormats, eventStatuses, projectTypes } from '#lib/events/model/choices.ts';
import { parseEventsQuery } from '#lib/events/query/parse-query.ts';
import { feedParameters, listParameters } from '#lib/events/query/query-parameters.ts';
import { anyText } from '../../../support/factories/any-text.ts';

function parse(
  search: string,
  parameters: Parameters<typeof parseEventsQuery>[1] = listParameters,
) {
  return parseEventsQuery(new URLSearchParams(search), parameters);
}

function queryOf(search: string) {
  const result = parse(search);
  if (!result.ok) throw new Error(result.problem.message);
  return result.query;
}

function problemOf(search: string, parameters?: Parameters<typeof parseEventsQuery>[1]) {
  const result = parse(search, parameters);
  if (result.ok) throw new Error(`understood: ${JSON.stringify(result.query)}`);
  return result.problem;
}

test('no parameters give an empty query', () => {
  expect(queryOf('')).toEqual({});
});

test('every parameter of the list is read', () => {
  expect(
    queryOf(
      'status=upcoming&projectType=CAD&format=online&q=lantern&from=2026-01-01&to=2026-12-31&sort=name&order=asc&limit=7',
    ),
  ).toEqual({
    status: ['upcoming'],
    projectType: ['CAD'],
    format: ['online'],
    q: 'lantern',
    from: '2026-01-01',
    to: '2026-12-31',
    sort: 'name',
    order: 'asc',
    limit: 7,
  });
});

test.for([
  'status=upcoming,ended',
  'status=upcoming%2Cended',
  'status=upcoming&status=ended',
  'status=UPCOMING, Ended',
  'status=,upcoming,,ended,',
  'status=upcoming,ended&status=ended',
  'status=&status=upcoming&status=ended',
])('several values are repeated or comma-separated: %s', (search) => {
  expect(queryOf(search).status?.toSorted()).toEqual(['ended', 'upcoming']);
});

test.for([
  'status=',
  'status=,,',
  'limit=',
  'q=',
  'from=&to=',
  'sort=&order=',
  'limit',
  'format= ',
  '&&',
  'sort=&order=&limit=&q=&from=&to=&format=&projectType=&status=,',
])('an empty value counts as absent: %s', (search) => {
  expect(queryOf(search)).toEqual({});
});

test('the bounds of limit are inclusive', () => {
  expect(queryOf('limit=1').limit).toBe(1);
  expect(queryOf('limit=100').limit).toBe(100);
});

// ASVS 2.2.1
test.for([
  '0',
  '101',
  '01',
  '+5',
  '%2B5',
  '-1',
  '1e2',
  '1.0',
  '5,',
  '%205',
  '5%0A',
  '0x10',
  '%EF%BC%95',
  '%D9%A5',
  '9999999999999999999999',
  'ten',
  'NaN',
  'Infinity',
])('limit=%s is rejected with its valid values', (value) => {
  const { message, hint } = problemOf(`limit=${value}`);
  expect(message).toContain('limit');
  expect(hint).toContain('1 to 100');
});

test.for(['limit=5&limit=5', 'sort=name&sort=startDate', 'order=asc&order=desc', 'q=a&q=b'])(
  'a repeated scalar is rejected: %s',
  (search) => {
    const name = search.slice(0, search.indexOf('='));
    expect(problemOf(search)).toMatchObject({
      message: expect.stringContaining(name),
      hint: expect.stringContaining(`\`${name}\` once`),
    });
  },
);

test('status, format, projectType and order are case-insensitive, sort is not', () => {
  expect(queryOf('status=UpComing&format=IN-PERSON&projectType=cad&order=DESC')).toEqual({
    status: ['upcoming'],
    format: ['in-person'],
    projectType: ['CAD'],
    order: 'desc',
  });
  expect(problemOf('sort=startdate').hint).toContain('Did you mean `startDate`?');
});

test.for([
  ['status=upcomming', 'Did you mean `upcoming`?'],
  ['status=upcoming,endet', 'Did you mean `ended`?'],
  ['format=inperson', 'Did you mean `in-person`?'],
  ['projectType=Sofware', 'Did you mean `Software`?'],
  ['order=des', 'Did you mean `desc`?'],
  ['sort=date', 'Did you mean `startDate`?'],
  ['sort=start', 'Did you mean `startDate`?'],
  ['limits=5', 'Did you mean `limit`?'],
  ['Status=ended', 'Did you mean `status`?'],
  ['status[]=ended', 'Did you mean `status`?'],
  ['projecttype=CAD', 'Did you mean `projectType`?'],
] as const)('%s is rejected with the closest match', ([search, hint]) => {
  expect(problemOf(search).hint).toContain(hint);
});

test('a value unlike any other is rejected with all valid values and no suggestion', () => {
  const { hint } = problemOf('status=cancelled');
  expect(hint).not.toContain('Did you mean');
  for (const status of eventStatuses) expect(hint).toContain(`\`${status}\``);
});

test.for(['day', 'foo', 'x', 'page', 'utm_source'])(
  'an unknown name that resembles no other has no suggestion: %s',
  (name) => {
    const { message, hint } = problemOf(`${name}=1`);
    expect(message).toContain(name);
    expect(hint).not.toContain('Did you mean');
    expect(hint).toContain('`status`');
  },
);

test.for(['__proto__=1', 'constructor=1', 'toString=1', 'hasOwnProperty=1', '=1'])(
  'a name of an Object.prototype property is unknown: %s',
  (search) => {
    expect(problemOf(search).hint).toContain('`status`');
  },
);

test('ids are separated by commas or repeated, and are rejected if they cannot be ids', () => {
  expect(queryOf('id=recB,recA&id=recB')).toEqual({ id: ['recA', 'recB'] });
  expect(queryOf('id=')).toEqual({});
  for (const search of ['id=rec/1', 'id=rec%201', `id=${'x'.repeat(101)}`]) {
    expect(problemOf(search).hint).toBe('`id` must be one or more ids of events.');
  }
});

test('an endpoint without parameters rejects them', () => {
  const { hint } = problemOf('limit=5', {});
  expect(hint).not.toMatch(/:\s*\.$/);
  expect(hint).toMatch(/\bno(?:ne)?\b|without/i);
});

test('a feed takes the filters and limit, but no order', () => {
  expect(parse('limit=5', feedParameters)).toEqual({ ok: true, query: { limit: 5 } });
  expect(parse('status=ended&when=weekend&limit=5', feedParameters)).toEqual({
    ok: true,
    query: { status: ['ended'], when: 'weekend', limit: 5 },
  });
  expect(problemOf('sort=name', feedParameters).hint).toContain('`limit`');
});

test.for([
  '2026-02-30',
  '2025-02-29',
  '2026-7-25',
  '2026-09',
  '26-01-01',
  'today',
  '2026-01-01T00:00:00Z',
])('from=%s is not an existing day', (day) => {
  expect(problemOf(`from=${day}`).hint).toContain('YYYY-MM-DD');
});

// ASVS 2.2.3
test('a reversed range is rejected, and the hint swaps the days', () => {
  expect(problemOf('from=2026-02-01&to=2026-01-01').hint).toContain(
    'from=2026-01-01&to=2026-02-01',
  );
  expect(queryOf('from=2026-01-01&to=2026-01-01')).toEqual({
    from: '2026-01-01',
    to: '2026-01-01',
  });
});

test('a search text is bounded and has no control characters', () => {
  expect(queryOf(`q=${'a'.repeat(200)}`).q).toHaveLength(200);
  expect(problemOf(`q=${'a'.repeat(201)}`).hint).toContain('200');
  expect(problemOf('q=a%0Ab').hint).toContain('text');
});

test('a client’s input is quoted shortened and on one line', () => {
  const { message, hint } = problemOf(
    `sort=${encodeURIComponent('a\u001b[31m\n\u2028\u202e'.repeat(50))}`,
  );
  expect(message.length).toBeLessThan(150);
  expect(message + hint).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

const anyName = fc.oneof(
  fc.constantFrom(...Object.keys(listParameters), 'status[]', '__proto__', ''),
  anyText(12),
);
const anyValue = fc.oneof(
  fc.constantFrom(
    ...eventStatuses,
    ...eventFormats,
    ...projectTypes,
    'asc',
    'name',
    '5',
    '2026-01-01',
    ',',
  ),
  anyText(300),
);

test('any input gives a valid query or a problem with a hint', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyName, anyValue), { maxLength: 6 }), (pairs) => {
      const result = parseEventsQuery(new URLSearchParams(pairs), listParameters);
      if (!result.ok) {
        expect(result.problem.message.length).toBeLessThan(300);
        expect(result.problem.hint).toMatch(/\.$/);
        return;
      }
      const { status = [], format = [], projectType = [], limit = 1 } = result.query;
      expect(eventStatuses).toEqual(expect.arrayContaining([...status]));
      expect(eventFormats).toEqual(expect.arrayContaining([...format]));
      expect(projectTypes).toEqual(expect.arrayContaining([...projectType]));
      expect(Number.isInteger(limit) && limit >= 1 && limit <= 100).toBe(true);
      expect(Object.keys(listParameters)).toEqual(
        expect.arrayContaining(Object.keys(result.query)),
      );
      for (const value of Object.values(result.query)) expect(value).not.toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('a parsed query, written as a URL, parses to itself', () => {
  const query = fc.record(
    {
      status: fc.uniqueArray(fc.constantFrom(...eventStatuses), { minLength: 1 }),
      format: fc.uniqueArray(fc.constantFrom(...eventFormats), { minLength: 1 }),
      projectType: fc.uniqueArray(fc.constantFrom(...projectTypes), { minLength: 1 }),
      limit: fc.integer({ min: 1, max: 100 }),
      order: fc.constantFrom('asc', 'desc'),
      sort: fc.constantFrom('startDate', 'announcedAt', 'name'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(query, (wanted) => {
      const search = new URLSearchParams(
        Object.entries(wanted).map(([name, value]) => [name, `${value}`]),
      );
      const read = queryOf(search.toString());
      for (const [name, value] of Object.entries(wanted)) {
        const found: unknown = read[name as keyof typeof read];
        if (Array.isArray(value)) expect(new Set(found as string[])).toEqual(new Set(value));
        else expect(found).toBe(value);
      }
    }),
  );
});

test('a position and a distance', () => {
  expect(queryOf('near=51.05,3.72&within=20000')).toEqual({ near: '51.05,3.72', within: 20_000 });
});

test.for([
  ['within=20', 'near=51.05,3.72&within=20'],
  ['near=91,0', '`51.05,3.72`'],
  ['near=Ghent', '`51.05,3.72`'],
  ['near=1,2&within=0', '1 to 20000'],
  ['near=1,2&within=20001', '1 to 20000'],
  ['near=1,2&within=5km', '1 to 20000'],
  [`city=${'x'.repeat(301)}`, 'up to 300 characters'],
] as const)('“%s” has a hint with %s', ([search, hint]) => {
  const result = parseEventsQuery(new URLSearchParams(search), listParameters);
  expect(result.ok ? '' : result.problem.hint).toContain(hint);
});
