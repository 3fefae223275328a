import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { describe, expect, test } from 'vitest';
import {
  imageUrl,
  model,
  oneImageNoticed,
  prompt,
  promptQuoted,
  secondTurnQuoted,
  weatherAnswer,
  weatherPrompt,
  weatherTool,
} from '../../support/clients/client-fixtures.ts';
import { forTests } from '../../support/for-tests.ts';
import { startInProcessProxy, upstreamKinds } from '../../support/servers/in-process-proxy.ts';

const max_tokens = 500;
const ask = { model, max_tokens, messages: [{ role: 'user' as const, content: prompt }] };

describe.each(upstreamKinds)('Anthropic’s SDK over an upstream of kind %s', (upstream) => {
  const server = forTests(() => startInProcessProxy({ upstream }));

  const open = (options: object = {}) =>
    new Anthropic({
      baseURL: `${server.url}/proxy`,
      apiKey: server.key,
      maxRetries: 0,
      ...options,
    });

  test('create gives a text, a stop reason and usage', async () => {
    const message = await open().messages.create(ask);

    expect(message).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'end_turn' });
    expect(toText(message)).toContain(promptQuoted);
    expect(message.usage.output_tokens).toBeGreaterThan(10);
    expect(message._request_id).toMatch(/^[\w-]{8,}$/);
  });

  test('the stream helper collects the same text in many pieces', async () => {
    const pieces: string[] = [];
    const stream = open()
      .messages.stream(ask)
      .on('text', (piece) => pieces.push(piece));

    const message = await stream.finalMessage();

    expect(pieces.length).toBeGreaterThan(5);
    expect(toText(message)).toBe(pieces.join(''));
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.output_tokens).toBeGreaterThan(10);
  });

  test('the beta API with its query works', async () => {
    const message = await open().beta.messages.create({ ...ask, betas: ['context-1m-2025-08-07'] });
    expect(message.content[0]?.type).toBe('text');
  });

  test('a second turn continues the conversation', async () => {
    const first = await open().messages.create(ask);
    const second = await open().messages.create({
      ...ask,
      messages: [
        ...ask.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: 'And of Porto?' },
      ],
    });
    expect(toText(second)).toContain(secondTurnQuoted);
  });

  test.each([false, true])('the tool runner makes parallel calls, streamed: %s', async (stream) => {
    const cities: string[] = [];
    const weather = betaZodTool({
      name: weatherTool.name,
      description: weatherTool.description,
      inputSchema: weatherTool.schema,
      run(input) {
        cities.push(input.city);
        return weatherTool.run(input);
      },
    });
    const runner = open().beta.messages.toolRunner({
      model,
      max_tokens,
      tools: [weather],
      stream,
      messages: [{ role: 'user', content: weatherPrompt }],
    });

    const message = await runner.runUntilDone();

    expect(cities).toEqual(['Lisbon', 'Oslo']);
    expect(message.content).toMatchObject([{ type: 'text', text: weatherAnswer }]);
  });

  test('thinking is shown and comes back in the next turn', async () => {
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 };
    const first = await open()
      .messages.stream({ ...ask, thinking })
      .finalMessage();
    expect(first.content).toMatchObject([
      { type: 'thinking', thinking: expect.stringContaining(promptQuoted) },
      { type: 'text' },
    ]);

    const second = await open().messages.create({
      ...ask,
      thinking,
      messages: [
        ...ask.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: 'And of Porto?' },
      ],
    });
    expect(second.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  });

  test('pictures arrive, also those of a tool’s result', async () => {
    const [, data = ''] = imageUrl.split(',');
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data };
    const picture = { type: 'image' as const, source };
    const message = await open().messages.create({
      model,
      max_tokens,
      messages: [{ role: 'user', content: [picture, { type: 'text', text: prompt }] }],
    });
    expect(toText(message)).toContain(oneImageNoticed);

    const answer = await open().messages.create({
      model,
      max_tokens,
      messages: [
        { role: 'user', content: 'Show it' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'show', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [picture] }] },
      ],
    });
    expect(answer.stop_reason).toBe('end_turn');
  });

  test('tokens are counted without a reply', async () => {
    const { input_tokens: tokens } = await open().messages.countTokens({
      model,
      messages: ask.messages,
    });
    expect(tokens).toBeGreaterThan(3);
    expect(tokens).toBeLessThan(30);
  });

  test('models are listed in Anthropic’s form', async () => {
    const page = await open().models.list();
    expect(page.data[0]).toMatchObject({ type: 'model', id: expect.stringContaining('/') });
    expect(page.has_more).toBe(false);
  });

  test('batches are refused clearly', async () => {
    const requests = [{ custom_id: 'a', params: ask }];
    await expect(open().messages.batches.create({ requests })).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error', message: /no batches/ } },
    });
  });

  test.each([
    ['an unknown model', { model: 'lantern-demo/wick-9' }, 404, 'not_found_error'],
    ['a field of the wrong type', { max_tokens: 'many' }, 400, 'invalid_request_error'],
    ['an upstream that is overloaded', { model: 'fault/529' }, 503, 'overloaded_error'],
    ['an upstream that allows no more', { model: 'fault/429' }, 429, 'rate_limit_error'],
    ['an upstream that rejects our key', { model: 'fault/401' }, 502, 'api_error'],
  ])('%s is an error in Anthropic’s form', async (_, fields, status, type) => {
    const error = await open()
      .messages.create({ ...ask, ...fields } as never)
      .catch((one) => one);
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ status, error: { type: 'error', error: { type } } });
    expect(error.requestID).toMatch(/^[\w-]{8,}$/);
  });

  test('a wrong key is an authentication error', async () => {
    const wrong = open({ apiKey: `mq_${'0'.repeat(49)}` });
    await expect(wrong.messages.create(ask)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });

  test('the base URL answers HEAD', async () => {
    const response = await fetch(`${server.url}/proxy`, { method: 'HEAD' });
    expect(response.status).toBe(200);
  });
});

function toText({ content }: Anthropic.Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
