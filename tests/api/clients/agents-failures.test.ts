import { Agent, OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { model as demoModel, prompt } from '../../support/clients/client-fixtures.ts';
import { collect } from '../../support/clients/collect.ts';
import {
  type ProxyServer,
  startProxyServer,
  upstreamKinds,
} from '../../support/servers/proxy-server.ts';
import { expectNoUpstreamSecrets } from '../../support/upstreams/upstream-secrets.ts';

setTracingDisabled(true);

describe.each(upstreamKinds)('errors in OpenAI’s agents, %s upstream', (upstream) => {
  let server: ProxyServer;
  beforeAll(async () => {
    server = await startProxyServer({ upstream });
  });
  afterAll(() => server.stop());

  describe.each([
    { api: 'responses', useResponses: true },
    { api: 'chat', useResponses: false },
  ])('$api', ({ useResponses }) => {
    function openRunner(apiKey = server.key): Runner {
      const openAIClient = new OpenAI({ baseURL: server.baseUrl, apiKey, maxRetries: 0 });
      const modelProvider = new OpenAIProvider({ openAIClient, useResponses });
      return new Runner({ modelProvider, tracingDisabled: true });
    }
    const toAgent = (model: string) => new Agent({ name: 'Talker', model });

    test('a rejected run throws an error with its status', async () => {
      const wrongKey = openRunner('mq_wrong').run(toAgent(demoModel), prompt);
      await expect(wrongKey).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
      const unknown = openRunner().run(toAgent('gpt-4o'), prompt);
      await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
      const rejected = openRunner().run(toAgent('fault/400'), prompt);
      await expect(rejected).rejects.toMatchObject({ status: 400, param: 'temperature' });
      const limited = openRunner().run(toAgent('fault/429'), prompt);
      await expect(limited).rejects.toMatchObject({ status: 429 });
      const failed = openRunner().run(toAgent('fault/502'), prompt);
      await expect(failed).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
    });

    test.each(['cut', 'mid-stream-error', 'mid-stream-error-choices', 'no-finish'])(
      'an interrupted stream makes the run throw: fault/%s',
      async (name) => {
        const result = await openRunner().run(toAgent(`fault/${name}`), prompt, { stream: true });
        const error = await collect(result).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(Error);
        await expect(result.completed).rejects.toBe(error);
        expectNoUpstreamSecrets(error);
      },
    );
  });
});
