import { expect, test } from 'vitest';
import { rejectOtherCase } from '#lib/ai-proxy/pipeline/field-names.ts';
import { thrownBy } from '../../../support/upstreams/proxy-errors.ts';

test.each<[object, string, string]>([
  [{ MODEL: 'a/b' }, 'MODEL', 'model'],
  [{ model: 'a/b', N: 100 }, 'N', 'n'],
  [{ Store: true }, 'Store', 'store'],
  [{ Service_Tier: 'priority' }, 'Service_Tier', 'service_tier'],
  [{ provideroptions: {} }, 'provideroptions', 'providerOptions'],
  // U+017F, which is an S without case.
  [{ '\u017ftore': true }, '\u017ftore', 'store'],
  [{ stream_options: { Include_Usage: false } }, 'stream_options.Include_Usage', 'include_usage'],
  [{ tools: [{ type: 'mcp', Model: 'a/b' }] }, 'tools[0].Model', 'model'],
  [
    { tools: [{ type: 'openrouter:subagent', parameters: { Model: 'a/b' } }] },
    'tools[0].parameters.Model',
    'model',
  ],
  [
    { input: [{ type: 'message', content: [{ type: 'input_file', File_ID: 'f' }] }] },
    'input[0].content[0].File_ID',
    'file_id',
  ],
])('a name that differs only in case is refused with the right one: %j', (body, param, right) => {
  const error = thrownBy(() => rejectOtherCase({ ...body }));
  expect(error).toMatchObject({ status: 400, param });
  expect(error.message).toContain(`must be written \`${right}\``);
});

test.each<[string, object]>([
  ['known names', { model: 'a/b', providerOptions: {}, max_tokens: 1 }],
  ['unknown names', { Whatever: 1, myField: { Other: 1 } }],
  ['schemas', { tools: [{ type: 'function', function: { parameters: { Model: {}, TYPE: 1 } } }] }],
  ['inputs of calls', { messages: [{ content: [{ type: 'tool_use', input: { Type: 'x' } }] }] }],
  ['metadata', { metadata: { Model: 'x' } }],
  ['headers of servers', { tools: [{ type: 'mcp', headers: { Content: 'x' } }] }],
])('%s may be written in any way', (_, body) => {
  expect(() => rejectOtherCase({ ...body })).not.toThrow();
});
