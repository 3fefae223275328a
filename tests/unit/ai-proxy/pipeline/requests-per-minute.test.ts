import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { startPipelineServer, toPost } from '../../../support/servers/pipeline-server.ts';

test('a key that is over its requests a minute gets its 429 before its body is read', async () => {
  await using server = await startPipelineServer({ url: unused, requestsPerMinute: 1 });
  const invalid = await fetch(server.url, toPost('{"model":'));
  expect(invalid.status).toBe(400);
  expect(invalid.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  const headers = { 'content-type': 'application/json', 'content-length': 1_000 };
  const outgoing = request(server.url, { method: 'POST', headers });
  outgoing.write('{');
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(429);
  expect(response.headers['x-ratelimit-remaining-requests']).toBe('0');
  outgoing.destroy();
  expect(server.rejections.map(({ status }) => status)).toEqual([400, 429]);
});

/** Nothing is sent there. */
const unused = 'http://127.0.0.1:9/v1';
