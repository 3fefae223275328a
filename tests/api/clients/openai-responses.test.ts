import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import type { FunctionTool, ResponseInput } from 'openai/resources/responses/responses';
import { describe, expect, inject, test } from 'vitest';
import {
  imageUrl,
  model,
  oneImageNoticed,
  prompt,
  promptQuoted,
  secondTurnQuoted,
  trip,
  tripPrompt,
  tripSchema,
  weatherAnswer,
  weatherCities,
  weatherParameters,
  weatherPrompt,
  weatherTool,
} from '../../support/clients/client-fixtures.ts';
import { collect } from '../../support/clients/collect.ts';
import { upstreamKinds } from '../../support/servers/in-process-proxy.ts';

const { name, description, schema, run } = weatherTool;
const weather: FunctionTool = {
  type: 'function',
  name,
  description,
  parameters: weatherParameters,
  strict: true,
};

function answerCalls(response: OpenAI.Responses.Response): ResponseInput {
  const calls = response.output.filter((item) => item.type === 'function_call');
  return calls.map((call) => ({
    type: 'function_call_output',
    call_id: call.call_id,
    output: run(schema.parse(JSON.parse(call.arguments))),
  }));
}

/** The client's output and input types differ only in items that do not occur here. */
function toTurns({ output }: OpenAI.Responses.Response): ResponseInput {
  return output.filter((item) => item.type === 'message' || item.type === 'function_call');
}

describe.each(upstreamKinds)('openai’s responses, %s upstream', (upstream) => {
  const server = inject('servers')[upstream];
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey: server.key, maxRetries: 0 });

  test('a response has text, usage and a request id', async () => {
    const response = await client.responses.create({ model, input: prompt });
    expect(response).toMatchObject({ object: 'response', status: 'completed', model });
    expect(response.output_text).toContain(promptQuoted);
    const { input_tokens: tokensIn = 0, output_tokens: tokensOut = 0 } = response.usage ?? {};
    expect(tokensIn).toBeGreaterThan(0);
    expect(tokensOut).toBeGreaterThan(0);
    expect(response.usage?.total_tokens).toBe(tokensIn + tokensOut);
    expect(response._request_id).toMatch(/\S/);
  });

  test('a stream gives the same text', async () => {
    const complete = await client.responses.create({ model, input: prompt });
    const stream = await client.responses.create({ model, input: prompt, stream: true });
    const events = await collect(stream);
    const deltas = events.filter((event) => event.type === 'response.output_text.delta');
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.map(({ delta }) => delta).join('')).toBe(complete.output_text);
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
    const last = events.at(-1);
    expect(last).toMatchObject({
      type: 'response.completed',
      response: { status: 'completed', usage: complete.usage },
    });
  });

  test('parallel tool calls are complete, and their results are used', async () => {
    const input: ResponseInput = [{ role: 'user', content: weatherPrompt }];
    const called = await client.responses.create({ model, input, tools: [weather] });
    const calls = called.output.filter((item) => item.type === 'function_call');
    expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual(
      weatherCities.map((city) => [name, city]),
    );
    const reply = await client.responses.create({
      model,
      input: [...input, ...toTurns(called), ...answerCalls(called)],
      tools: [weather],
    });
    expect(reply.output_text).toBe(weatherAnswer);
  });

  test('the stream helper has parallel tool calls, and a stream uses their results', async () => {
    const input: ResponseInput = [{ role: 'user', content: weatherPrompt }];
    const called = await client.responses
      .stream({ model, input, tools: [weather] })
      .finalResponse();
    const calls = called.output.filter((item) => item.type === 'function_call');
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual(weatherCities);
    // The helper's parsed output has an extra field, which clients send back.
    const reply = await client.responses
      .stream({
        model,
        input: [...input, ...toTurns(called), ...answerCalls(called)],
        tools: [weather],
      })
      .finalResponse();
    expect(reply.output_text).toBe(weatherAnswer);
  });

  test('structured output is parsed with a zod schema, streamed or not', async () => {
    const request = {
      model,
      input: tripPrompt,
      text: { format: zodTextFormat(tripSchema, 'trip') },
    };
    expect((await client.responses.parse(request)).output_parsed).toEqual(trip);
    const streamed = await client.responses.stream(request).finalResponse();
    expect(streamed.output_parsed).toEqual(trip);
  });

  test('a conversation continues from the client’s history', async () => {
    const input: ResponseInput = [{ role: 'user', content: prompt }];
    const first = await client.responses.create({ model, input, instructions: 'Be brief.' });
    const second = await client.responses.create({
      model,
      instructions: 'Be brief.',
      input: [...input, ...toTurns(first), { role: 'user', content: 'And of Porto?' }],
    });
    expect(second.output_text).toContain(secondTurnQuoted);
  });

  test('an image reaches the model', async () => {
    const response = await client.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What do you see?' },
            { type: 'input_image', image_url: imageUrl, detail: 'low' },
          ],
        },
      ],
    });
    expect(response.output_text).toContain(oneImageNoticed);
  });

  test('a reply at its maximum length is incomplete, streamed or not', async () => {
    const request = { model, input: prompt, max_output_tokens: 5 };
    const cut = {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 5 },
    };
    expect(await client.responses.create(request)).toMatchObject(cut);
    const events = await collect(await client.responses.create({ ...request, stream: true }));
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: cut });
  });

  test('previous_response_id is rejected with a hint, since no response is stored', async () => {
    const rejected = client.responses.create({
      model,
      input: prompt,
      previous_response_id: 'resp',
    });
    await expect(rejected).rejects.toMatchObject({
      status: 400,
      param: 'previous_response_id',
      message: expect.stringContaining('input'),
    });
  });
});
