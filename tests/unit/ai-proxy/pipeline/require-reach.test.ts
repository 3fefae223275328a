import { expect, test } from 'vitest';
import { requireReach } from '#lib/ai-proxy/pipeline/require-reach.ts';
import { listTools } from '#lib/ai-proxy/pipeline/tools.ts';
import { chatEndpoint } from '#lib/ai-proxy/protocols/chat/chat-endpoint.ts';
import { messagesEndpoint } from '#lib/ai-proxy/protocols/messages/messages-endpoint.ts';
import { responsesEndpoint } from '#lib/ai-proxy/protocols/responses/responses-endpoint.ts';
import { readRecording } from '../../../agents/recordings.ts';
import { thrownBy } from '../../../support/upstreams/proxy-errors.ts';

const isModel = (id: string) => id === 'dear/model';
const endpoints = {
  chat: chatEndpoint,
  responses: responsesEndpoint,
  messages: messagesEndpoint,
} as const;
type Api = keyof typeof endpoints;
const toKnown = (api: Api) => endpoints[api].generation.knownFields;
const open = { knownFields: toKnown('chat'), isRestricted: false, isModel } as const;
const restricted = { ...open, isRestricted: true } as const;

function reach(fields: object, options: Omit<Parameters<typeof requireReach>[1], 'tools'>) {
  const body: Readonly<Record<string, unknown>> = { ...fields };
  return requireReach(body, { ...options, tools: listTools(body) });
}

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
  expect(reach({ ...body }, open)).toEqual(names);
});

test.each(['preset', 'route'])('%s lets the upstream choose, which a list forbids', (field) => {
  const error = thrownBy(() => reach({ [field]: 'fallback' }, restricted));
  expect(error).toMatchObject({ status: 403, code: 'model_not_allowed', param: field });
  expect(reach({ [field]: null }, restricted)).toEqual([]);
  expect(reach({ [field]: 'fallback' }, open)).toEqual([]);
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
  const error = thrownBy(() => reach({ ...body }, restricted));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param });
  expect(() => reach({ ...body }, open)).not.toThrow();
});

test('other unknown scalars pass', () => {
  const body = { custom: 1, flag: true, note: 'hello', nothing: null };
  expect(reach(body, restricted)).toEqual([]);
});

/** What the recordings of coding agents do not have, but other clients send. */
const sent: readonly (readonly [Api, object])[] = [
  ['responses', { tools: [{ type: 'local_shell' }], truncation: 'auto', stream_options: {} }],
  ['responses', { tools: [{ type: 'web_search', external_web_access: true }], include: [] }],
  ['messages', { tools: [{ type: 'text_editor_20250728', name: 'edit' }], stop_sequences: ['x'] }],
  ['messages', { tools: [{ type: 'computer_20250124' }], thinking: { type: 'adaptive' } }],
  ['messages', { tools: [{ type: 'tool_search_tool_regex_20251119' }], context_management: {} }],
  ['chat', { tool_choice: { type: 'function', function: { name: 'x' } }, logit_bias: {} }],
  ['chat', { response_format: { type: 'json_schema', json_schema: {} }, modalities: ['text'] }],
  ['chat', { provider: { order: ['a'] }, reasoning: { effort: 'low' }, usage: { include: true } }],
  [
    'chat',
    { functions: [{ name: 'x' }], function_call: { name: 'x' }, transforms: ['middle-out'] },
  ],
  ['chat', { prediction: { type: 'content', content: 'x' }, audio: { voice: 'x', format: 'mp3' } }],
  ['chat', { web_search_options: {}, chat_template_kwargs: { enable_thinking: false } }],
];
const recorded = ['codex-cli', 'claude-code', 'opencode'].flatMap((name) =>
  readRecording({ name }).map(({ path, body }) => [name, toProtocol(path), body] as const),
);

function toProtocol(path: string): Api {
  if (path.includes('/responses')) return 'responses';
  return path.includes('/messages') ? 'messages' : 'chat';
}

test.each([...recorded, ...sent.map(([protocol, body]) => ['a client', protocol, body] as const)])(
  'what %s sends passes a restriction: %s',
  (_, protocol, body) => {
    expect(
      reach({ ...(body as object) }, { ...restricted, knownFields: toKnown(protocol) }),
    ).toEqual([]);
  },
);
