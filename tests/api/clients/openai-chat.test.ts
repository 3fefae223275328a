import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProxyServer, startProxyServer, upstreamKinds } from '../../support/proxy-server.ts';

describe.each(upstreamKinds)('%s', (upstream) => {
  let server: ProxyServer;
  let client: OpenAI;
  beforeAll(async () => {
    server = await startProxyServer({ upstream });
    client = new OpenAI({ baseURL: server.baseUrl, apiKey: server.key, maxRetries: 0 });
  });
  afterAll(() => server.stop());

  test('a chat is answered', async () => {
    const completion = await client.chat.completions.create({
      model: 'lantern-demo/wick-3',
      messages: [{ role: 'user', content: 'Tell me of Lisbon' }],
    });
    expect(completion.choices[0]?.message.content).toContain('“Tell me of Lisbon”');
  });
});
