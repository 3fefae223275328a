import { expect, test } from 'vitest';
import { findExtras, priceExtras } from '#lib/ai-proxy/pipeline/extras.ts';
import type { Protocol } from '#lib/ai-proxy/upstreams/upstream-settings.ts';
import { toJsonArray, toText } from '#lib/http/json-value.ts';
import { thrownBy } from '../../../support/upstreams/proxy-errors.ts';

const native = new Set<Protocol>(['chat', 'responses', 'messages']);
const none = new Headers();

function find(body: object, protocol: Protocol = 'chat', headers = none) {
  const fields: Readonly<Record<string, unknown>> = { ...body };
  const models = [fields.model, ...toJsonArray(fields.models)].map(toText);
  return findExtras(fields, { headers, protocol, spoken: native, models }).map(
    ({ name, path, calls }) => [name, path.join('.'), calls],
  );
}

test.each<[string, object, Protocol, (string | number | null)[][]]>([
  ['a plugin', { plugins: [{ id: 'web' }] }, 'chat', [['web', 'plugins.0', 1]]],
  ['an online variant', { model: 'a/b:online' }, 'chat', [['online', 'model', 1]]],
  ['search options', { web_search_options: {} }, 'chat', [['web_search', 'web_search_options', 1]]],
  [
    'a hosted tool',
    { tools: [{ type: 'web_search' }] },
    'responses',
    [['web_search', 'tools.0', 10]],
  ],
  [
    'a bounded hosted tool',
    { tools: [{ type: 'web_search_20250305', max_uses: 3 }] },
    'messages',
    [['web_search', 'tools.0', 3]],
  ],
  [
    'a bound of all calls',
    { tools: [{ type: 'web_search_preview' }], max_tool_calls: 2 },
    'responses',
    [['web_search', 'tools.0', 2]],
  ],
  [
    'a sub-agent',
    { tools: [{ type: 'openrouter:subagent' }] },
    'chat',
    [['openrouter:subagent', 'tools.0', null]],
  ],
  [
    'a tool whose calls nothing bounds',
    { tools: [{ type: 'code_execution_20250825', max_uses: 3 }], max_tool_calls: 3 },
    'messages',
    [['code_execution', 'tools.0', null]],
  ],
  [
    'a bound below one, which is none',
    { tools: [{ type: 'web_search_20250305', max_uses: -1_000_000 }] },
    'messages',
    [['web_search', 'tools.0', null]],
  ],
  [
    'a tool in an item of the conversation',
    { input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }] }] },
    'responses',
    [['web_search', 'input.0.tools.0', 10]],
  ],
  [
    'a tool in a namespace',
    { tools: [{ type: 'namespace', tools: [{ type: 'image_generation' }] }] },
    'responses',
    [['image_generation', 'tools.0.tools.0', 10]],
  ],
  [
    'an online variant among the fallbacks',
    { model: 'a/b', models: ['a/c:Online'] },
    'chat',
    [['online', 'model', 1]],
  ],
  [
    'searches of other vendors',
    { search_parameters: { mode: 'on' }, enable_search: true },
    'chat',
    [
      ['web_search', 'search_parameters', 1],
      ['web_search', 'enable_search', 1],
    ],
  ],
  [
    'a beta in the body',
    { betas: ['context-1m-2025-08-07'] },
    'messages',
    [['context-1m', 'anthropic-beta', 1]],
  ],
  [
    'a faster service',
    { service_tier: 'priority' },
    'responses',
    [['priority', 'service_tier', 1]],
  ],
  ['speed', { speed: 'fast' }, 'messages', [['fast', 'speed', 1]]],
  ['a region', { inference_geo: 'us' }, 'messages', [['inference_geo', 'inference_geo', 1]]],
  ['nothing for usual tiers', { service_tier: 'flex' }, 'responses', []],
  ['nothing for the default tier', { service_tier: 'auto' }, 'responses', []],
  [
    'nothing for tools of the client',
    { tools: [{ type: 'function' }, { type: 'custom' }, { name: 'x' }, { type: 'bash_20250124' }] },
    'messages',
    [],
  ],
  [
    'nothing for the computer of the client',
    { tools: [{ type: 'computer_use_preview' }, { type: null, name: 'x' }] },
    'responses',
    [],
  ],
])('what costs beyond tokens is found: %s', (_, body, protocol, extras) => {
  expect(find(body, protocol)).toEqual(extras);
});

test('a beta that changes the price is an extra, others are not', () => {
  const headers = new Headers({ 'anthropic-beta': 'effort-2025-11-24, context-1m-2025-08-07' });
  expect(find({}, 'messages', headers)).toEqual([['context-1m', 'anthropic-beta', 1]]);
});

test('hosted tools do not reach a target that gets the request translated', () => {
  const body = { tools: [{ type: 'web_search' }], service_tier: 'priority' };
  const found = findExtras(body, {
    headers: none,
    protocol: 'responses',
    models: [],
    spoken: new Set(['chat']),
  });
  expect(found.map(({ name }) => name)).toEqual(['priority']);
});

const search = { name: 'web_search', path: ['tools', 0], calls: 10, isTool: true };

test('prices of calls add up, and factors multiply', () => {
  const priority = { name: 'priority', path: ['service_tier'], calls: 1, isTool: false };
  const prices = { web_search: { perCall: 0.01 }, priority: { factor: 2, perCall: 1 } };
  const priced = priceExtras([search, priority], prices);
  expect(priced).toEqual({ fixedUsd: 1.1, factor: 2, toolCallsMax: 10 });
  expect(priceExtras([], prices)).toEqual({ fixedUsd: 0, factor: 1, toolCallsMax: null });
});

test('calls that nothing bounds are refused where each has a price', () => {
  const unbounded = [{ ...search, calls: null }];
  const error = thrownBy(() => priceExtras(unbounded, { web_search: { perCall: 0.01 } }));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'tools[0]' });
  const free = { fixedUsd: 0, factor: 1, toolCallsMax: null };
  expect(priceExtras(unbounded, { web_search: { perCall: 0 } })).toEqual(free);
});

test('an extra without a price is refused by name, with whom to ask', () => {
  const extras = [{ name: 'web', path: ['plugins', 0], calls: 1, isTool: false }];
  const error = thrownBy(() => priceExtras(extras, { toString: { perCall: 0 } }));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'plugins[0]' });
  expect(error.message).toMatch(/ask the operator to set the price of "web" under `extras`/);
});
