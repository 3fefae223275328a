import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type MarqueeServerInProcess,
  startMarqueeInProcess,
} from '../../support/servers/marquee-server.ts';

const upstream = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  const ids = ['claude-sonnet-5', 'lantern/wick', 'anthropic/claude-haiku-5'];
  response.end(JSON.stringify({ data: ids.map((id) => ({ id, created: 1_760_000_000 })) }));
});
let server: MarqueeServerInProcess;
beforeAll(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  server = await startMarqueeInProcess({
    AI_UPSTREAM_URL: `http://127.0.0.1:${port}/v1`,
    AI_UPSTREAM_KEY: 'x',
  });
});
afterAll(async () => {
  await server.stop();
  upstream.close();
});

test('Claude Code’s request for models gets one page in Anthropic’s format, with the ids that it looks for', async () => {
  const response = await fetch(`${server.url}/proxy/v1/models?limit=1000`, {
    headers: { authorization: 'Bearer mq_any', 'anthropic-version': '2023-06-01' },
  });
  expect(response.status).toBe(200);
  const { data, ...page } = await response.json();
  expect(page).toEqual({ has_more: false, first_id: data[0].id, last_id: data.at(-1).id });
  const found = data.filter(({ id }: { id: string }) => /^(?:claude|anthropic)/.test(id));
  expect(
    found.toSorted((a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)),
  ).toEqual(
    ['anthropic/claude-haiku-5', 'claude-sonnet-5'].map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2025-10-09T08:53:20.000Z',
    })),
  );
});
