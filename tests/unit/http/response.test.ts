import { expect, test } from 'vitest';
import { createResponse, listHeaders, setHeaders, toCacheControl } from '#lib/http/response.ts';

test('max-age is the remaining lifetime; without one the response must be revalidated', () => {
  expect(toCacheControl(60)).toBe('public, max-age=60');
  expect(toCacheControl(0)).toBe('no-cache');
});

const fields = [
  ['Content-Type', 'text/plain'],
  ['Set-Cookie', 'a=1'],
  ['Set-Cookie', 'b=2'],
  ['Vary', 'Accept'],
] as const;

test.each([
  ['before they are read', () => {}],
  ['after they were read', ({ headers }: Response) => headers.get('vary')],
  ['after one was added', ({ headers }: Response) => headers.append('Vary', 'Cookie')],
])('headers are set and replaced in any case: %s', (_, read) => {
  const response = createResponse({ status: 200, headers: fields, body: 'text' });
  read(response);
  setHeaders(response, [
    ['vary', 'Accept-Language'],
    ['X-Request-Id', 'one'],
    ['x-request-id', 'two'],
  ]);

  const expected = [
    ['content-length', '4'],
    ['content-type', 'text/plain'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['vary', 'Accept-Language'],
    ['x-request-id', 'two'],
  ];
  const list = listHeaders(response);
  expect(list.filter((_, at) => at % 2 === 0).toSorted()).toEqual(expected.map(([name]) => name));
  for (const [name, value] of expected) {
    expect(list.some((own, at) => own === name && list[at + 1] === value)).toBe(true);
  }
  expect([...response.headers]).toEqual(expected);
  expect(listHeaders(response)).toEqual(expected.flat());
});

test('a header that is set after they were read replaces all of its name', () => {
  const response = createResponse({ status: 200, headers: fields, body: null });
  setHeaders(response, [['Set-Cookie', 'c=3']]);
  expect(response.headers.getSetCookie()).toEqual(['c=3']);
  setHeaders(response, [['set-cookie', 'd=4']]);
  expect(response.headers.getSetCookie()).toEqual(['d=4']);
});

test('the headers of other responses are listed and set, too', () => {
  const response = new Response('', { headers: { Vary: 'Accept' } });
  setHeaders(response, [['Vary', 'Cookie']]);
  expect(listHeaders(response)).toEqual([
    'content-type',
    'text/plain;charset=UTF-8',
    'vary',
    'Cookie',
  ]);
});
