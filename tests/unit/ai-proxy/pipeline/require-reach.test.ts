import { expect, test } from 'vitest';
import { requireReach } from '#lib/ai-proxy/pipeline/require-reach.ts';
import type { Protocol } from '#lib/ai-proxy/upstreams/upstream-settings.ts';
import { thrownBy } from '../../../support/upstreams/proxy-errors.ts';

const isModel = (id: string) => id === 'dear/model';
const open = { protocol: 'chat', isRestricted: false, isModel } as const;
const restricted = { ...open, isRestricted: true } as const;

test.each<[string, object, string[]]>([
  ['fallbacks', { fallbacks: ['a/b', { model: 'c/d' }] }, ['a/b', 'c/d']],
  ['fallbacks by model', { fallbacks: [{ 'a/b': ['c/d', 'e/f'] }] }, ['a/b', 'c/d', 'e/f']],
  ['fallback_models', { fallback_models: ['a/b'] }, ['a/b']],
  ['a single fallback', { fallback_model: 'a/b' }, ['a/b']],
  ['fallbacks of a full context', { context_window_fallbacks: [{ x: ['a/b'] }] }, ['x', 'a/b']],
  ['a gateway’s options', { providerOptions: { gateway: { models: ['a/b'] } } }, ['a/b']],
  ['a plugin', { plugins: [{ id: 'auto-router', allowed_models: ['a/*'] }] }, ['a/*']],
  [
    'a plugin that asks several',
    { plugins: [{ id: 'fusion', models: ['a/b', 'c/d'] }] },
    ['a/b', 'c/d'],
  ],
  ['a hosted tool', { tools: [{ type: 'image_generation', model: 'a/b' }] }, ['a/b']],
  [
    'the parameters of a hosted tool',
    { tools: [{ type: 'openrouter:subagent', parameters: { model: 'a/b' } }] },
    ['a/b'],
  ],
  ['an advisor', { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'a/b' }] }, ['a/b']],
  [
    'a tool in a namespace',
    { tools: [{ type: 'namespace', tools: [{ type: 'image_generation', model: 'a/b' }] }] },
    ['a/b'],
  ],
  ...['additional_tools', 'tool_search_output', 'configuration_update'].map(
    (type): [string, object, string[]] => [
      `tools in ${type}`,
      { input: [{ type, tools: [{ type: 'image_generation', model: 'a/b' }] }] },
      ['a/b'],
    ],
  ),
  [
    'another model in mid-conversation',
    { input: [{ type: 'configuration_update', model: 'a/b' }] },
    ['a/b'],
  ],
  [
    'not the parameters of a function',
    { tools: [{ type: 'function', name: 'buy', parameters: { model: 'T' } }] },
    [],
  ],
  ['not the model itself', { model: 'a/b', models: ['c/d'], messages: [{ model: 'e' }] }, []],
])('models are found where requests name them: %s', (_, body, names) => {
  expect(requireReach({ ...body }, open)).toEqual(names);
});

test.each(['preset', 'route'])('%s lets the upstream choose, which a list forbids', (field) => {
  const error = thrownBy(() => requireReach({ [field]: 'fallback' }, restricted));
  expect(error).toMatchObject({ status: 403, code: 'model_not_allowed', param: field });
  expect(requireReach({ [field]: null }, restricted)).toEqual([]);
  expect(requireReach({ [field]: 'fallback' }, open)).toEqual([]);
});

test.each<[string, object, string]>([
  ['an unknown tool', { tools: [{ type: 'openrouter:new' }] }, 'tools[0].type'],
  [
    'an unknown tool in an item',
    { input: [{ type: 'additional_tools', tools: [{ type: 'new' }] }] },
    'input[0].tools[0].type',
  ],
  ['an unknown plugin', { plugins: [{ id: 'web' }, { id: 'new' }] }, 'plugins[1].id'],
  ['an unknown object', { routing: { to: 'dear/model' } }, 'routing'],
  ['an unknown list', { ensemble: ['dear/model'] }, 'ensemble'],
  ['an unknown text that names a model', { reviewer: 'dear/model' }, 'reviewer'],
])('where models are restricted, %s is refused by name', (_, body, param) => {
  const error = thrownBy(() => requireReach({ ...body }, restricted));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param });
  expect(() => requireReach({ ...body }, open)).not.toThrow();
});

test('other unknown scalars pass', () => {
  const body = { custom: 1, flag: true, note: 'hello', nothing: null };
  expect(requireReach(body, restricted)).toEqual([]);
});

/** The fields that recorded clients send (Codex, Claude Code, opencode, qwen-code, the SDKs). */
const recorded: Readonly<Record<Exclude<Protocol, 'embeddings'>, object>> = {
  responses: {
    model: 'm',
    stream: true,
    input: [
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'x' }] },
    ],
    tools: [
      { type: 'function', name: 'exec_command', parameters: {} },
      { type: 'custom', name: 'apply_patch', format: {} },
      { type: 'tool_search', execution: 'client', description: '', parameters: {} },
      { type: 'web_search', external_web_access: true, search_content_types: ['text'] },
      { type: 'namespace', name: 'multi_agent_v1', tools: [{ type: 'function', name: 'y' }] },
      { type: 'local_shell' },
    ],
    tool_choice: { type: 'function', name: 'x' },
    parallel_tool_calls: false,
    reasoning: { effort: 'high', summary: 'auto' },
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'k',
    text: { verbosity: 'low' },
    client_metadata: { id: '1' },
    instructions: 'x',
    metadata: {},
    service_tier: 'auto',
    stream_options: {},
    truncation: 'auto',
  },
  messages: {
    model: 'm',
    messages: [],
    system: [{ type: 'text', text: 'x' }],
    tools: [
      { name: 'Bash', input_schema: {} },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
      { type: 'text_editor_20250728', name: 'edit' },
      { type: 'computer_20250124', name: 'computer' },
      { type: 'tool_search_tool_regex_20251119', name: 'search' },
    ],
    metadata: { user_id: 'x' },
    max_tokens: 32_000,
    thinking: { type: 'adaptive' },
    context_management: { edits: [] },
    output_config: { effort: 'high' },
    stream: true,
    tool_choice: { type: 'auto' },
    stop_sequences: ['x'],
  },
  chat: {
    model: 'm',
    messages: [],
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: 'function', function: { name: 'x', parameters: { model: 'T' } } }],
    tool_choice: { type: 'function', function: { name: 'x' } },
    response_format: { type: 'json_schema', json_schema: {} },
    logit_bias: {},
    stop: ['x'],
    metadata: {},
    provider: { order: ['a'] },
    reasoning: { effort: 'low' },
    usage: { include: true },
    functions: [{ name: 'x' }],
    function_call: { name: 'x' },
    prediction: { type: 'content', content: 'x' },
    modalities: ['text'],
    audio: { voice: 'x', format: 'mp3' },
    transforms: ['middle-out'],
    web_search_options: {},
    prompt_cache_key: 'k',
    chat_template_kwargs: { enable_thinking: false },
  },
};

test.each(Object.entries(recorded))(
  'what recorded clients send passes a restriction: %s',
  (protocol, body) => {
    const options = { ...restricted, protocol: protocol as Protocol };
    expect(requireReach({ ...body }, options)).toEqual([]);
  },
);
