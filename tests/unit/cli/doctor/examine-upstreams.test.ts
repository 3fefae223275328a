import { expect, test } from 'vitest';
import type { UpstreamSettings } from '#lib/ai-proxy/upstreams/upstream-settings.ts';
import { examineUpstreams } from '#lib/cli/doctor/examine-upstreams.ts';
import { startTestModels } from '../../../support/models/test-models.ts';

test('each upstream is a finding: how much it lists, or why it cannot', async () => {
  const server = await startTestModels({ key: 'k' });
  const upstream = (name: string, change: Partial<UpstreamSettings>): UpstreamSettings => ({
    name,
    url: server.url,
    key: 'k',
    protocols: ['chat'],
    weight: 1,
    extras: {},
    maxCostUsd: 10,
    trustsLowCost: false,
    timeoutSeconds: {},
    ...change,
  });
  const findings = await examineUpstreams({
    upstreams: [
      upstream('north', {}),
      upstream('south', { key: 'sk-wrong-key' }),
      upstream('west', { url: 'http://127.0.0.1:1/v1' }),
    ],
    models: [],
  });
  await server.close();
  expect(findings.map(({ level, text }) => `${level}: ${text}`)).toEqual([
    'ok: “north” (chat) lists 8 language and 3 embedding models.',
    'problem: “south” (chat): its models cannot be listed (status 401). Check its URL and key.',
    expect.stringMatching(/^problem: “west” .*no connection \(ECONNREFUSED\)/),
  ]);
});
