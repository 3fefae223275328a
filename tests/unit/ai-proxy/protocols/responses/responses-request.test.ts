import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toNativeBody } from '#lib/ai-proxy/protocols/responses/responses-request.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { thrownBy } from '../../../../support/upstreams/proxy-errors.ts';
import { createRequest } from '../../../../support/upstreams/responses-request.ts';
import { unmarked } from '../../../../support/upstreams/unmarked.ts';

const nativeOf = (fields: object, outputTokensMax: number | null = null): Record<string, unknown> =>
  JSON.parse(
    toNativeBody(createRequest(fields), {
      model: 'requested/model',
      outputTokensMax,
      toolCallsMax: null,
      sent: { dialect: 'responses' },
      quirks: new Map(),
      reasoning: unmarked,
    }),
  );
const user = { role: 'user', content: 'Hello' };
const message = (...content: unknown[]) => ({ type: 'message', role: 'user', content });

test('the smallest request is accepted', () => {
  expect(createRequest()).toMatchObject({
    model: 'requested/model',
    models: ['requested/model'],
    isStream: false,
    outputTokensMax: null,
    promptTokensEstimate: 2,
    input: [{ kind: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
  });
  expect(nativeOf({})).toEqual({ model: 'requested/model', input: 'Hello', store: false });
});

test.each<[string, object]>([
  ['model', { model: null }],
  ['model', { model: '' }],
  ['input', { input: undefined }],
  ['input', { input: null }],
  ['input', { input: [] }],
  ['input', { input: { role: 'user' } }],
  ['input', { input: Array(10_001).fill(user) }],
  ['input[1]', { input: [user, 'Hello'] }],
  ['input[0].type', { input: [{}] }],
  ['input[0].type', { input: [{ type: 3 }] }],
  ['input[0].role', { input: [{ type: 'message', content: 'x' }] }],
  ['input[0].role', { input: [{ role: 'tool', content: 'x' }] }],
  ['input[0].content', { input: [{ role: 'user' }] }],
  ['input[0].content', { input: [{ role: 'user', content: 7 }] }],
  ['input[0].content[0]', { input: [message('x')] }],
  ['input[0].content[0].type', { input: [message({ type: 'text', text: 'x' })] }],
  ['input[0].content[0].type', { input: [message({ text: 'x' })] }],
  ['input[1].content[0].text', { input: [user, message({ type: 'input_text', text: 5 })] }],
  [
    'input[0].content[1].text',
    { input: [message({ type: 'input_text', text: '' }, { type: 'output_text' })] },
  ],
  ['input[0].content[0].image_url', { input: [message({ type: 'input_image', image_url: {} })] }],
  ['input[0].call_id', { input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }],
  [
    'input[0].arguments',
    { input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: {} }] },
  ],
  ['input[0].output', { input: [{ type: 'function_call_output', call_id: 'a' }] }],
  ['instructions', { instructions: ['x'] }],
  ['stream', { stream: 1 }],
  ['max_output_tokens', { max_output_tokens: 0 }],
  ['max_output_tokens', { max_output_tokens: 1.5 }],
  ['temperature', { temperature: 2.5 }],
  ['top_p', { top_p: -0.5 }],
  ['top_logprobs', { top_logprobs: 21 }],
  ['tools', { tools: {} }],
  ['tools[0].type', { tools: [{ name: 'f' }] }],
  ['tools[0].name', { tools: [{ type: 'function' }] }],
  ['tool_choice', { tool_choice: 'maybe' }],
  ['text.format.type', { text: { format: { type: 'xml' } } }],
  ['text.format.schema', { text: { format: { type: 'json_schema', name: 'a' } } }],
  ['reasoning.effort', { reasoning: { effort: 3 } }],
  ['truncation', { truncation: 'maybe' }],
  ['include', { include: 'x' }],
])('400 names %s in %j', (param, fields) => {
  const error = thrownBy(() => createRequest(fields));
  expect(error).toMatchObject({ status: 400, code: null, param });
  expect(error.message).toMatch(/^`.+` (is missing: it )?must be .+\.$/);
  expect(error.message).not.toMatch(/Invalid|expected/);
});

const stored = { type: 'file_search', vector_store_ids: ['vs_1'] };
const inTool = (tool: object) => ({ tools: [tool] });
const inItem = (item: object) => ({ input: [item] });

test.each<[string, object, RegExp]>([
  ['previous_response_id', { previous_response_id: 'resp_1' }, /whole conversation in `input`/],
  ['conversation', { conversation: 'conv_1' }, /all turns in `input`/],
  ['prompt', { prompt: { id: 'pmpt_1' } }, /`instructions`/],
  ['background', { background: true }, /`stream: true`/],
  ['input[1]', { input: [user, { type: 'item_reference', id: 'msg_1' }] }, /Send the item itself/],
  [
    'input[0].content[0].image_url',
    inItem(message({ type: 'input_image', file_id: 'file_1' })),
    /data: URL/,
  ],
  [
    'input[0].output[0].file_data',
    inItem({
      type: 'function_call_output',
      call_id: 'a',
      output: [{ type: 'input_file', file_data: 'data:,x', file_id: 'file_1' }],
    }),
    /without `file_id`/,
  ],
  [
    'input[0].output.file_id',
    inItem({ type: 'computer_call_output', output: { file_id: 'file_1' } }),
    /data: URL/,
  ],
  ['tools[0].vector_store_ids', inTool(stored), /search yourself/],
  [
    'input[0].tools[0].vector_store_ids',
    inItem({ type: 'additional_tools', ...inTool(stored) }),
    /search yourself/,
  ],
  ['tools[0].container', inTool({ type: 'code_interpreter', container: 'cntr_1' }), /"auto"/],
  [
    'tools[0].container.file_ids',
    inTool({ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file_1'] } }),
    /content in the conversation/,
  ],
  [
    'tools[0].environment.container_id',
    inTool({ type: 'shell', environment: { container_id: 'cntr_1' } }),
    /leave the id out/,
  ],
  [
    'tools[0].providerOptions.gateway.file_id',
    inTool({ type: 'web_search', providerOptions: { gateway: { file_id: 'file_1' } } }),
    /stores no files/,
  ],
  [
    'tools[0].input_image_mask.file_id',
    inTool({ type: 'image_generation', input_image_mask: { file_id: 'file_1' } }),
    /data: URL/,
  ],
])('%s is rejected with an alternative', (param, fields, wayOut) => {
  const error = thrownBy(() => createRequest(fields));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param });
  expect(error.message).toMatch(wayOut);
});

test('a client’s own fields may have any name', () => {
  const parameters = { type: 'object', properties: { file_id: { type: 'string' } } };
  const tools = [
    { type: 'function', name: 'open', parameters },
    { type: 'code_interpreter', container: { type: 'auto' } },
  ];
  expect(nativeOf({ tools })).toMatchObject({ tools });
});

test('items and tools of any type are passed on', () => {
  const input = [
    { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'a' }] },
    { type: 'tool_search_call', execution: 'client', arguments: {} },
    { type: 'context_compaction', encrypted_content: 'x' },
    { type: 'agent_message', content: [{ type: 'input_text', text: 'done' }] },
    { type: 'program', code: '1' },
    {
      type: 'function_call_output',
      call_id: 'a',
      output: [{ type: 'input_image', image_url: 'data:,x' }],
    },
  ];
  const tools = [
    { type: 'tool_search' },
    { type: 'web_search' },
    { type: 'namespace', name: 'n', tools: [] },
  ];
  expect(nativeOf({ input, tools, store: true })).toMatchObject({ input, tools, store: false });
});

test('empty values that clients send are accepted', () => {
  const fields = {
    previous_response_id: null,
    conversation: null,
    background: false,
    prompt: null,
    tools: [],
    include: [],
    text: {},
    reasoning: {},
    metadata: null,
    max_output_tokens: null,
    instructions: null,
    store: true,
    custom: 1,
  };
  expect(nativeOf(fields)).toEqual({
    ...fields,
    model: 'requested/model',
    input: 'Hello',
    store: false,
  });
});

const text = (type: string) => ({ type, text: 'Hi' });
const reply = {
  type: 'message',
  role: 'assistant',
  content: [{ ...text('output_text'), annotations: [] }],
};

test.each<[string, object, object]>([
  [
    'a user turn without type, its content a string',
    user,
    { ...user, type: 'message', content: [{ type: 'input_text', text: 'Hello' }] },
  ],
  [
    'an assistant turn as a plain string, without id and status',
    { type: 'message', role: 'assistant', content: 'Hi' },
    { ...reply, id: 'msg_turn_0', status: 'completed' },
  ],
  [
    'an assistant turn whose text has the name of a user’s',
    { role: 'assistant', content: [text('input_text')], id: 'msg_7', status: 'incomplete' },
    { ...reply, id: 'msg_7', status: 'incomplete' },
  ],
  [
    'a user turn whose text has the name of an assistant’s',
    message(text('output_text')),
    message(text('input_text')),
  ],
  [
    'reasoning that can be read',
    { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' },
    { type: 'reasoning', id: 'rs_1', encrypted_content: 'x', summary: [] },
  ],
])('%s reaches the upstream in the documented shape', (_, given, sent) => {
  expect(nativeOf({ input: [given] }).input).toEqual([sent]);
});

test.each([
  message({ type: 'input_image', image_url: 'data:,x', detail: 'low' }),
  { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'a', output: 'x' },
  { type: 'web_search_call', id: 'ws_1' },
])('%j reaches the upstream unchanged', (item) => {
  expect(nativeOf({ input: [item] }).input).toEqual([item]);
});

test('reasoning with only an id is dropped', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
  expect(nativeOf({ input: [user, reasoning] }).input).toHaveLength(1);
});

test('fallback models need permission like the model itself', () => {
  expect(createRequest({ models: ['b'] }).models).toEqual(['requested/model', 'b']);
});

test('any JSON in any field is accepted, or rejected with a 400 that names a field', () => {
  const fields = [
    'model',
    'input',
    'tools',
    'tool_choice',
    'text',
    'reasoning',
    'background',
    'prompt',
  ];
  const item = fc.record(
    {
      type: fc.constantFrom('message', 'function_call', 'reasoning', 'unknown'),
      role: fc.jsonValue(),
      content: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...fields),
      fc.oneof(fc.jsonValue(), fc.array(item)),
      (field, value) => {
        try {
          expect(createRequest({ [field]: value }).model).not.toBe('');
        } catch (error) {
          if (!isHttpError(error)) throw error;
          expect(error).toMatchObject({ status: 400, param: expect.stringMatching(`^${field}`) });
        }
      },
    ),
  );
});

test('what other servers take is sent in the documented form', () => {
  const request = createRequest({ max_output_tokens: 1e30, tool_choice: 'any' });
  expect(request).toMatchObject({ outputTokensMax: null, options: { tool_choice: 'required' } });
  const body = toNativeBody(request, {
    model: 'm',
    outputTokensMax: null,
    toolCallsMax: null,
    sent: { dialect: 'responses' },
    quirks: new Map(),
    reasoning: unmarked,
  });
  expect(JSON.parse(body)).toMatchObject({ tool_choice: 'required' });
  expect(JSON.parse(body)).not.toHaveProperty('max_output_tokens');
});

test('a smaller bound replaces the client’s', () => {
  expect(nativeOf({ max_output_tokens: 500 }, 70)).toMatchObject({ max_output_tokens: 70 });
  expect(nativeOf({ max_output_tokens: 500 })).toMatchObject({ max_output_tokens: 500 });
});
