import { expect, test } from 'vitest';
import {
  findExtras,
  priceExtras,
  requireExtraPrices,
  withoutTools,
} from '#lib/ai-proxy/pipeline/extras.ts';
import { listTools } from '#lib/ai-proxy/pipeline/tools.ts';
import type { Protocol } from '#lib/ai-proxy/protocols/protocol.ts';
import { toJsonArray, toText } from '#lib/http/json-value.ts';
import { toMostCallsUsd } from '#lib/spend/charge.ts';
import { thrownBy } from '../../../support/upstreams/proxy-errors.ts';

const none = new Headers();

/** Each extra with its place and how often it may be called. */
function find(body: object, protocol: Protocol = 'chat', headers = none): string[] {
  const fields: Readonly<Record<string, unknown>> = { ...body };
  const models = [fields.model, ...toJsonArray(fields.models)].map(toText);
  return findExtras(fields, { headers, protocol, tools: listTools(fields), models }).map(
    ({ name, path, calls }) => `${name} at ${path.join('.')}, ${calls ?? 'unbounded'}`,
  );
}

const unbounded = { type: 'code_execution_20250825', max_uses: 3 };
const brought = { type: 'additional_tools', tools: [{ type: 'web_search' }] };
const namespace = { type: 'namespace', tools: [{ type: 'image_generation' }] };

test.each<[Protocol, object, ...string[]]>([
  ['chat', { plugins: [{ id: 'web' }] }, 'web at plugins.0, 1'],
  ['chat', { model: 'a/b:online' }, 'online at model, 1'],
  ['chat', { model: 'a/b', models: ['a/c:Online'] }, 'online at model, 1'],
  ['chat', { web_search_options: {} }, 'web_search at web_search_options, 1'],
  ['chat', { search_parameters: { mode: 'on' } }, 'web_search at search_parameters, 1'],
  ['chat', { enable_search: true }, 'web_search at enable_search, 1'],
  ['responses', { tools: [{ type: 'web_search' }] }, 'web_search at tools.0, 10'],
  [
    'responses',
    { tools: [{ type: 'web_search_preview' }], max_tool_calls: 2 },
    'web_search at tools.0, 2',
  ],
  [
    'messages',
    { tools: [{ type: 'web_search_20250305', max_uses: 3 }] },
    'web_search at tools.0, 3',
  ],
  // A bound below one is none.
  [
    'messages',
    { tools: [{ type: 'web_search_20250305', max_uses: -1_000_000 }] },
    'web_search at tools.0, unbounded',
  ],
  [
    'chat',
    { tools: [{ type: 'openrouter:subagent' }] },
    'openrouter:subagent at tools.0, unbounded',
  ],
  ['messages', { tools: [unbounded], max_tool_calls: 3 }, 'code_execution at tools.0, unbounded'],
  ['responses', { input: [brought] }, 'web_search at input.0.tools.0, 10'],
  ['responses', { tools: [namespace] }, 'image_generation at tools.0.tools.0, 10'],
  [
    'responses',
    { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
    'shell at tools.0, 10',
  ],
  ['responses', { tools: [{ type: 'openrouter:shell' }] }, 'openrouter:shell at tools.0, 10'],
  [
    'chat',
    { tools: [{ type: 'function', function: { name: 'x' }, google_search: {} }] },
    'google_search at tools.0.google_search, unbounded',
  ],
  [
    'chat',
    { tools: [{ type: 'function', function: { name: 'x', googleSearch: {} } }] },
    'googleSearch at tools.0.function.googleSearch, unbounded',
  ],
  [
    'messages',
    { tools: [{ name: 'x', input_schema: {}, google_search: {} }] },
    'google_search at tools.0.google_search, unbounded',
  ],
  ['messages', { betas: ['context-1m-2025-08-07'] }, 'context-1m at anthropic-beta, 1'],
  ['responses', { service_tier: 'priority' }, 'priority at service_tier, 1'],
  ['messages', { speed: 'fast' }, 'fast at speed, 1'],
  ['messages', { inference_geo: 'us' }, 'inference_geo at inference_geo, 1'],
])('what costs beyond tokens is found: %s, %j', (protocol, body, ...extras) => {
  expect(find(body, protocol)).toEqual(extras);
});

test.each<[string, Protocol, object]>([
  ['usual tiers', 'responses', { service_tier: 'flex' }],
  ['the default tier', 'responses', { service_tier: 'auto' }],
  [
    'tools of the client',
    'messages',
    { tools: [{ type: 'function' }, { type: 'custom' }, { name: 'x' }, { type: 'bash_20250124' }] },
  ],
  [
    'functions with all that is documented',
    'messages',
    {
      tools: [
        {
          type: 'function',
          function: { name: 'x', parameters: { google_search: {} }, strict: null },
        },
        { name: 'x', input_schema: {}, cache_control: {}, defer_loading: true, unknown: null },
      ],
    },
  ],
  [
    'the shell of the client',
    'responses',
    { tools: [{ type: 'shell', environment: { type: 'local' } }, { type: 'shell' }] },
  ],
  [
    'the computer of the client',
    'responses',
    { tools: [{ type: 'computer_use_preview' }, { type: null, name: 'x' }] },
  ],
])('%s cost nothing beyond tokens', (_, protocol, body) => {
  expect(find(body, protocol)).toEqual([]);
});

test('a beta that changes the price is an extra, others are not', () => {
  const headers = new Headers({ 'anthropic-beta': 'effort-2025-11-24, context-1m-2025-08-07' });
  expect(find({}, 'messages', headers)).toEqual(['context-1m at anthropic-beta, 1']);
});

test('hosted tools do not reach a target that gets the request translated', () => {
  const body = { tools: [{ type: 'web_search' }], service_tier: 'priority' };
  const options = { headers: none, protocol: 'responses', models: [] } as const;
  const found = findExtras(body, { ...options, tools: listTools(body) });
  expect(withoutTools(found).map(({ name }) => name)).toEqual(['priority']);
});

const extra = {
  name: 'inference_geo',
  path: ['inference_geo'],
  calls: 1,
  isTool: false,
  isShown: false,
};
const search = { ...extra, name: 'web_search', path: ['tools', 0], calls: 10, isTool: true };

test('each name has a price of its calls, and factors multiply', () => {
  const again = { ...search, path: ['tools', 1], calls: 3 };
  const prices = { web_search: { perCall: 0.01 }, inference_geo: { factor: 2, perCall: 1 } };
  const { calls, ...priced } = priceExtras([search, again, extra], prices);
  expect(calls).toMatchObject([
    { name: 'web_search', perCall: 0.01, callsMax: 13 },
    { name: 'inference_geo', perCall: 1, callsMax: 1 },
  ]);
  expect(toMostCallsUsd(calls)).toBeCloseTo(1.13, 12);
  expect(priced).toEqual({ factor: 2, toolCallsMax: 3, hasUnpriced: false });
  const nothing = { calls: [], factor: 1, toolCallsMax: null, hasUnpriced: false };
  expect(priceExtras([], prices)).toEqual(nothing);
});

test('no name of a tool, plugin or speed lowers the price as that tier of a service does', () => {
  const plugins = [0, 1].map((at) => ({ ...extra, name: 'flex', path: ['plugins', at] }));
  expect(priceExtras(plugins, { flex: { factor: 0.5 } })).toMatchObject({ factor: 1 });
});

test('calls that nothing bounds are refused where each has a price', () => {
  const searches = [{ ...search, calls: null }];
  const error = thrownBy(() => requireExtraPrices(searches, { web_search: { perCall: 0.01 } }));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'tools[0]' });
  expect(() => requireExtraPrices(searches, { web_search: { perCall: 0 } })).not.toThrow();
});

test('an extra without a price is refused by name, with whom to ask', () => {
  const extras = [{ ...extra, name: 'web', path: ['plugins', 0] }];
  const error = thrownBy(() => requireExtraPrices(extras, { toString: { perCall: 0 } }));
  expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'plugins[0]' });
  expect(error.message).toMatch(/ask the operator to set the price of "web" under `extras`/);
});
