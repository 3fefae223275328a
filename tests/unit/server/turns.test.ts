import { expect, onTestFinished, test, vi } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import { startSiteInProcess } from '../../support/servers/marquee-server.ts';

const site = forTests(() => startSiteInProcess({ settings: { TRUST_PROXY: '1' } }));

const [hostile, visitor] = ['198.51.100.1', '203.0.113.1'];
const waiting = 40;
const waitingMax = 256;
let searches = 0;

type Send = (client: string) => Promise<Response>;

const callMcp =
  (body: object, headers: Readonly<Record<string, string>> = {}): Send =>
  (client) =>
    fetch(`${site.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-forwarded-for': client,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });

const searchByMcp: Send = (client) => {
  const params = { name: 'search', arguments: { query: `robots ${searches++}` } };
  return callMcp({ method: 'tools/call', params })(client);
};

const searchByApi: Send = (client) =>
  fetch(`${site.url}/api/v1/events?q=robots+${searches++}`, {
    headers: { 'x-forwarded-for': client },
  });

/** Keeps all waiting until it is released. */
function holdTurns() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const turns = vi.spyOn(site.services, 'takeTurn');
  onTestFinished(() => turns.mockRestore());
  void site.services.takeTurn(new Request('http://localhost'), 'held', () => promise);
  return {
    /** Waits until so many requests wait. */
    reach: (count: number) => expect.poll(() => turns.mock.calls.length).toBe(count + 1),
    release: resolve,
  };
}

test.each([
  ['calls of MCP', searchByMcp],
  ['queries of the API', searchByApi],
])('a visitor does not wait behind all %s of another client', async (_, send) => {
  // Its module is loaded by the first request.
  await (await send(visitor)).text();
  const turns = holdTurns();
  const ended: string[] = [];
  const run = async (client: string) => {
    const response = await send(client);
    await response.text();
    ended.push(client);
    return response.status;
  };
  const all = Array.from({ length: waiting }, () => run(hostile));
  await turns.reach(waiting);
  all.push(run(visitor));
  await turns.reach(waiting + 1);
  turns.release();
  expect(new Set(await Promise.all(all))).toEqual(new Set([200]));
  expect(ended.indexOf(visitor)).toBeLessThan(waiting / 2);
});

test('a client with more requests that wait than there is room for gets a 429, and others do not', async () => {
  const turns = holdTurns();
  const all = Array.from({ length: waitingMax + 10 }, () => searchByMcp(hostile));
  await turns.reach(all.length);
  const ofVisitor = searchByMcp(visitor);
  await turns.reach(all.length + 1);
  turns.release();
  const responses = await Promise.all(all);
  expect((await ofVisitor).status).toBe(200);
  const rejected = responses.filter(({ status }) => status !== 200);
  expect(rejected).toHaveLength(11);
  for (const response of rejected) {
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({ error: { code: -32000 } });
  }
});

test('the list of tools is the same for all, each with the id and in the type that it asked for', async () => {
  const list = (id: unknown, headers?: Readonly<Record<string, string>>) =>
    callMcp({ method: 'tools/list', id }, headers)(visitor);
  const first = await (await list('a')).json();
  expect(first).toMatchObject({ jsonrpc: '2.0', id: 'a' });
  expect(first.result.tools.length).toBeGreaterThan(3);
  expect(await (await list(2)).json()).toEqual({ ...first, id: 2 });
  const stream = await list('c', { accept: 'text/event-stream' });
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  const [, data = ''] = /^data: (.+)$/m.exec(await stream.text()) ?? [];
  expect(JSON.parse(data)).toEqual({ ...first, id: 'c' });
  const failed = await (await list({ id: 1 })).json();
  expect(failed).toHaveProperty('error');
});

test('a list of another version of the protocol is another one', async () => {
  const list = async (version: string) =>
    (await callMcp({ method: 'tools/list' }, { 'mcp-protocol-version': version })(visitor)).json();
  const known = await list('2025-06-18');
  expect(known).toHaveProperty('result');
  expect(await list('1999-01-01')).toHaveProperty('error');
  expect(await list('2025-06-18')).toEqual(known);
});
