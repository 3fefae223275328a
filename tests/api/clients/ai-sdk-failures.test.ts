import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateText, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aiSdkProviders } from '../../support/clients/ai-sdk-models.ts';
import { model as demoModel, prompt, promptQuoted } from '../../support/clients/client-fixtures.ts';
import {
  type ProxyServer,
  startProxyServer,
  upstreamKinds,
} from '../../support/servers/proxy-server.ts';
import { expectNoUpstreamSecrets } from '../../support/upstreams/upstream-secrets.ts';

describe.each(upstreamKinds)('errors in the AI SDK, %s upstream', (upstream) => {
  let server: ProxyServer;
  beforeAll(async () => {
    server = await startProxyServer({ upstream });
  });
  afterAll(() => server.stop());

  describe.each(aiSdkProviders)('$provider', ({ toModel }) => {
    async function expectFailure(
      model: string,
      key = server.key,
      more: { temperature?: number } = {},
    ) {
      const { baseUrl } = server;
      const options = { model: toModel({ baseUrl, key }, model), prompt, maxRetries: 0, ...more };
      const error = await generateText(options).then(
        ({ text }) => new Error(`It succeeded: ${text}`),
        (thrown: unknown) => thrown,
      );
      // Each provider may have its own copy of the class.
      expect(APICallError.isInstance(error)).toBe(true);
      expectNoUpstreamSecrets(error);
      return error;
    }

    /** Reads a stream to its end; errors are parts of it. */
    async function readStream(model: string, abortSignal?: AbortSignal) {
      const result = streamText({
        ...{ model: toModel(server, model), prompt, maxRetries: 0, onError: () => {} },
        ...(abortSignal && { abortSignal }),
      });
      let text = '';
      const errors: unknown[] = [];
      const reasons: string[] = [];
      for await (const part of result.fullStream) {
        if (part.type === 'text-delta') text += part.text;
        if (part.type === 'error') errors.push(part.error);
        if (part.type === 'finish') reasons.push(part.finishReason);
      }
      return { text, errors, reasons };
    }

    test('a wrong key, an unknown model and an invalid field give errors with their status', async () => {
      expect(await expectFailure(demoModel, 'mq_wrong')).toMatchObject({
        ...{ statusCode: 401, isRetryable: false },
        data: { error: { code: 'invalid_api_key' } },
      });
      expect(await expectFailure('gpt-4o')).toMatchObject({
        ...{ statusCode: 404, isRetryable: false, message: expect.stringContaining('gpt-4o') },
        data: { error: { code: 'model_not_found', param: 'model' } },
      });
      expect(await expectFailure(demoModel, server.key, { temperature: 7 })).toMatchObject({
        ...{ statusCode: 400, isRetryable: false },
        data: { error: { param: 'temperature' } },
      });
      expect(await expectFailure('fault/400')).toMatchObject({
        statusCode: 400,
        isRetryable: false,
      });
    });

    test('temporary errors are retryable: a limit, a failing upstream', async () => {
      const key = await server.makeKey({ requestsPerMinute: 1 });
      await generateText({ model: toModel({ baseUrl: server.baseUrl, key }, demoModel), prompt });
      const limited = await expectFailure(demoModel, key);
      expect(limited).toMatchObject({
        ...{ statusCode: 429, isRetryable: true },
        responseHeaders: { 'retry-after': expect.stringMatching(/^\d+$/) },
      });
      expect(await expectFailure('fault/502')).toMatchObject({
        statusCode: 502,
        isRetryable: true,
      });
      expect(await expectFailure('fault/529')).toMatchObject({
        statusCode: 503,
        isRetryable: true,
      });
    });

    test('a rejected stream has an error and no text', async () => {
      const { text, errors } = await readStream('fault/500');
      expect(text).toBe('');
      expect(errors).toMatchObject([{ statusCode: 502 }]);
      expectNoUpstreamSecrets(errors);
    });

    test.each(['cut', 'mid-stream-error', 'mid-stream-error-choices', 'no-finish'])(
      'an interrupted stream has an error after its text: fault/%s',
      async (name) => {
        const { text, errors, reasons } = await readStream(`fault/${name}`);
        expect(text).not.toBe('');
        expect(errors.length).toBeGreaterThan(0);
        expect(reasons).not.toContain('stop');
        expectNoUpstreamSecrets(errors);
      },
    );

    test('an aborted stream leaves no request open at the upstream', async () => {
      const before = server.models.stats().aborted;
      const { text } = await readStream('fault/hang-mid-stream', AbortSignal.timeout(200));
      expect(text).not.toBe('');
      await expect
        .poll(() => server.models.stats())
        .toMatchObject({ aborted: before + 1, openRequests: 0 });
    });
  });

  test('the client retries after Retry-After', async () => {
    const path = upstream === 'native' ? '/responses' : '/chat/completions';
    server.models.setPathFault({ path, name: '429-short', times: 1 });
    const before = server.models.stats().requests;
    const { baseUrl, key } = server;
    const model = createOpenAI({ baseURL: baseUrl, apiKey: key }).responses(demoModel);
    const result = await generateText({ model, prompt, maxRetries: 1 });
    expect(result.text).toContain(promptQuoted);
    expect(server.models.stats().requests).toBe(before + 2);
  });
});
