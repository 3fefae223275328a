import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { faultResponses } from '#lib/demo/models/faults/fault-responses.ts';
import { prompt, promptQuoted, model as soundModel } from '../../support/client-fixtures.ts';
import { createCountedFetch } from '../../support/counted-fetch.ts';
import { type ProxyServer, startProxyServer, upstreamKinds } from '../../support/proxy-server.ts';
import { expectNoUpstreamSecrets } from '../../support/upstream-secrets.ts';

type Api = Readonly<{
  api: string;
  ask: (client: OpenAI, model: string) => Promise<string>;
  /** What came of a stream before it failed, piece by piece. */
  stream: (client: OpenAI, model: string) => AsyncGenerator<string>;
  refuse: (client: OpenAI) => Promise<unknown>;
  refusedParam: string;
}>;

const apis: readonly Api[] = [
  {
    api: 'chat',
    async ask(client, model) {
      const messages = [{ role: 'user', content: prompt }] as const;
      const completion = await client.chat.completions.create({ model, messages: [...messages] });
      return completion.choices[0]?.message.content ?? '';
    },
    async *stream(client, model) {
      const stream = await client.chat.completions.create({
        ...{ model, stream: true, messages: [{ role: 'user', content: prompt }] },
      });
      for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
    },
    refuse: (client) =>
      client.chat.completions.create({
        model: soundModel,
        messages: [
          { role: 'user', content: prompt },
          // @ts-expect-error: what is tested
          { role: 'user', content: [{ type: 'text', text: 7 }] },
        ],
      }),
    refusedParam: 'messages[1].content[0].text',
  },
  {
    api: 'responses',
    async ask(client, model) {
      return (await client.responses.create({ model, input: prompt })).output_text;
    },
    async *stream(client, model) {
      const stream = await client.responses.create({ model, input: prompt, stream: true });
      for await (const event of stream) {
        if (event.type === 'response.output_text.delta') yield event.delta;
        if (event.type === 'response.completed') yield '(completed)';
      }
    },
    refuse: (client) =>
      client.responses.create({
        model: soundModel,
        input: [
          { role: 'user', content: prompt },
          // @ts-expect-error: what is tested
          { role: 'user', content: [{ type: 'input_text', text: 7 }] },
        ],
      }),
    refusedParam: 'input[1].content[0].text',
  },
];

/** Reads a stream to its failure. */
async function readBroken(pieces: AsyncIterable<string>) {
  let text = '';
  try {
    for await (const piece of pieces) text += piece;
  } catch (error) {
    return { text, error };
  }
  throw new Error(`The stream has not failed; it said: ${text}`);
}

describe.each(upstreamKinds)('openai’s client and failures, %s upstream', (upstream) => {
  let server: ProxyServer;
  beforeAll(async () => {
    server = await startProxyServer({ isProcess: true, upstream });
  });
  afterAll(() => server.stop());

  function open(options: ConstructorParameters<typeof OpenAI>[0] = {}): OpenAI {
    return new OpenAI({ baseURL: server.baseUrl, apiKey: server.key, maxRetries: 0, ...options });
  }

  /** Lets the next request for a reply meet a fault, in whichever API it comes to the upstream. */
  function strikeNext(api: string, name: string): void {
    const isNative = upstream === 'native' && api === 'responses';
    const path = isNative ? '/responses' : '/chat/completions';
    server.models.setPathFault({ path, name, times: 1 });
  }

  describe.each(apis)('$api', ({ api, ask, stream, refuse, refusedParam }) => {
    test('a wrong key is an AuthenticationError', async () => {
      const apiKey = 'mq_thisIsNoKeyAtAll';
      const refused = await ask(open({ apiKey }), soundModel).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(refused).toMatchObject({
        ...{ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' },
        requestID: expect.stringMatching(/\S/),
      });
      expect(String(refused)).not.toContain(apiKey);
    });

    test.each(['gpt-4o', 'lantern-demo/wick-9', 'fault/404'])(
      'the unknown model %s is a NotFoundError',
      async (unknown) => {
        const refused = await ask(open(), unknown).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(OpenAI.NotFoundError);
        expect(refused).toMatchObject({ code: 'model_not_found', param: 'model' });
        expectNoUpstreamSecrets(refused);
      },
    );

    test('a wrong field is a BadRequestError that names it', async () => {
      const refused = await refuse(open()).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
      expect(refused).toMatchObject({ status: 400, param: refusedParam });
    });

    test('the upstream’s own refusal is a BadRequestError, without its secrets', async () => {
      const refused = await ask(open(), 'fault/400').catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
      expect(refused).toMatchObject({ status: 400, param: 'temperature' });
      expectNoUpstreamSecrets(refused);
    });

    test('more requests than a key may send is a RateLimitError with a Retry-After', async () => {
      const client = open({ apiKey: await server.makeKey({ requestsPerMinute: 1 }) });
      expect(await ask(client, soundModel)).toContain(promptQuoted);
      const refused = await ask(client, soundModel).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
      expect(refused).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
      const { headers } = refused instanceof OpenAI.RateLimitError ? refused : {};
      expect(Number(headers?.get('retry-after'))).toBeGreaterThan(0);
      expect(headers?.get('x-ratelimit-limit-requests')).toBe('1');
      expect(headers?.get('x-ratelimit-remaining-requests')).toBe('0');
    });

    test('a spent budget is a RateLimitError that is not tried again', async () => {
      const { fetch, calls } = createCountedFetch();
      const apiKey = await server.makeKey({ tokensPerDay: 1 });
      const refused = ask(open({ apiKey, fetch, maxRetries: 3 }), soundModel);
      await expect(refused).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' });
      expect(calls()).toBe(1);
    });

    test.each(['429-short', '502'])(
      'the upstream’s %s passes: the client tries again, and is answered',
      async (name) => {
        const { fetch, calls } = createCountedFetch();
        strikeNext(api, name);
        expect(await ask(open({ fetch, maxRetries: 1 }), soundModel)).toContain(promptQuoted);
        expect(calls()).toBe(2);
      },
    );

    test('what concerns our account is not tried again', async () => {
      const { fetch, calls } = createCountedFetch();
      const refused = ask(open({ fetch, maxRetries: 3 }), 'fault/402');
      await expect(refused).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
      expect(calls()).toBe(1);
    });

    test.each(Object.keys(faultResponses))(
      'fault/%s is an error that the client knows, streamed or not',
      async (name) => {
        const refused = await ask(open(), `fault/${name}`).catch((error: unknown) => error);
        const { error: broken, text } = await readBroken(stream(open(), `fault/${name}`));
        expect(text).toBe('');
        for (const error of [refused, broken]) {
          expect(error).toBeInstanceOf(OpenAI.APIError);
          expect(error).toMatchObject({
            status: expect.any(Number),
            type: expect.stringMatching(/_error$/),
            requestID: expect.stringMatching(/\S/),
          });
          expectNoUpstreamSecrets(error);
        }
        expect(broken).toMatchObject({
          status: refused instanceof OpenAI.APIError ? refused.status : null,
        });
      },
    );

    test.each(['cut', 'mid-stream-error', 'mid-stream-error-choices', 'no-finish'])(
      'a stream that breaks off throws after what it said: fault/%s',
      async (name) => {
        const { text, error } = await readBroken(stream(open(), `fault/${name}`));
        expect(text).not.toBe('');
        expect(text).not.toContain('(completed)');
        expect(error).toBeInstanceOf(OpenAI.APIError);
        expect(error).toMatchObject({ code: 'upstream_error', message: expect.any(String) });
        expectNoUpstreamSecrets(error);
      },
    );

    test('a client that waits no longer leaves no request open at the upstream', async () => {
      const before = server.models.stats().aborted;
      const client = open({ timeout: 300 });
      await expect(ask(client, 'fault/hang')).rejects.toBeInstanceOf(
        OpenAI.APIConnectionTimeoutError,
      );
      await vi.waitFor(() => expect(server.models.stats().aborted).toBe(before + 1), 5000);
      expect(server.models.stats().openRequests).toBe(0);
    });

    test('a client that leaves a stream leaves no request open at the upstream', async () => {
      const before = server.models.stats().aborted;
      for await (const piece of stream(open(), 'fault/pace:50')) if (piece !== '') break;
      await vi.waitFor(() => expect(server.models.stats().aborted).toBe(before + 1), 5000);
      expect(server.models.stats().openRequests).toBe(0);
    });
  });
});
