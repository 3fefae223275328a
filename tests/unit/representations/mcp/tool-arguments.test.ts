import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createClientTurns } from '#lib/http/client-turns.ts';
import { silentLog } from '#lib/http/log.ts';
import { createMcpRoute } from '#lib/representations/mcp/mcp-route.ts';
import { config, makeLoader, makeMcpSnapshot } from '../../../support/factories/mcp-events.ts';
import { testSite as site } from '../../../support/test-site.ts';

const takeTurn = createClientTurns(0);

const bothTypes = 'application/json, text/event-stream';

async function post(message: object, headers: Record<string, string> = {}): Promise<Response> {
  const events = makeLoader(await makeMcpSnapshot());
  const { POST } = createMcpRoute(() => ({ site, events, config, log: silentLog, takeTurn }));
  const request = new Request(`${site.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: bothTypes,
      Host: new URL(site.url).host,
      ...headers,
    },
    body: JSON.stringify(message),
  });
  return POST(request, { params: Promise.resolve({}) });
}

const toCall = (name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
});

const resultSchema = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    content: z.array(z.object({ text: z.string() })),
    structuredContent: z.any().optional(),
  }),
});

async function call(name: string, args: unknown) {
  const { result } = resultSchema.parse(await (await post(toCall(name, args))).json());
  return result;
}

const countOf = async (args: unknown) =>
  (await call('list_events', args)).structuredContent?.meta?.total;

describe('arguments that mean one thing', () => {
  test.each([
    ['a number as text', { limit: '2' }, { limit: 2 }],
    ['one value for a list', { status: 'upcoming' }, { status: ['upcoming'] }],
    [
      'a list as JSON text',
      { status: '["upcoming","ongoing"]' },
      { status: ['upcoming', 'ongoing'] },
    ],
    [
      'a list with commas',
      { projectType: 'CAD, Electronics' },
      { projectType: ['CAD', 'Electronics'] },
    ],
    [
      'another case',
      { format: ['Online'], when: 'Weekend' },
      { format: ['online'], when: 'weekend' },
    ],
    ['null for what is left out', { status: null, q: null, limit: 3 }, { limit: 3 }],
    [
      'nothing for what is left out',
      { status: '', format: [], when: ' ', sort: [''], within: {}, maxPrice: [], limit: 3 },
      { limit: 3 },
    ],
    ['false for a flag', { hasPlaces: false, limit: 3 }, { limit: 3 }],
    ['null for no arguments', null, {}],
    ['empty text for no arguments', '', {}],
    ['the object as JSON text', '{"status":["ended"]}', { status: ['ended'] }],
    [
      'a point as two numbers',
      { near: [51.05, 3.72], within: '50' },
      { near: '51.05,3.72', within: 50 },
    ],
  ])('%s', async (_, sent, meant) => {
    const { structuredContent } = await call('list_events', sent);
    expect(structuredContent).toEqual((await call('list_events', meant)).structuredContent);
    expect(structuredContent.meta.total).toBeTypeOf('number');
  });

  test('an id that is a number is its text', async () => {
    const { isError, content } = await call('fetch', { id: 5 });
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain('No event has this id');
  });
});

test.each([
  ['tools/list', null],
  ['tools/list', { cursor: null, _meta: null }],
  ['resources/list', { cursor: null }],
  ['ping', null],
])('%s is answered with the parameters %j', async (method, params) => {
  const response = await post({ jsonrpc: '2.0', id: 1, method, params });
  expect(await response.json()).toMatchObject({ id: 1, result: {} });
});

test('arguments that the tool does not have are named, and change nothing', async () => {
  const { structuredContent, content } = await call('list_events', {
    status: ['ended'],
    cursor: '',
  });
  expect(structuredContent.ignoredArguments).toEqual(['cursor']);
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  expect(structuredContent.meta.total).toBe(await countOf({ status: ['ended'] }));
  const { structuredContent: plain } = await call('list_events', { status: ['ended'] });
  expect(plain).not.toHaveProperty('ignoredArguments');
});

test.each([
  [{ status: ['endet'] }, 'upcoming'],
  [{ limit: '0' }, '>=1'],
  [{ limit: '2.5' }, 'number'],
  [{ limit: [1, 2] }, 'number'],
  [{ from: '2026-02-30' }, '`from` must be a valid date, as `YYYY-MM-DD`'],
  [{ from: 'next weekend' }, '"from": "2026-11-28", "to": "2026-11-29"'],
  [{ to: 'Tomorrow' }, '"from": "2026-11-23", "to": "2026-11-23"'],
  [{ from: '5 Dec 2026' }, '"from": "2026-12-05", "to": "2026-12-05"'],
  [{ from: 'soon' }, '`from` must be a valid date'],
  [{ q: 'x'.repeat(201) }, 'text of up to 200 characters'],
  [{ q: { text: 'robots' } }, 'string'],
])('%j stays an error that says what to send', async (args, reason) => {
  const { isError, content } = await call('list_events', args);
  expect(isError).toBe(true);
  expect(content[0]?.text).toContain(reason);
});

describe('the answer has a type that the client takes', () => {
  test.each([
    [bothTypes, 'application/json'],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['', 'application/json'],
    ['text/html', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream, application/json;q=0', 'text/event-stream'],
  ])('Accept: %s', async (accept, type) => {
    const response = await post(
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { Accept: accept },
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe(type);
    const body = await response.text();
    const json =
      type === 'application/json' ? body : /^event: message\ndata: (.+)\n\n$/.exec(body)?.[1];
    expect(JSON.parse(json ?? '')).toMatchObject({ id: 2, result: { tools: expect.any(Array) } });
  });

  test('a batch is answered by a list', async () => {
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const response = await post([ping(1), ping(2)], { Accept: 'application/json' });
    const answers = z.array(z.object({ id: z.number() })).parse(await response.json());
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  });

  test('a notification has no answer', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const response = await post(message, { Accept: 'application/json' });
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
  });
});
