import { OpenRouter } from '@openrouter/sdk';
import { EventStream } from '@openrouter/sdk/lib/event-streams.js';
import type { ChatMessages } from '@openrouter/sdk/models';
import { describe, expect, inject, test } from 'vitest';
import { toPrices } from '#lib/spend/prices.ts';
import { model, prompt, promptQuoted } from '../../support/clients/client-fixtures.ts';
import { collect } from '../../support/clients/collect.ts';
import { postJson } from '../../support/clients/post-json.ts';
import { upstreamKinds } from '../../support/servers/in-process-proxy.ts';
import { startPipelineServer, toPost } from '../../support/servers/pipeline-server.ts';
import { eventStream, startRawUpstream } from '../../support/upstreams/raw-upstream.ts';

/** This SDK checks every response against its own schemas, and throws where a field is missing. */
const messages = [{ role: 'user' as const, content: prompt }];
const chat = { model, messages };

describe.each(upstreamKinds)('OpenRouter’s SDK, %s upstream', (upstream) => {
  const { baseUrl, key } = inject('servers')[upstream];
  const client = new OpenRouter({ apiKey: key, serverURL: baseUrl });

  test('both lists of models are read', async () => {
    const { result: languages } = await client.models.list();
    expect(languages.data.find(({ id }) => id === model)).toMatchObject({
      name: 'Lantern Wick 3 (demo)',
      pricing: { prompt: '0.0000025', completion: '0.000012' },
    });
    expect(languages.totalCount).toBe(languages.data.length);

    const { result: embeddings } = await client.embeddings.listModels();
    expect(embeddings.data.map(({ id }) => id)).toContain('lantern-demo/embed-large');
    expect(embeddings.totalCount).toBe(embeddings.data.length);
  });

  test('a chat is read', async () => {
    const reply = await send(client);
    expect(reply.choices[0]?.message.content).toContain(promptQuoted);
    expect(reply.systemFingerprint).toBeNull();
  });

  test('a response is read', async () => {
    const reply = await client.responses.send({ responsesRequest: { model, input: prompt } });
    expect(JSON.stringify(reply)).toContain('Tell me of Lisbon');
  });

  test('a stream is read, with usage at its end', async () => {
    const stream = await client.chat.send({
      chatRequest: { ...chat, stream: true, streamOptions: { includeUsage: true } },
    });
    if (!(stream instanceof EventStream)) throw new TypeError('No stream came.');
    const chunks = await collect(stream);
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toContain(promptQuoted);
    expect(chunks.at(-1)?.usage?.completionTokens).toBeGreaterThan(10);
  });

  test('its way to ask for usage works too', async () => {
    const request = { ...chat, stream: true, usage: { include: true } };
    const response = await postJson(`${baseUrl}/chat/completions`, key, request);
    expect(await response.text()).toMatch(/"usage":\{[^\n]*\}\n\ndata: \[DONE\]\n\n$/);
  });

  test('the key is described', async () => {
    const { data } = await client.apiKeys.getCurrentKeyMetadata();
    expect(data).toMatchObject({ limit: null, isFreeTier: false, rateLimit: { interval: '1m' } });
    const { limit, used, remaining } = data.freeModelDailyRequests;
    expect(limit).toBe(data.rateLimit.requests * 1440);
    expect(used + remaining).toBe(limit);
  });

  test('a vector is read', async () => {
    const reply = await client.embeddings.generate({
      requestBody: { model: 'lantern-demo/embed-large', input: prompt, dimensions: 2 },
    });
    expect(reply).toMatchObject({
      data: [{ embedding: [expect.any(Number), expect.any(Number)] }],
    });
  });
});

async function send(client: OpenRouter, turns: readonly ChatMessages[] = messages) {
  const reply = await client.chat.send({ chatRequest: { model, messages: [...turns] } });
  if (reply instanceof EventStream) throw new TypeError('A stream came.');
  return reply;
}

const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cost: 0.00042 };
const head = { id: 'gen-1', created: 1_780_000_000, model };
const delta = { role: 'assistant', content: 'Hello' };
const chunk = (more: object) => `data: ${JSON.stringify({ ...head, ...more })}\n\n`;
const costly = {
  whole: JSON.stringify({
    ...head,
    object: 'chat.completion',
    usage,
    choices: [{ index: 0, message: delta, finish_reason: 'stop' }],
  }),
  stream: [
    ': OPENROUTER PROCESSING\n\n',
    chunk({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: 'stop' }],
    }),
    chunk({ object: 'chat.completion.chunk', choices: [], usage }),
    'data: [DONE]\n\n',
  ].join(''),
};

test.each(['chat', 'translated'] as const)(
  'what an upstream says that a request cost is recorded and passed on: %s',
  async (style) => {
    await using upstream = await startRawUpstream((response, _request, body) => {
      const { stream } = JSON.parse(body);
      if (stream) response.writeHead(200, eventStream).end(costly.stream);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(costly.whole);
    });
    await using server = await startPipelineServer({
      ...upstream,
      style,
      prices: toPrices({ input: 9e-5, output: 9e-5 }),
    });
    for (const stream of [false, true]) {
      const request = { ...chat, input: prompt, stream, usage: { include: true } };
      const response = await fetch(server.url, toPost(JSON.stringify(request)));
      expect(await response.text()).toMatch(/"usage":\{[^\n]*"cost":0\.00042/);
    }
    await expect.poll(() => server.records).toHaveLength(2);
    expect(server.records.map(({ costUsd }) => costUsd)).toEqual([0.00042, 0.00042]);
  },
);
