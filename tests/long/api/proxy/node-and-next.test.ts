import { describe, expect, test } from 'vitest';
import { send } from '../../../support/clients/http-client.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { forTests } from '../../../support/for-tests.ts';
import {
  chatPath,
  rateLimitHeaders,
  responsesPath,
  toRequestJson,
} from '../../../support/servers/in-process-proxy.ts';
import { startProxyServer } from '../../../support/servers/proxy-server.ts';
import { examineChatStream } from '../../../support/upstreams/chat-stream.ts';
import { examineResponsesStream } from '../../../support/upstreams/responses-stream.ts';

/** Clients see no difference between `npm start` and `next start`. */
describe.each(['npm start', 'next start'] as const)('%s', (command) => {
  const server = forTests(() => startProxyServer({ command }));
  const post = (path: string, body: object, init?: RequestInit) =>
    postJson(server.url + path, server.key, body, init);

  test('JSON replies and streams are valid and have their headers', async () => {
    for (const path of [chatPath, responsesPath]) {
      const json = await post(path, toRequestJson(path, 'lantern-demo/wick-3'));
      expect(json.status).toBe(200);
      for (const name of rateLimitHeaders) expect(json.headers.get(name)).toMatch(/^\d/);
      expect((await json.json()).usage.total_tokens).toBeGreaterThan(0);

      const stream = await post(path, toRequestJson(path, 'lantern-demo/wick-3', true));
      expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(stream.headers.get('x-request-id')).not.toBe(null);
      expect(stream.headers.get('content-encoding')).toBe(null);
      const text = await stream.text();
      const report = path === chatPath ? examineChatStream(text) : examineResponsesStream(text);
      expect(report).toMatchObject({ problems: [], error: null });
    }
  });

  test('events arrive as soon as they are written', async () => {
    const response = await post(chatPath, toRequestJson(chatPath, 'fault/hang-mid-stream', true));
    const reader = response.body?.getReader();

    const first = await reader?.read();

    expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^data: /);
    await reader?.cancel();
  });

  test.each([true, false])(
    'a disconnect of the client aborts a stream alone, streamed: %s',
    async (isStream) => {
      // The stream of the test before is aborted.
      await expect.poll(() => server.modelServer.stats().openRequests).toBe(0);
      const before = server.modelServer.stats();
      const client = new AbortController();
      const body = toRequestJson(
        chatPath,
        isStream ? 'fault/hang-mid-stream' : 'fault/hang',
        isStream,
      );
      const response = post(chatPath, body, { signal: client.signal }).catch(() => null);
      await expect
        .poll(() => server.modelServer.stats().openRequests)
        .toBe(before.openRequests + 1);
      if (isStream) await (await response)?.body?.getReader().read();

      client.abort();

      // JSON goes on, so that its cost becomes known.
      const aborted = before.aborted + (isStream ? 1 : 0);
      const openRequests = before.openRequests + (isStream ? 0 : 1);
      await expect.poll(() => server.modelServer.stats()).toMatchObject({ aborted, openRequests });
    },
  );

  test('errors have the status and code of the proxy', async () => {
    const unauthorized = await fetch(server.url + chatPath, { method: 'POST', body: '{}' });
    expect(unauthorized.status).toBe(401);
    expect(unauthorized.headers.get('www-authenticate')).toBe('Bearer');
    expect((await post(chatPath, {})).status).toBe(400);
    expect((await post('/proxy/v1/nothing', {})).status).toBe(404);
    const put = await fetch(server.url + chatPath, { method: 'PUT' });
    expect((await put.json()).error.code).toBe('method_not_allowed');
    const long = await post(chatPath, {}, { body: Buffer.alloc(33 * 1024 * 1024, 'x') });
    expect((await long.json()).error.code).toBe('request_too_large');
  });

  test('the server survives a WebSocket handshake', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    // A response, or the end of the connection.
    await send(server, '/proxy/v1/models', { headers: upgrade }).catch(() => null);

    expect((await fetch(`${server.url}/proxy/v1/models`)).status).toBe(200);
  });
});
