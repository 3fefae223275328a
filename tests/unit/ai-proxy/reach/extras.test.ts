import { expect, test } from 'vitest';
import { findExtras, priceExtras } from '#lib/ai-proxy/reach/extras.ts';
import type { Protocol } from '#lib/ai-proxy/upstreams/protocols.ts';
import { thrownBy } from '../../../support/upstreams/proxy-errors.ts';

const native = new Set<Protocol>(['chat', 'responses', 'messages']);
const none = new Headers();

function find(body: object, protocol: Protocol = 'chat', headers = none) {
  return findExtras({ ...body }, headers, protocol, native).map(({ name, path, calls }) => [
    name,
    path.join('.'),
    calls,
  ]);
}

test.each<[string, object, Protocol, (string | number)[][]]>([
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
    [['openrouter:subagent', 'tools.0', 10]],
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
])('what costs beyond tokens is found: %s', (_, body, protocol, extras) => {
  expect(find(body, protocol)).toEqual(extras);
});

test('a beta that changes the price is an extra, others are not', () => {
  const headers = new Headers({ 'anthropic-beta': 'effort-2025-11-24, context-1m-2025-08-07' });
  expect(find({}, 'messages', headers)).toEqual([['context-1m', 'anthropic-beta', 1]]);
});

test('hosted tools do not reach a target that gets the request translated', () => {
  const body = { tools: [{ type: 'web_search' }], service_tier: 'priority' };
  const names = findExtras(body, none, 'responses', new Set(['chat'])).map(({ name }) => name);
  expect(names).toEqual(['priority']);
});

test('prices of calls add up, and factors multiply', () => {
  const extras = [
    { name: 'web_search', path: ['tools', 0], calls: 10 },
    { name: 'priority', path: ['service_tier'], calls: 1 },
  ];
  const prices = { web_search: { perCall: 0.01 }, priority: { factor: 2, perCall: 1 } };
  expect(priceExtras(extras, prices)).toEqual({ fixedUsd: 1.1, factor: 2 });
  expect(priceExtras([], prices)).toEqual({ fixedUsd: 0, factor: 1 });
});

test('an extra without a price is refused by name, with whom to ask', () => {
  const extras = [{ name: 'web', path: ['plugins', 0], calls: 1 }];
  const error = thrownBy(() => priceExtras(extras, { toString: { perCall: 0 } }));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'plugins[0]' });
  expect(error.message).toMatch(/ask the operator to set the price of "web" under `extras`/);
});
