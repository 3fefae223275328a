import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { chatPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type Reply, setUpModels, type TestModel } from '../../support/servers/set-up-models.ts';
import type { ModelRequest } from '../../support/upstreams/billing-upstream.ts';

/** What an upstream needs back in the next turn, and which no other protocol has a place for. */

const addModel = setUpModels();
const signature = { google: { thought_signature: 'c2lnbmVk' } };
const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: '{"at":"sky"}' },
  ...more,
});
const tools = {
  chat: [{ type: 'function', function: { name: 'look' } }],
  responses: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
  messages: [{ name: 'look', input_schema: { type: 'object' as const } }],
};
const prompt = { role: 'user', content: 'Look.' };
const done: Reply = { message: { content: 'Blue.' } };

/** Calls first, then a text. */
const calling =
  (message: object, deltas?: object[]) =>
  (request: ModelRequest): Reply =>
    JSON.stringify(request.messages).includes('"tool"')
      ? done
      : {
          message: { ...message },
          ...(deltas && { deltas: deltas.map((delta) => ({ ...delta })) }),
        };

const signed = calling({
  tool_calls: [call('a', { extra_content: signature }), call('b')],
});

type Sent = Readonly<{ role: string; tool_calls?: readonly object[] }>;

/** The message of the assistant that the upstream got in the second turn. */
function toReturned(requests: readonly Readonly<Record<string, unknown>>[]) {
  const messages = (requests[1]?.messages ?? []) as readonly Sent[];
  return messages.find(({ role }) => role === 'assistant');
}

type MessagesBody = Readonly<{ stream?: boolean; messages: Anthropic.MessageParam[] }> &
  Partial<Anthropic.MessageCreateParams>;

/** What a client of Messages gets from its SDK, JSON or streamed. */
async function askMessages(model: TestModel, { stream, ...rest }: MessagesBody) {
  const client = model.anthropic();
  const body = { model: model.name, max_tokens: 1000, ...rest };
  const message = stream
    ? await client.messages.stream(body).finalMessage()
    : await client.messages.create({ ...body, stream: false });
  return message.content;
}

/** Both turns of a Messages client. */
async function talkMessages(model: TestModel, fields: Omit<MessagesBody, 'messages'>) {
  const body = { ...fields, tools: tools.messages };
  const first: Anthropic.MessageParam = { role: 'user', content: prompt.content };
  const content = await askMessages(model, { ...body, messages: [first] });
  const results = content
    .filter((block) => block.type === 'tool_use')
    .map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'Blue.' }));
  const second = { role: 'user' as const, content: results };
  await askMessages(model, {
    ...body,
    messages: [first, { role: 'assistant', content }, second],
  });
  return content.map((block) => ({ id: '', ...block }));
}

/** Both turns of a Responses client. */
async function talkResponses(model: TestModel, fields: object) {
  const body = { tools: tools.responses, store: false, ...fields };
  const first = await model.send(responsesPath, { ...body, input: [prompt] });
  const output: Items = first.body === null ? toFinalOutput(first.text) : first.body.output;
  const outputs = output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'Blue.' }));
  const input = [prompt, ...output, ...outputs];
  expect((await model.send(responsesPath, { ...body, input })).status).toBe(200);
  return output;
}

type Items = readonly Readonly<{ type: string; call_id?: string }>[];

function toFinalOutput(stream: string): Items {
  const [line = ''] = /^data: .*"response.completed".*$/m.exec(stream) ?? [];
  return JSON.parse(line.slice('data: '.length)).response.output;
}

describe.each([{ stream: false }, { stream: true }])('%j', (streamed) => {
  test('a client of chat gets the fields of a call, and sends them back', async () => {
    const model = addModel('chat', signed);
    const body = { ...streamed, tools: tools.chat };

    const first = await model.send(chatPath, { ...body, messages: [prompt] });
    expect(first.text).toContain('"extra_content":{"google":{"thought_signature":"c2lnbmVk"}}');
    const assistant = {
      role: 'assistant',
      content: null,
      tool_calls: [call('a', { extra_content: signature })],
    };
    const result = { role: 'tool', tool_call_id: 'a', content: 'Blue.' };
    await model.send(chatPath, { ...body, messages: [prompt, assistant, result] });

    expect(toReturned(model.requests)).toEqual(assistant);
  });

  test('Responses carries them in an item of reasoning before the call', async () => {
    const model = addModel('chat', signed);

    const output = await talkResponses(model, streamed);

    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'function_call', 'function_call']);
    expect(output[0]).toMatchObject({ encrypted_content: expect.stringMatching(/^mq1\./) });
    expect(toReturned(model.requests)?.tool_calls).toEqual([
      call('a', { extra_content: signature }),
      call('b'),
    ]);
  });

  test('Messages carries them in a thinking block before the call, where thinking is on', async () => {
    const model = addModel('chat', signed);

    const content = await talkMessages(model, { ...streamed, thinking: { type: 'adaptive' } });

    expect(content.map(({ type }) => type)).toEqual(['thinking', 'tool_use', 'tool_use']);
    expect(content[0]).toMatchObject({ thinking: '', signature: expect.stringMatching(/^mq1\./) });
    expect(content.slice(1).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(toReturned(model.requests)?.tool_calls).toEqual([
      call('a', { extra_content: signature }),
      call('b'),
    ]);
  });

  test('Messages carries them in the id of the call, where it is not', async () => {
    const model = addModel('chat', signed);

    const content = await talkMessages(model, streamed);

    expect(content.map(({ type }) => type)).toEqual(['tool_use', 'tool_use']);
    // As Anthropic’s ids are.
    expect(content[0]?.id).toMatch(/^a_mq1_[\w-]+$/);
    expect(content[1]?.id).toBe('b');
    expect(toReturned(model.requests)?.tool_calls).toEqual([
      call('a', { extra_content: signature }),
      call('b'),
    ]);
    expect(model.requests[1]?.messages).toContainEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'Blue.',
    });
  });

  test('reasoning that a server wants back with its calls does so, though no thinking is shown', async () => {
    const message = { reasoning_content: 'I look up.', content: 'Wait.', tool_calls: [call('a')] };
    const model = addModel('chat', calling(message));

    const content = await talkMessages(model, streamed);

    expect(content.map(({ type }) => type)).toEqual(['text', 'tool_use']);
    expect(toReturned(model.requests)).toEqual({
      role: 'assistant',
      content: 'Wait.',
      reasoning_content: 'I look up.',
      tool_calls: [call('a')],
    });
  });

  test('reasoning in details does so, too', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'secret', index: 0, id: 'a' }];
    const message = { reasoning_details: details, tool_calls: [call('a')] };
    const model = addModel('chat', calling(message));

    await talkMessages(model, streamed);

    expect(toReturned(model.requests)).toMatchObject({ reasoning_details: details });
  });

  test('fields of other gateways come back, within the function, too', async () => {
    const fields = {
      provider_specific_fields: { thought_signature: 's1' },
      function: { name: 'look', arguments: '{}', provider_specific_fields: { x: [1, null] } },
    };
    const model = addModel('chat', calling({ tool_calls: [call('a', fields)] }));

    await talkResponses(model, streamed);

    expect(toReturned(model.requests)?.tool_calls).toEqual([call('a', fields)]);
  });

  test('without thinking in the request, the first block is the text', async () => {
    const message = { reasoning_content: 'I think.', content: 'Blue.' };
    const model = addModel('chat', () => ({ message }));

    const content = await askMessages(model, {
      ...streamed,
      messages: [{ role: 'user', content: 'Look.' }],
    });

    expect(content).toMatchObject([{ type: 'text', text: 'Blue.' }]);
  });
});

test('fields that come after the call was begun follow in an item of reasoning', async () => {
  const [first = {}, later] = [
    { index: 0, ...call('a', { function: { name: 'look', arguments: '{"at":' } }) },
    { index: 0, function: { arguments: '"sky"}' }, extra_content: signature },
  ];
  const deltas = [{ tool_calls: [first] }, { tool_calls: [later] }];
  const model = addModel('chat', calling({ tool_calls: [] }, deltas));

  const output = await talkResponses(model, { stream: true });

  expect(output.map(({ type }) => type)).toEqual(['function_call', 'reasoning']);
  expect(toReturned(model.requests)?.tool_calls).toEqual([call('a', { extra_content: signature })]);
});

test('without thinking, they follow in a block at the end, or in the id of the next call', async () => {
  const later = { index: 0, function: { arguments: '"sky"}' }, extra_content: signature };
  const first = { index: 0, ...call('a', { function: { name: 'look', arguments: '{"at":' } }) };
  const deltas = [{ tool_calls: [first] }, { tool_calls: [later] }];
  const next = { tool_calls: [{ index: 1, ...call('b') }] };
  for (const more of [[], [next]]) {
    const model = addModel('chat', calling({ tool_calls: [] }, [...deltas, ...more]));

    const content = await talkMessages(model, { stream: true });

    const last = more.length === 0 ? 'thinking' : 'tool_use';
    expect(content.map(({ type }) => type)).toEqual(['tool_use', last]);
    expect(toReturned(model.requests)?.tool_calls?.[0]).toEqual(
      call('a', { extra_content: signature }),
    );
  }
});

test.each([{ stream: false }, { stream: true }])(
  'a call in the form before tools is one of a tool for a client that has sent tools: %j',
  async (streamed) => {
    const { function: called } = call('');
    const model = addModel('chat', () => ({
      message: { function_call: called },
      finish: 'function_call',
    }));
    const request = { ...streamed, messages: [prompt] };

    const { text } = await model.send(chatPath, { ...request, tools: tools.chat });
    expect(text).toMatch(
      /"id":"call_\w+","type":"function","function":\{"name":"look","arguments":"\{/,
    );
    expect(text).toContain('"finish_reason":"tool_calls"');
    expect(text).not.toContain('function_call"');

    const functions = [{ name: 'look' }];
    const former = await model.send(chatPath, { ...request, functions });
    expect(former.text).toContain('"function_call":{"name":"look"');
    expect(former.text).toContain('"finish_reason":"function_call"');
    expect(former.text).not.toContain('tool_calls');
  },
);

test('a server that names no call gets its fields back with the id that the proxy made', async () => {
  const nameless = { ...call('', { extra_content: signature }), id: '' };
  const model = addModel('chat', calling({ tool_calls: [nameless] }));

  const [, { call_id } = {}] = await talkResponses(model, {});

  expect(call_id).toMatch(/^call_/);
  expect(toReturned(model.requests)?.tool_calls).toEqual([
    call(call_id ?? '', { extra_content: signature }),
  ]);
});

test('what comes back cannot change the call itself', async () => {
  const model = addModel('chat', () => done);
  const fields = { id: 'x', type: 'custom', function: { name: 'rm', arguments: 'all', y: 1 } };
  const token = Buffer.from(JSON.stringify({ calls: { a: fields } })).toString('base64url');
  const input = [
    prompt,
    { type: 'reasoning', summary: [], encrypted_content: `mq1.${token}` },
    { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'Blue.' },
  ];

  await model.send(responsesPath, { input });

  expect(model.requests[0]?.messages).toContainEqual({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { y: 1, name: 'look', arguments: '{}' } }],
  });
});
