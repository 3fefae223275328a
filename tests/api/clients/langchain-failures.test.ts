import { ChatOpenAI } from '@langchain/openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { model as demoModel, prompt, promptQuoted } from '../../support/clients/client-fixtures.ts';
import { createCountedFetch } from '../../support/clients/counted-fetch.ts';
import {
  type ProxyServer,
  startProxyServer,
  upstreamKinds,
} from '../../support/servers/proxy-server.ts';
import { expectNoUpstreamSecrets } from '../../support/upstreams/upstream-secrets.ts';

describe.each(upstreamKinds)('errors in LangChain, %s upstream', (upstream) => {
  let server: ProxyServer;
  beforeAll(async () => {
    server = await startProxyServer({ upstream });
  });
  afterAll(() => server.stop());

  describe.each([
    { api: 'chat', useResponsesApi: false },
    { api: 'responses', useResponsesApi: true },
  ])('$api', ({ useResponsesApi }) => {
    type Options = { apiKey?: string; temperature?: number; maxRetries?: number };

    function open(model: string, options: Options = {}, counted: typeof fetch = fetch) {
      const configuration = { baseURL: server.baseUrl, fetch: counted };
      const base = { model, apiKey: server.key, maxRetries: 0, useResponsesApi, configuration };
      return new ChatOpenAI({ ...base, ...options });
    }

    async function expectFailure(model: string, options: Options = {}): Promise<unknown> {
      const error = await open(model, options)
        .invoke(prompt)
        .then(
          ({ text }) => new Error(`It succeeded: ${text}`),
          (thrown: unknown) => thrown,
        );
      expectNoUpstreamSecrets(error);
      return error;
    }

    test('a rejected request throws an error with its status, code and param', async () => {
      expect(await expectFailure(demoModel, { apiKey: 'mq_wrong' })).toMatchObject({
        ...{ status: 401, code: 'invalid_api_key' },
      });
      expect(await expectFailure('gpt-4o')).toMatchObject({ status: 404, code: 'model_not_found' });
      expect(await expectFailure(demoModel, { temperature: 7 })).toMatchObject({
        ...{ status: 400, param: 'temperature' },
      });
      expect(await expectFailure('fault/400')).toMatchObject({ status: 400, param: 'temperature' });
      expect(await expectFailure('fault/429')).toMatchObject({ status: 429 });
      expect(await expectFailure('fault/502')).toMatchObject({
        status: 502,
        code: 'upstream_error',
      });
    });

    test('too many requests of a key give an error with the time to wait', async () => {
      const apiKey = await server.makeKey({ requestsPerMinute: 1 });
      expect((await open(demoModel, { apiKey }).invoke(prompt)).text).toContain(promptQuoted);
      expect(await expectFailure(demoModel, { apiKey })).toMatchObject({
        ...{ status: 429, message: expect.stringMatching(/Try again in \d+ s/) },
      });
    });

    test('a wrong key is not retried, a failure of the upstream is', async () => {
      const once = createCountedFetch();
      const wrong = open(demoModel, { apiKey: 'mq_wrong', maxRetries: 2 }, once.fetch);
      await expect(wrong.invoke(prompt)).rejects.toMatchObject({ status: 401 });
      expect(once.calls()).toBe(1);
      const isNative = upstream === 'native' && useResponsesApi;
      const path = isNative ? '/responses' : '/chat/completions';
      server.models.setPathFault({ path, name: '502', times: 1 });
      const twice = createCountedFetch();
      const reply = await open(demoModel, { maxRetries: 1 }, twice.fetch).invoke(prompt);
      expect(reply.text).toContain(promptQuoted);
      expect(twice.calls()).toBe(2);
    });

    test.each(['cut', 'mid-stream-error', 'mid-stream-error-choices', 'no-finish'])(
      'an interrupted stream throws after its text: fault/%s',
      async (name) => {
        let text = '';
        let error: unknown = null;
        try {
          for await (const chunk of await open(`fault/${name}`).stream(prompt)) text += chunk.text;
        } catch (thrown) {
          error = thrown;
        }
        expect(text).not.toBe('');
        expect(error).toBeInstanceOf(Error);
        expectNoUpstreamSecrets(error);
      },
    );

    test('an aborted stream leaves no request open at the upstream', async () => {
      const before = server.models.stats().aborted;
      for await (const { text } of await open('fault/pace:50').stream(prompt)) if (text) break;
      await expect
        .poll(() => server.models.stats())
        .toMatchObject({ aborted: before + 1, openRequests: 0 });
    });
  });
});
