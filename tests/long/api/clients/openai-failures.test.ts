import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { model as demoModel, promptQuoted } from '../../../support/clients/client-fixtures.ts';
import type { Access } from '../../../support/clients/libraries/library.ts';
import { openAiChat, openAiResponses } from '../../../support/clients/libraries/openai.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startInProcessProxy, upstreamKinds } from '../../../support/servers/in-process-proxy.ts';

describe.each(upstreamKinds)('errors in openai’s client, %s upstream', (upstream) => {
  const server = forTests(() => startInProcessProxy({ upstream }));

  function open({ key = server.key, options = {} }: Partial<Access> = {}): Access {
    return { url: server.url, baseUrl: server.baseUrl, key, options };
  }

  /** Makes the next requests to the upstream fail, in either API. */
  function failNext(api: string, name: string, times = 1): void {
    const isNative = upstream === 'native' && api === 'responses';
    const path = isNative ? '/responses' : '/chat/completions';
    server.modelServer.setPathFault({ path, name, times });
  }

  describe.each([openAiChat, openAiResponses])('$api', ({ api, reply }) => {
    test('too many requests are a RateLimitError with Retry-After', async () => {
      const { text: key } = await server.makeKey({ requestsPerMinute: 1 });
      const client = open({ key });
      expect((await reply(client, demoModel)).text).toContain(promptQuoted);
      let error: unknown;
      // When the next minute begins in between, one more gets through.
      await expect
        .poll(async () => {
          error = await reply(client, demoModel).catch((thrown: unknown) => thrown);
          return error;
        })
        .toBeInstanceOf(OpenAI.RateLimitError);
      expect(error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
      const { headers } = error instanceof OpenAI.RateLimitError ? error : {};
      expect(Number(headers?.get('retry-after'))).toBeGreaterThan(0);
      expect(headers?.get('x-ratelimit-limit-requests')).toBe('1');
      expect(headers?.get('x-ratelimit-remaining-requests')).toBe('0');
    });

    test('a used-up budget is a 402 that is not retried', async () => {
      const { fetch, calls } = createCountedFetch();
      const { text: key } = await server.makeKey({ tokensPerDay: 1 });
      const request = reply(open({ key, options: { fetch, maxRetries: 3 } }), demoModel);
      await expect(request).rejects.toMatchObject({ status: 402, code: 'insufficient_quota' });
      expect(calls()).toBe(1);
    });

    test.each(['429-short', '502'])(
      'after the upstream’s %s the client retries and succeeds',
      async (name) => {
        const { fetch, calls } = createCountedFetch();
        failNext(api, name);
        const access = open({ options: { fetch, maxRetries: 1 } });
        expect((await reply(access, demoModel)).text).toContain(promptQuoted);
        expect(calls()).toBe(2);
      },
    );

    test('after three failures in a row, of two keys, the client retries no more, and says so', async () => {
      const { fetch, calls } = createCountedFetch();
      const failingModel = api === 'chat' ? 'lantern-demo/wick-2' : 'lantern-demo/wick-3-mini';
      const request = async (maxRetries: number) => {
        const { text: key } = await server.makeKey();
        return reply(open({ key, options: { fetch, maxRetries } }), failingModel);
      };
      failNext(api, '524', 3);
      await expect(request(0)).rejects.toMatchObject({ status: 504 });
      await expect(request(1)).rejects.toMatchObject({ status: 504 });
      expect(calls()).toBe(3);
      await expect(request(2)).rejects.toMatchObject({
        status: 503,
        code: 'server_is_overloaded',
        message: expect.stringContaining('failed several times in a row'),
      });
      expect(calls()).toBe(4);
    });

    test('an error with the upstream account is not retried', async () => {
      const { fetch, calls } = createCountedFetch();
      const request = reply(open({ options: { fetch, maxRetries: 3 } }), 'fault/402');
      await expect(request).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
      expect(calls()).toBe(1);
    });
  });
});

/** A fetch that counts its calls, to see a client's retries. */
function createCountedFetch() {
  let calls = 0;
  const counted: typeof fetch = (input, init) => {
    calls += 1;
    return fetch(input, init);
  };
  return { fetch: counted, calls: () => calls };
}
