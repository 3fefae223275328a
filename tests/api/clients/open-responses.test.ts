import { describe, expect, inject, test } from 'vitest';
import {
  model,
  prompt,
  promptQuoted,
  secondTurnQuoted,
  weatherCities,
  weatherParameters,
  weatherPrompt,
  weatherTool,
} from '../../support/clients/client-fixtures.ts';
import { postJson } from '../../support/clients/post-json.ts';
import { upstreamKinds } from '../../support/servers/in-process-proxy.ts';
import {
  examineResponsesStream,
  findResponseProblems,
  summarise,
} from '../../support/upstreams/responses-stream.ts';

/** The compliance tests of the Open Responses specification, over plain HTTP. */

const { name, description } = weatherTool;
const tools = [{ type: 'function', name, description, parameters: weatherParameters }];
const calls = weatherCities.map((city) => ({
  id: expect.stringMatching(/\S/),
  name,
  arguments: JSON.stringify(city),
}));
const opening = ['response.created', 'response.in_progress'];
const textEvents = [
  'response.output_item.added',
  'response.content_part.added',
  'response.output_text.delta',
  'response.output_text.done',
  'response.content_part.done',
  'response.output_item.done',
];
const callEvents = [
  'response.output_item.added',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.output_item.done',
];

type Body = Readonly<Record<string, unknown>>;

/** The types of events in order, repeated ones once. */
function toCourse(types: readonly string[]): string[] {
  return types.filter((type, index) => type !== types[index - 1]);
}

describe.each(upstreamKinds)('Open Responses, %s upstream', (upstream) => {
  const server = inject('servers')[upstream];

  function post(body: Body): Promise<Response> {
    return postJson(`${server.baseUrl}/responses`, server.key, { model, ...body });
  }

  async function respond(body: Body) {
    const reply = await post(body);
    expect(reply.status).toBe(200);
    const response = await reply.json();
    expect(findResponseProblems(response)).toEqual([]);
    expect(response).toMatchObject({ object: 'response', model });
    return { response, ...summarise(response.output) };
  }

  async function stream(body: Body) {
    const reply = await post({ ...body, stream: true });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const report = examineResponsesStream(await reply.text());
    expect(report.problems).toEqual([]);
    return report;
  }

  test('basic text: one completed message', async () => {
    const { response, text } = await respond({ input: [{ role: 'user', content: prompt }] });
    expect(text).toContain(promptQuoted);
    expect(response).toMatchObject({
      status: 'completed',
      completed_at: expect.any(Number),
      error: null,
      incomplete_details: null,
      store: false,
      output: [
        {
          type: 'message',
          id: expect.stringMatching(/^msg_/),
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', annotations: [], logprobs: [] }],
        },
      ],
    });
  });

  test('streaming: every event in order, and the complete response at the end', async () => {
    const report = await stream({ input: [{ role: 'user', content: prompt }] });
    expect(toCourse(report.types)).toEqual([...opening, ...textEvents, 'response.completed']);
    expect(report.text).toContain(promptQuoted);
  });

  test('a streamed and a JSON response are the same', async () => {
    const complete = await respond({ input: prompt });
    const streamed = await stream({ input: prompt });
    expect(Object.keys(streamed.response).sort()).toEqual(Object.keys(complete.response).sort());
    expect(streamed.text).toBe(complete.text);
    expect(streamed.response.usage).toEqual(complete.response.usage);
  });

  test('a system prompt, as a message or as instructions, is used and returned', async () => {
    const asMessage = await respond({
      input: [
        { type: 'message', role: 'system', content: 'Speak like a pirate.' },
        { type: 'message', role: 'developer', content: 'And be brief.' },
        { type: 'message', role: 'user', content: prompt },
      ],
    });
    expect(asMessage.text).toContain(promptQuoted);
    expect(asMessage.response.instructions).toBeNull();
    const instructions = 'Speak like a pirate.';
    const asField = await respond({ instructions, input: prompt });
    expect(asField.text).toContain(promptQuoted);
    expect(asField.response.instructions).toBe(instructions);
    // Its tokens are counted, so the model has read it.
    const bare = await respond({ input: prompt });
    expect(asField.response.usage.input_tokens).toBeGreaterThan(bare.response.usage.input_tokens);
  });

  test('tool calling: one item for each call, and the tools are returned', async () => {
    const { response, toolCalls } = await respond({ input: weatherPrompt, tools });
    expect(toolCalls).toEqual(calls);
    expect(response.output).toMatchObject(
      calls.map(() => ({
        type: 'function_call',
        id: expect.stringMatching(/^fc_/),
        status: 'completed',
      })),
    );
    expect(response.tools).toMatchObject(tools);
    expect(response.tool_choice).toBe('auto');
  });

  test('tool calling while streaming: items one after another, arguments in deltas', async () => {
    const report = await stream({ input: weatherPrompt, tools });
    expect(report.toolCalls).toEqual(calls);
    expect(toCourse(report.types)).toEqual([
      ...opening,
      ...callEvents,
      ...callEvents,
      'response.completed',
    ]);
  });

  test('multi-turn: earlier turns in all documented formats', async () => {
    const first = { type: 'message', role: 'user', content: prompt };
    const next = { type: 'message', role: 'user', content: 'And of Porto?' };
    const { response } = await respond({ input: [first] });
    const turns = [
      response.output,
      [{ type: 'message', role: 'assistant', content: 'Lisbon is a city.' }],
      [{ role: 'assistant', content: [{ type: 'output_text', text: 'Lisbon is a city.' }] }],
      [{ type: 'reasoning', id: 'rs_1', summary: [] }, ...response.output],
    ];
    for (const turn of turns) {
      const input = [first, ...turn, next];
      expect((await respond({ input })).text).toContain(secondTurnQuoted);
      expect((await stream({ input })).text).toContain(secondTurnQuoted);
    }
  });

  test('a reply at its maximum length is incomplete, with its item', async () => {
    const report = await stream({ input: prompt, max_output_tokens: 16 });
    expect(report.types.at(-1)).toBe('response.incomplete');
    expect(report.response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      completed_at: null,
      max_output_tokens: 16,
      output: [{ type: 'message', status: 'incomplete' }],
    });
  });

  test('the parameters of the request are returned', async () => {
    const chosen = {
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 4000,
      metadata: { trip: 'summer' },
      parallel_tool_calls: false,
    };
    const { response } = await respond({ input: prompt, ...chosen });
    expect(response).toMatchObject(chosen);
  });
});
