import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundReply, readChatRequest } from '#lib/ai-proxy/protocols/chat/chat-request.ts';
import { parseJsonBody } from '#lib/ai-proxy/protocols/json/parse-json.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { thrownBy, toBody } from '../../../../support/upstreams/proxy-errors.ts';

const user = { role: 'user', content: 'Hello' };
const minimal = { model: 'maker/model-1', messages: [user] };
const readBody = (body: string | object) => readChatRequest(parseJsonBody(toBody(body)));
const of = (...messages: unknown[]) => ({ messages });
const saying = (content: unknown) => of({ role: 'user', content });
const read = (fields: object) => readBody({ ...minimal, ...fields });
const sentFor = (fields: object, outputTokensMax: number | null = null): unknown =>
  boundReply(read(fields).sent, { outputTokensMax });

test('the smallest request is accepted', () => {
  expect(readBody(minimal)).toEqual({
    model: 'maker/model-1',
    models: ['maker/model-1'],
    isStream: false,
    includeUsage: false,
    includesCost: false,
    outputTokensMin: 16,
    outputTokensMax: null,
    choices: 1,
    promptTokensEstimate: 3,
    media: { images: 0, files: 0, audioTokens: 0, cached: 'not' },
    sent: minimal,
    added: [],
  });
});

test.each<[string, object]>([
  ['model', { model: undefined }],
  ['model', { model: '' }],
  ['model', { model: 7 }],
  ['model', { model: 'a b' }],
  ['model', { model: 'm'.repeat(257) }],
  ['messages', { messages: undefined }],
  ['messages', { messages: 'Hello' }],
  ['messages', { messages: [] }],
  ['messages', { messages: Array(10_001).fill(user) }],
  ['messages[1]', { messages: [user, null] }],
  ['messages[0].role', { messages: [{ content: 'x' }] }],
  ['messages[0].role', { messages: [{ role: 'bot', content: 'x' }] }],
  ['messages[0].content', of({ role: 'user' })],
  ['messages[0].content', saying(null)],
  ['messages[0].content', saying({ type: 'text' })],
  ['messages[0].content[0]', saying(['x'])],
  ['messages[0].content[0].type', saying([{}])],
  ['messages[0].content[1].text', saying([{ type: 'text', text: '' }, { type: 'text' }])],
  ['messages[0].content[0].image_url.url', saying([{ type: 'image_url', image_url: {} }])],
  ['messages[0].content[0].image_url', saying([{ type: 'image_url', image_url: 7 }])],
  ['messages[0].tool_call_id', of({ role: 'tool', content: 'x' })],
  ['messages[0].name', of({ role: 'function', content: 'x' })],
  ['messages[0].tool_calls[0].id', of({ role: 'assistant', tool_calls: [{}] })],
  [
    'messages[0].tool_calls[0].function.arguments',
    of({ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] }),
  ],
  ['stream', { stream: 'true' }],
  ['stream_options', { stream_options: true }],
  ['stream_options.include_usage', { stream_options: { include_usage: 1 } }],
  ['temperature', { temperature: -0.1 }],
  ['temperature', { temperature: 2.1 }],
  ['temperature', { temperature: '1' }],
  ['top_p', { top_p: 1.01 }],
  ['top_p', { top_p: -1 }],
  ['max_tokens', { max_tokens: 0 }],
  ['max_tokens', { max_tokens: 0.5 }],
  ['max_completion_tokens', { max_completion_tokens: -3 }],
  ['n', { n: 0 }],
  ['presence_penalty', { presence_penalty: 3 }],
  ['frequency_penalty', { frequency_penalty: -3 }],
  ['top_logprobs', { top_logprobs: 21 }],
  ['seed', { seed: 1.5 }],
  ['stop', { stop: 1 }],
  ['stop[1]', { stop: ['a', 1] }],
  ['tools', { tools: {} }],
  ['tools[0].type', { tools: [{}] }],
  ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
  ['tool_choice', { tool_choice: 'always' }],
  ['response_format', { response_format: 'json' }],
  ['response_format.type', { response_format: { type: 'xml' } }],
  ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
  ['models[0]', { models: [''] }],
])('400 names %s in %j', (param, fields) => {
  const error = thrownBy(() => read(fields));
  expect(error).toMatchObject({ status: 400, code: null, param });
  expect(error.message).toMatch(/^`.+` (is missing: it )?must be .+\.$/);
  expect(error.message).not.toMatch(/Invalid|expected/);
});

test.each<object>([
  { temperature: 0, top_p: 0 },
  { temperature: 2, top_p: 1 },
  { temperature: null, top_p: null, max_tokens: null, stop: null, tools: null, stream: null },
  { tools: [], tool_choice: 'auto', parallel_tool_calls: true },
  { tool_choice: { type: 'function', function: { name: 'f' } } },
  {
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {}, strict: true } },
  },
  of({ role: 'developer', content: 'x' }),
  of({ role: 'system', content: [{ type: 'text', text: 'x' }] }),
  of(
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'x' },
  ),
  saying([{ type: 'video_url', video_url: { url: 'https://example.org/' } }]),
  saying([{ type: 'file', file: { file_data: 'data:,x' } }]),
  saying([{ type: 'input_audio', input_audio: { data: 'x', format: 'wav' } }]),
])('accepted and forwarded unchanged: %j', (fields) => {
  expect(sentFor(fields)).toEqual({ ...minimal, ...fields });
});

test.each<[sent: string, fields: object, documented: object]>([
  ['tool_choice `any`', { tool_choice: 'any' }, { tool_choice: 'required' }],
  [
    'an image as a plain URL',
    saying([{ type: 'image_url', image_url: 'https://a.example/' }]),
    saying([{ type: 'image_url', image_url: { url: 'https://a.example/' } }]),
  ],
  [
    'a tool that returned null',
    of({ role: 'tool', tool_call_id: 'a', content: null }),
    of({ role: 'tool', tool_call_id: 'a', content: '' }),
  ],
  ['a bound that bounds nothing', { max_tokens: 1e30, max_completion_tokens: 2e7 }, {}],
])('%s is sent in the documented form', (_, fields, documented) => {
  expect(sentFor(fields)).toEqual({ ...minimal, ...documented });
});

test('a plain image URL is an image', () => {
  const content = [{ type: 'image_url', image_url: 'https://a.example/' }];
  expect(read({ messages: [{ role: 'user', content }] }).media).toMatchObject({
    images: 1,
    files: 0,
  });
});

test('a whole seed is taken, however it is written', () => {
  const body = (seed: string) =>
    `{"model":"m","messages":[{"role":"user","content":""}],"seed":${seed}}`;
  expect(readBody(body('7.0')).sent.seed).toBe(7);
  expect(readBody(body('1.2e3')).sent.seed).toBe(1200);
  expect(readBody(body('9223372036854775807')).sent.seed).toBe(2 ** 63);
});

test.each<[string, object]>([
  ['tools[0].vector_store_ids', { type: 'file_search', vector_store_ids: ['vs_1'] }],
  ['tools[0].container', { type: 'code_interpreter', container: 'cntr_1' }],
])('a tool that reaches into the upstream’s shared account is a 400: %s', (param, tool) => {
  expect(thrownBy(() => read({ tools: [tool] }))).toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
    param,
  });
});

test('unknown fields are forwarded, at any depth', () => {
  const fields = {
    top_k: 40,
    provider: { order: ['a'] },
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
        custom: 1,
      },
    ],
  };
  expect(sentFor(fields)).toEqual({ ...minimal, ...fields });
});

test('a stream always requests usage from the upstream, and remembers whether the client did', () => {
  expect(sentFor({ stream: true })).toEqual({
    ...minimal,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(read({ stream: true }).includeUsage).toBe(false);
  const request = { stream: true, stream_options: { include_usage: true, custom: 1 } };
  expect(sentFor(request)).toEqual({ ...minimal, ...request });
  expect(read(request)).toMatchObject({ isStream: true, includeUsage: true });
  const declined = { stream: true, stream_options: { include_usage: false } };
  expect(sentFor(declined)).toMatchObject({ stream_options: { include_usage: true } });
  expect(read(declined).includeUsage).toBe(false);
});

test('stream options are dropped without a stream', () => {
  expect(sentFor({ stream_options: { include_usage: true } })).toEqual(minimal);
});

test('of a repeated key only the validated value is forwarded', () => {
  const body = '{"model":"cheap","messages":[{"role":"user","content":"x"}],"model":"dear"}';
  const request = readBody(body);
  expect(request.model).toBe('dear');
  expect(JSON.stringify(request.sent)).not.toContain('cheap');
});

test('fallback models need permission like the model itself', () => {
  expect(read({ models: ['b', 'c'] }).models).toEqual(['maker/model-1', 'b', 'c']);
});

test('the output bound of each choice is the larger limit', () => {
  expect(read({ max_tokens: 5 })).toMatchObject({ outputTokensMax: 5, choices: 1 });
  expect(read({ max_tokens: 1e30 })).toMatchObject({ outputTokensMax: null });
  expect(read({ max_tokens: 5.9 })).toMatchObject({ outputTokensMax: 5, sent: { max_tokens: 5 } });
  expect(read({ max_completion_tokens: 7, max_tokens: 5, n: 3 })).toMatchObject({
    outputTokensMax: 7,
    choices: 3,
  });
});

test('the bound replaces a larger one of the client, in the field that the client used', () => {
  expect(sentFor({ max_tokens: 500 }, 70)).toMatchObject({ max_tokens: 70 });
  expect(sentFor({ max_completion_tokens: 500 }, 70)).toEqual({
    ...minimal,
    max_completion_tokens: 70,
  });
  expect(sentFor({ max_completion_tokens: 500, max_tokens: 50 }, 70)).toMatchObject({
    max_completion_tokens: 70,
    max_tokens: 50,
  });
  expect(sentFor({}, 70)).toEqual({ ...minimal, max_tokens: 70 });
});

test('a prompt is estimated from its texts, tools and pictures', () => {
  const text = 'x'.repeat(4000);
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${text}` } };
  const ofText = read({ messages: [{ role: 'user', content: text }] }).promptTokensEstimate;
  expect(ofText).toBeGreaterThanOrEqual(1000);
  expect(ofText).toBeLessThan(1010);
  const ofImage = read({ messages: [{ role: 'user', content: [image] }] }).promptTokensEstimate;
  expect(ofImage).toBeGreaterThanOrEqual(1600);
  expect(ofImage).toBeLessThan(1610);
  expect(
    read({ tools: [{ type: 'function', function: { name: text } }] }).promptTokensEstimate,
  ).toBeGreaterThan(1000);
});

test('50,000 invalid parts are rejected at the first one', () => {
  const content = [...Array(1000).fill({ type: 'text', text: 'x' }), ...Array(50_000).fill(0)];
  const error = thrownBy(() => read({ messages: [{ role: 'user', content }] }));
  expect(error.param).toBe('messages[0].content[1000]');
});

test('any JSON in any field is accepted, or rejected with a 400 that names a field', () => {
  const fields = [
    'model',
    'messages',
    'stream',
    'stream_options',
    'temperature',
    'tools',
    'tool_choice',
    'response_format',
    'stop',
    'n',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.jsonValue(), (field, value) => {
      try {
        expect(read({ [field]: value }).model).not.toBe('');
      } catch (error) {
        if (!isHttpError(error)) throw error;
        expect(error).toMatchObject({ status: 400, param: expect.stringMatching(`^${field}`) });
      }
    }),
  );
});
