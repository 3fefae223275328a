import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { model, nextPrompt, prompt, promptQuoted } from '../../support/clients/client-fixtures.ts';
import {
  max_tokens,
  openAnthropic,
  picture,
  toMessages,
} from '../../support/clients/libraries/anthropic.ts';
import { forTests } from '../../support/for-tests.ts';
import { startInProcessProxy, upstreamKinds } from '../../support/servers/in-process-proxy.ts';

/** What Anthropic's SDK alone has. */

const ask = { model, max_tokens, messages: toMessages(prompt) };

describe.each(upstreamKinds)('Anthropic’s SDK over an upstream of kind %s', (upstream) => {
  const server = forTests(() => startInProcessProxy({ upstream }));
  const open = () => openAnthropic({ url: server.url, key: server.key });

  test('the beta API with its query works', async () => {
    const message = await open().beta.messages.create({ ...ask, betas: ['context-1m-2025-08-07'] });
    expect(message.content[0]?.type).toBe('text');
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
        { role: 'user', content: nextPrompt },
      ],
    });
    expect(second.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  });

  test('a picture in a tool’s result arrives', async () => {
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
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ status, error: { type: 'error', error: { type } } });
    expect(error.requestID).toMatch(/^[\w-]{8,}$/);
  });

  test('a wrong key is an authentication error', async () => {
    const wrong = openAnthropic({ url: server.url, key: `mq_${'0'.repeat(49)}` });
    await expect(wrong.messages.create(ask)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });

  test('the base URL answers HEAD', async () => {
    const response = await fetch(`${server.url}/proxy`, { method: 'HEAD' });
    expect(response.status).toBe(200);
  });
});
