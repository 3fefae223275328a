import { ChatOpenAI } from '@langchain/openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { prompt, promptQuoted, model as soundModel } from '../../support/client-fixtures.ts';
import { createCountedFetch } from '../../support/counted-fetch.ts';
import { type ProxyServer, startProxyServer, upstreamKinds } from '../../support/proxy-server.ts';
import { expectNoUpstreamSecrets } from '../../support/upstream-secrets.ts';

describe.each(upstreamKinds)('LangChain and failures, %s upstream', (upstream) => {
  let server: ProxyServer;
  beforeAll(async () => {
    server = await startProxyServer({ isProcess: true, upstream });
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

    async function refuse(model: string, options: Options = {}): Promise<unknown> {
      const error = await open(model, options)
        .invoke(prompt)
        .then(
          ({ text }) => new Error(`It was answered: ${text}`),
          (thrown: unknown) => thrown,
        );
      expectNoUpstreamSecrets(error);
      return error;
    }

    test('each refusal is an error with its status, code and param', async () => {
      expect(await refuse(soundModel, { apiKey: 'mq_wrong' })).toMatchObject({
        ...{ status: 401, code: 'invalid_api_key' },
      });
      expect(await refuse('gpt-4o')).toMatchObject({ status: 404, code: 'model_not_found' });
      expect(await refuse(soundModel, { temperature: 7 })).toMatchObject({
        ...{ status: 400, param: 'temperature' },
      });
      expect(await refuse('fault/400')).toMatchObject({ status: 400, param: 'temperature' });
      expect(await refuse('fault/429')).toMatchObject({ status: 429 });
      expect(await refuse('fault/502')).toMatchObject({ status: 502, code: 'upstream_error' });
    });

    test('more requests than a key may send is an error that says when to try again', async () => {
      const apiKey = await server.makeKey({ requestsPerMinute: 1 });
      expect((await open(soundModel, { apiKey }).invoke(prompt)).text).toContain(promptQuoted);
      expect(await refuse(soundModel, { apiKey })).toMatchObject({
        ...{ status: 429, message: expect.stringMatching(/Try again in \d+ s/) },
      });
    });

    test('a wrong key is not tried again; an upstream that fails once is', async () => {
      const once = createCountedFetch();
      const wrong = open(soundModel, { apiKey: 'mq_wrong', maxRetries: 2 }, once.fetch);
      await expect(wrong.invoke(prompt)).rejects.toMatchObject({ status: 401 });
      expect(once.calls()).toBe(1);
      const isNative = upstream === 'native' && useResponsesApi;
      const path = isNative ? '/responses' : '/chat/completions';
      server.models.setPathFault({ path, name: '502', times: 1 });
      const twice = createCountedFetch();
      const answer = await open(soundModel, { maxRetries: 1 }, twice.fetch).invoke(prompt);
      expect(answer.text).toContain(promptQuoted);
      expect(twice.calls()).toBe(2);
    });

    test.each(['cut', 'mid-stream-error', 'mid-stream-error-choices', 'no-finish'])(
      'a stream that breaks off throws after what it said: fault/%s',
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

    test('a stream that is given up leaves no request open at the upstream', async () => {
      const before = server.models.stats().aborted;
      for await (const { text } of await open('fault/pace:50').stream(prompt)) if (text) break;
      await vi.waitFor(() => expect(server.models.stats().aborted).toBe(before + 1), 5000);
      expect(server.models.stats().openRequests).toBe(0);
    });
  });
});
