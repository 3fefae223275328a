import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { streamText, tool } from 'ai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createResponsesTranslator } from '#lib/ai-proxy/protocols/responses-over-chat/translator.ts';
import {
  chatChunk,
  toChatStream,
  toolCallDeltas,
  usageChunk,
} from '../../../../support/upstreams/chat-stream.ts';
import { replay } from '../../../../support/upstreams/replay.ts';
import {
  createRequest,
  createTranslation,
} from '../../../../support/upstreams/responses-request.ts';

/** Real clients read the translated streams. */

const look = toolCallDeltas(0, { id: 'call_a', name: 'look', pieces: ['{"at":', '"sky"}'] });
const add = toolCallDeltas(1, { id: 'call_b', name: 'add', pieces: ['{"a":1}'] });
const reply = [chatChunk({ role: 'assistant', content: 'Hé' }), chatChunk({ content: '😀' })];
const called = [...look, ...add].map((delta) => chatChunk(delta));
const text = toChatStream([...reply, chatChunk({}, 'stop'), usageChunk]);
const calls = toChatStream([...reply, ...called, chatChunk({}, 'tool_calls'), usageChunk]);
const broken = toChatStream(reply, { done: false });

function respondWith(stream: string): typeof fetch {
  return async () => {
    const translator = createResponsesTranslator(
      createRequest({ stream: true }),
      createTranslation(),
    );
    return new Response(replay(translator, [stream]), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    });
  };
}

const options = (stream: string) => ({
  apiKey: 'none',
  baseURL: 'http://localhost/proxy/v1',
  fetch: respondWith(stream),
});

test('openai’s stream helper collects text, usage and calls', async () => {
  const client = new OpenAI(options(calls));
  const stream = client.responses.stream({ model: 'requested/model', input: 'Hello' });
  const deltas: string[] = [];
  stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
  const response = await stream.finalResponse();
  expect(deltas).toEqual(['Hé', '😀']);
  expect(response.output_text).toBe('Hé😀');
  expect(response.usage?.total_tokens).toBe(18);
  expect(response.output).toMatchObject([
    { type: 'message' },
    { type: 'function_call', call_id: 'call_a', name: 'look', arguments: '{"at":"sky"}' },
    { type: 'function_call', call_id: 'call_b', name: 'add', arguments: '{"a":1}' },
  ]);
});

test('openai’s client throws when a stream breaks off', async () => {
  const client = new OpenAI({ ...options(broken), maxRetries: 0 });
  const stream = await client.responses.create({
    model: 'requested/model',
    input: 'Hello',
    stream: true,
  });
  const read = async () => {
    for await (const event of stream) expect(event.type).not.toBe('response.completed');
  };
  await expect(read()).rejects.toThrow(/ended before it was complete/);
});

test('the AI SDK gets text, calls, the finish reason and usage', async () => {
  const result = streamText({
    model: createOpenAI(options(calls)).responses('requested/model'),
    prompt: 'Hello',
    tools: {
      look: tool({ inputSchema: z.object({ at: z.string() }) }),
      add: tool({ inputSchema: z.object({ a: z.number() }) }),
    },
  });
  expect(await result.text).toBe('Hé😀');
  expect(await result.toolCalls).toMatchObject([
    { toolCallId: 'call_a', toolName: 'look', input: { at: 'sky' } },
    { toolCallId: 'call_b', toolName: 'add', input: { a: 1 } },
  ]);
  expect(await result.finishReason).toBe('tool-calls');
  expect((await result.usage).totalTokens).toBe(18);
});

test('the AI SDK reports a stream that breaks off', async () => {
  const errors: unknown[] = [];
  const result = streamText({
    model: createOpenAI(options(broken)).responses('requested/model'),
    prompt: 'Hello',
    onError: ({ error }) => void errors.push(error),
  });
  await result.consumeStream();
  expect(errors).not.toEqual([]);
});

test('LangChain collects text and usage', async () => {
  const { apiKey, ...configuration } = options(text);
  const model = new ChatOpenAI({
    model: 'requested/model',
    useResponsesApi: true,
    apiKey,
    configuration,
  });
  let whole = '';
  const usages: unknown[] = [];
  for await (const chunk of await model.stream('Hello')) {
    whole += chunk.text;
    if (chunk.usage_metadata) usages.push(chunk.usage_metadata);
  }
  expect(whole).toBe('Hé😀');
  expect(usages).toEqual([expect.objectContaining({ total_tokens: 18 })]);
});
