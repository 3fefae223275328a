import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { send } from '../../support/clients/http-client.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();

type Posted = Readonly<{ status: number; allow: string; message: Message }>;
type Message = Readonly<{
  id: unknown;
  result?: { protocolVersion?: string };
  error?: { code: number; message: string; data?: { supported: string[] } };
}>;

const usualHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Posts a body, with Host and other headers as they are given. */
async function post(
  body: string | object,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<Posted> {
  const outgoing = request({
    host: '127.0.0.1',
    port: server.port,
    path,
    method: 'POST',
    headers: { ...usualHeaders, ...headers },
  });
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  const [incoming] = await once(outgoing, 'response');
  const received = await text(incoming);
  const json = /^data: (.+)$/m.exec(received)?.[1] ?? received;
  const { allow = '' } = incoming.headers;
  return { status: incoming.statusCode, allow, message: json === '' ? null : JSON.parse(json) };
}

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const toNested = (open: string, close: string, depth: number) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${open.repeat(depth)}1${close.repeat(depth)}}`;
const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

test.each([
  ['not JSON', '{"jsonrpc":', 400, -32700],
  ['nothing', '', 400, -32700],
  ['bytes that are not UTF-8', '"\u0000\u0001', 400, -32700],
  [
    'more than 256 KiB',
    JSON.stringify({ ...listTools, padding: 'x'.repeat(262_144) }),
    413,
    -32000,
  ],
  ['a batch of batches', '['.repeat(100_000) + ']'.repeat(100_000), 400, -32700],
  ['parameters in parameters', toNested('{"a":', '}', 40_000), 400, -32700],
  ['65 levels', toNested('{"a":', '}', 64), 400, -32700],
  ['a batch of eleven', Array.from({ length: 11 }, () => listTools), 400, -32700],
])('%s is rejected', async (_, body, status, code) => {
  const response = await post(body);
  expect(response.status).toBe(status);
  expect(response.message).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
});

test.each([[null], [5], [{}], [{ jsonrpc: '1.0', id: 1, method: 'ping' }]])(
  '%j is no JSON-RPC message',
  async (body) => {
    const { status, message } = await post(JSON.stringify(body));
    expect(status).toBe(400);
    expect(message.error?.code).toBeLessThan(-32000);
  },
);

test.each([
  ['as JSON text', `{"query":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['with a list as JSON text', { projectType: '['.repeat(100_000) + ']'.repeat(100_000) }],
])('arguments that are nested deeply %s are an error of the tool', async (_, args) => {
  const params = { name: 'list_events', arguments: args };
  const { status, message } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect([status, message]).toMatchObject([200, { id: 1 }]);
});

test('a connection closes where its client asks for it', async () => {
  const outgoing = request({
    host: '127.0.0.1',
    port: server.port,
    path: '/mcp',
    method: 'POST',
    headers: { ...usualHeaders, connection: 'close' },
  });
  outgoing.end(JSON.stringify(listTools));
  const [incoming] = await once(outgoing, 'response');
  await text(incoming);
  expect(incoming.headers.connection).toBe('close');
});

test('a body of another type is a 415', async () => {
  expect((await post(listTools, { 'content-type': 'text/plain' })).status).toBe(415);
});

test('an unknown method is an error of JSON-RPC with the id of the request', async () => {
  const { message } = await post({ jsonrpc: '2.0', id: 'a', method: 'tools/delete' });
  expect(message).toMatchObject({ id: 'a', error: { code: -32601 } });
});

test('a client of an unknown version is offered one of 2025, as the handshake says', async () => {
  const { status, message } = await post(initialize('1999-01-01'));
  expect(status).toBe(200);
  expect(message.result?.protocolVersion).toBe('2025-11-25');
});

test('an unknown version in the header is a 400 that names the supported ones', async () => {
  const { status, message } = await post(listTools, { 'mcp-protocol-version': '1999-01-01' });
  expect(status).toBe(400);
  expect(message.error?.message).toContain('2025-11-25');
});

test('a session id that the server never gave is ignored, and it gives none', async () => {
  const { status, message } = await post(listTools, { 'mcp-session-id': 'made-up' });
  expect(status).toBe(200);
  expect(message).toMatchObject({ id: 2, result: { tools: expect.any(Array) } });
});

test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH'])('%s is a 405', async (method) => {
  const response = await send(server, '/mcp', {
    method,
    headers: { accept: 'text/event-stream', 'mcp-session-id': 'made-up' },
  });
  expect(response.status).toBe(405);
  expect(response.header('allow')).toBe('POST, OPTIONS');
});

test('a preflight allows the headers of MCP clients', async () => {
  const response = await send(server, '/mcp', {
    method: 'OPTIONS',
    headers: { origin: 'https://claude.ai', 'access-control-request-method': 'POST' },
  });
  expect(response.status).toBe(204);
  expect(response.header('access-control-allow-origin')).toBe('*');
  expect(response.header('access-control-allow-headers')).toBe(
    'Accept, Authorization, Content-Type, Last-Event-Id, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, X-Request-Id',
  );
  expect(response.header('access-control-allow-methods')).toBe('POST, OPTIONS');
});

test.each([
  [{ host: 'evil.example' }, 403],
  [{ host: 'evil.example:80' }, 403],
  [{ host: 'localhost.evil.example' }, 403],
  [{ host: 'events.example' }, 200],
  [{ host: 'events.example:8080' }, 200],
  [{ host: '[::1]:3000' }, 200],
  [{ origin: 'https://events.example' }, 200],
  // Of pages that run clients: what they read is public.
  [{ origin: 'https://claude.ai' }, 200],
  [{ origin: 'http://localhost:6274' }, 200],
  [{ origin: 'null' }, 200],
  [{ origin: 'https://claude.ai', host: 'evil.example' }, 403],
])('%j gets a %i', async (headers, status) => {
  const response = await post(listTools, headers);
  expect(response.status).toBe(status);
  if (status === 403) expect(JSON.stringify(response.message)).not.toContain('evil');
});

// cua 883, fastmcp 1867 and litellm 23688: clients add or drop the slash, and follow no redirect of a POST.
test('a slash behind the URL changes nothing', async () => {
  const { status, message } = await post(initialize('2025-06-18'), {}, '/mcp/');
  expect(status).toBe(200);
  expect(message.result?.protocolVersion).toBe('2025-06-18');
});

// xiaohongshu-mcp 697 and harper 1611: the version is in the header, too, or not.
test.each(['2025-11-25', '2025-06-18', '2025-03-26', undefined])(
  'a client of 2025-06-18 may initialize with the version %s in the header',
  async (version) => {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version };
    const { status } = await post(initialize('2025-06-18'), headers);
    expect(status).toBe(200);
  },
);

test('a byte order mark and a charset are no error', async () => {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  expect((await post(`\ufeff${JSON.stringify(listTools)}`, type)).status).toBe(200);
});

test('subscriptions are refused, since nothing changes while the server runs', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { message } = await post(
    {
      jsonrpc: '2.0',
      id: 3,
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
  );
  expect(message.error?.message).toMatch(/limit/i);
});
