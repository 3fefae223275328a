import { describe, expect, test } from 'vitest';
import { model as demoModel, promptQuoted } from '../../support/clients/client-fixtures.ts';
import { openAiLibraries } from '../../support/clients/libraries/libraries.ts';
import { forTests } from '../../support/for-tests.ts';
import { startInProcessProxy, upstreamKinds } from '../../support/servers/in-process-proxy.ts';
import { expectNoUpstreamSecrets } from '../../support/upstreams/upstream-secrets.ts';

/** What each client throws; `openai-failures.test.ts` has what only OpenAI's classes show. */
describe.each(upstreamKinds)('errors, %s upstream', (upstream) => {
  const server = forTests(() => startInProcessProxy({ upstream }));

  const clients = openAiLibraries.map((client, index) => ({ ...client, index }));
  describe.each(clients)('$client', ({ reply, stream, index }) => {
    // Its own models, so that no circuit breaker opens.
    const toFault = (name: string) => `fault/${name}:${index}`;
    const access = (key = server.key) => ({ url: server.url, baseUrl: server.baseUrl, key });

    async function failureOf(model: string, key?: string) {
      const error = await reply(access(key), model).then(
        ({ text }) => new Error(`It succeeded: ${text}`),
        (thrown) => thrown,
      );
      expectNoUpstreamSecrets(error);
      // The AI SDK has names of its own.
      const { code, param } = error.data?.error ?? error;
      return { status: error.status ?? error.statusCode, code, param };
    }

    /** Reads a stream until it fails. */
    async function readBroken(model: string) {
      let text = '';
      try {
        for await (const piece of stream(access(), model)) text += piece;
      } catch (error) {
        expectNoUpstreamSecrets(error);
        return { text, error };
      }
      return { text, error: null };
    }

    test('a rejected request throws an error with its status, code and param', async () => {
      const unauthorized = { status: 401, code: 'invalid_api_key' };
      expect(await failureOf(demoModel, 'mq_wrong')).toMatchObject(unauthorized);
      const unknown = { status: 404, code: 'model_not_found', param: 'model' };
      expect(await failureOf('gpt-4o')).toMatchObject(unknown);
      const invalid = { status: 400, param: 'temperature' };
      expect(await failureOf(toFault('400'))).toMatchObject(invalid);
      const failed = { status: 502, code: 'upstream_error' };
      expect(await failureOf(toFault('502'))).toMatchObject(failed);
      const overloaded = { status: 503, code: 'server_is_overloaded' };
      expect(await failureOf(toFault('529'))).toMatchObject(overloaded);
    });

    test('too many requests of a key throw a 429', async () => {
      const { text: key } = await server.makeKey({ requestsPerMinute: 1 });
      expect((await reply(access(key), demoModel)).text).toContain(promptQuoted);
      // When the next minute begins in between, one more gets through.
      await expect.poll(() => failureOf(demoModel, key)).toMatchObject({ status: 429 });
    });

    test('a rejected stream throws, and has no text', async () => {
      const { text, error } = await readBroken(toFault('500'));
      expect(text).toBe('');
      expect(error).toBeInstanceOf(Error);
    });

    test.each(['cut', 'mid-stream-error', 'mid-stream-error-choices', 'no-finish'])(
      'an interrupted stream throws after its text: fault/%s',
      async (name) => {
        const { text, error } = await readBroken(toFault(name));
        expect(text).not.toBe('');
        expect(error).toBeTruthy();
      },
    );
  });
});
