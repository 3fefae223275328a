import { expect, test } from 'vitest';
import {
  readCountTokensRequest,
  readMessagesRequest,
  toNativeBody,
} from '#lib/ai-proxy/protocols/messages/messages-request.ts';
import { thrownBy } from '../../../../support/upstreams/proxy-errors.ts';
import { unmarked } from '../../../../support/upstreams/unmarked.ts';

const hello = { role: 'user', content: 'Hello' };
const base = { model: 'maker/model', max_tokens: 50, messages: [hello] };
const read = (fields: object = {}) => readMessagesRequest({ ...base, ...fields });
const inBlock = (block: object) => ({ messages: [{ role: 'user', content: [block] }] });

test('a request says what it costs and what to send', () => {
  expect(read({ stream: true, models: ['maker/other'] })).toMatchObject({
    model: 'maker/model',
    models: ['maker/model', 'maker/other'],
    isStream: true,
    outputTokensMax: 50,
    promptTokensEstimate: 3,
  });
});

test('every text of the prompt is estimated, and pictures by their size', () => {
  const system = [{ type: 'text', text: 'x'.repeat(400) }];
  const picture = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(100_000) },
  };
  expect(read({ system }).promptTokensEstimate).toBeGreaterThanOrEqual(101);
  expect(read(inBlock(picture)).promptTokensEstimate).toBeLessThan(2000);
});

test('what later versions add is forwarded', () => {
  const fields = {
    context_management: { edits: [] },
    messages: [{ role: 'user', content: [{ type: 'hologram', depth: 3 }] }],
    tools: [{ type: 'bash_20990101', name: 'bash' }],
  };
  expect(read(fields).body).toMatchObject(fields);
});

test.each<[string, object, string]>([
  ['no max_tokens', { max_tokens: undefined }, 'max_tokens'],
  ['half a token', { max_tokens: 1.5 }, 'max_tokens'],
  ['no messages', { messages: undefined }, 'messages'],
  ['messages that are empty', { messages: [] }, 'messages'],
  ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
  ['a message without content', { messages: [{ role: 'user' }] }, 'messages[0].content'],
  ['a block without a type', inBlock({ text: 'x' }), 'messages[0].content[0].type'],
  ['a text that is a number', inBlock({ type: 'text', text: 1 }), 'messages[0].content[0].text'],
  [
    'a result of no call',
    inBlock({ type: 'tool_result', content: 'x' }),
    'messages[0].content[0].tool_use_id',
  ],
  ['a temperature of 2', { temperature: 2 }, 'temperature'],
  ['a tool without a schema', { tools: [{ name: 'a' }] }, 'tools[0].input_schema'],
  ['an unknown tool_choice', { tool_choice: { type: 'all' } }, 'tool_choice.type'],
  ['a system of numbers', { system: [1] }, 'system[0]'],
  ['a model that is no id', { model: 'a b' }, 'model'],
  ['a fallback that is no id', { models: [1] }, 'models[0]'],
])('%s is a 400 that names the field', (_, fields, param) => {
  expect(thrownBy(() => read(fields))).toMatchObject({ status: 400, param });
});

test.each<[string, object, string]>([
  ['a container', { container: 'container_1' }, 'container'],
  [
    'a stored file',
    inBlock({ type: 'document', source: { type: 'file', file_id: 'file_1' } }),
    'messages[0].content[0].source',
  ],
  [
    'a stored file in a tool result',
    inBlock({
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'image', source: { type: 'file', file_id: 'file_1' } }],
    }),
    'messages[0].content[0].content[0].source',
  ],
  [
    'an upload to a container',
    inBlock({ type: 'container_upload', file_id: 'file_1' }),
    'messages[0].content[0]',
  ],
  [
    'a stored file in the instructions',
    { system: [{ type: 'text', text: 'x', file_id: 'file_1' }] },
    'system[0].file_id',
  ],
  [
    'a vector store',
    { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
    'tools[0].vector_store_ids',
  ],
])('%s of the upstream’s shared account is a 400', (_, fields, param) => {
  expect(thrownBy(() => read(fields))).toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
    param,
  });
});

test('the input of a call may have any names: only its client knows them', () => {
  const input = { file_id: 'a', container: 'b', deep: [{ skill_id: 'c' }] };
  const fields = inBlock({ type: 'tool_use', id: 'a', name: 'open', input });
  expect(read(fields).body).toMatchObject(fields);
});

test('the settings of a hosted tool refer to nothing stored', () => {
  const tools = [{ type: 'openrouter:shell', parameters: { container_id: 'cntr_1' } }];
  expect(thrownBy(() => read({ tools }))).toMatchObject({
    status: 400,
    param: 'tools[0].parameters.container_id',
  });
});

test('a bound that bounds nothing is none', () => {
  const request = read({ max_tokens: 1e30 });
  expect(request.outputTokensMax).toBeNull();
  const sent = JSON.parse(
    toNativeBody(request, {
      model: 'm',
      outputTokensMax: 4096,
      reasoning: unmarked,
      quirks: new Map(),
    }),
  );
  expect(sent.max_tokens).toBe(4096);
});

test('a count needs no max_tokens', () => {
  const { model, messages } = base;
  const request = readCountTokensRequest({ model, messages });
  expect(request).toMatchObject({ outputTokensMax: null, promptTokensEstimate: 3 });
});

test('the bound replaces the client’s; thinking is never changed, and the reply must be longer', () => {
  const sentFor = (fields: object, outputTokensMax: number | null): unknown =>
    JSON.parse(
      toNativeBody(read(fields), {
        model: 'm',
        outputTokensMax,
        reasoning: unmarked,
        quirks: new Map(),
      }),
    );
  expect(sentFor({}, null)).toEqual({ ...base, model: 'm' });
  expect(sentFor({ store: true }, null)).not.toHaveProperty('store');
  expect(sentFor({}, 20)).toMatchObject({ max_tokens: 20 });
  const thinking = { type: 'enabled', budget_tokens: 9000 };
  const fields = { max_tokens: 10_000, thinking };
  expect(sentFor(fields, 9500)).toMatchObject({ max_tokens: 9500, thinking });
  expect(read(fields)).toMatchObject({ outputTokensMin: 9001 });
  expect(read({})).toMatchObject({ outputTokensMin: 16 });
});
