import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { examineUpstreams } from '#lib/cli/doctor/examine-upstreams.ts';
import type { UpstreamSettings } from '#lib/config/upstreams-schema.ts';
import { makeUpstreamSettings } from '../../../support/factories/upstream-settings.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';

async function examine(...upstreams: UpstreamSettings[]): Promise<string[]> {
  const findings = await examineUpstreams({ upstreams, models: [] });
  return findings.map(({ level, text }) => `${level}: ${text}`);
}

test('each upstream is a finding: how much it lists, or why it cannot', async () => {
  const server = await startTestModels({ key: 'k' });
  const findings = await examine(
    makeUpstreamSettings('north', server.url),
    makeUpstreamSettings('south', server.url, { key: 'sk-wrong-key' }),
    makeUpstreamSettings('west', 'http://127.0.0.1:1/v1'),
  );
  await server.close();
  expect(findings).toEqual([
    'ok: “north” (chat) lists 8 language and 3 embedding models.',
    'problem: “south” (chat): its models cannot be listed (status 401). Check its URL and key.',
    expect.stringMatching(/^problem: “west” .*no connection \(ECONNREFUSED\)/),
  ]);
});

test('an upstream is called as the proxy calls it: the key in its header, its query, its own headers', async () => {
  await using server = await listenOnLoopback(
    createServer(({ headers, url }, response) => {
      const isExpected =
        headers['api-key'] === 'k' &&
        headers.authorization === undefined &&
        headers['x-team'] === 'events' &&
        url === '/openai/models?api-version=v1';
      response.statusCode = isExpected ? 200 : 404;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'wick', object: 'model' }] }));
    }),
  );
  const url = `${server.url}/openai?api-version=v1`;
  const settings = { auth: 'api-key', headers: { 'x-team': 'events' } };
  expect(await examine(makeUpstreamSettings('azure', url, settings))).toEqual([
    'ok: “azure” (chat) lists 1 language and 0 embedding models.',
  ]);
});
