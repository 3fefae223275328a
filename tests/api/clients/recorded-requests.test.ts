import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { model, prompt } from '../../support/clients/client-fixtures.ts';
import { startProxyServer, upstreamKey } from '../../support/servers/proxy-server.ts';

test('after shutdown the usage of clients is recorded, and no log contains their prompts', async () => {
  const server = await startProxyServer({ isProcess: true });
  const apiKey = await server.makeKey({ name: 'counted' });
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey, maxRetries: 0 });
  const complete = await client.responses.create({ model, input: prompt });
  const streamed = await client.responses.stream({ model, input: prompt }).finalResponse();
  const tokens = (complete.usage?.total_tokens ?? 0) + (streamed.usage?.total_tokens ?? 0);
  await server.end();
  const database = await openDatabase({ databaseUrl: null, dataDir: server.dataDir });
  const key = await database.keys.find('name', 'counted');
  const sums = await database.usage.sumByDayAndModel(key?.id ?? '', '2020-01-01');
  await database.close();
  expect(sums.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);
  expect(sums.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0)).toBe(tokens);
  for (const secret of [prompt, apiKey, upstreamKey])
    expect(server.logText()).not.toContain(secret);
  await server.stop();
});
