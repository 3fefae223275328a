import { expect, test } from 'vitest';
import { openModelServer, post } from '../open-model-server.ts';

const model = 'lantern-demo/wick-3';
const prompt = 'Run this.\n> look {"at":"sky"}\n> exec "text(1)"\n>& look {"at":"sea"}';

async function reply(path: string, body: object) {
  const response = await post(await openModelServer(), path, { model, ...body });
  return response.json();
}

const look = { type: 'function', name: 'look', parameters: { type: 'object' } };
const exec = { type: 'custom', name: 'exec' };
const added = {
  type: 'additional_tools',
  role: 'developer',
  tools: [look, { type: 'namespace', name: 'functions', tools: [exec] }],
};
const ask = [added, { role: 'user', content: prompt }];
const first = [
  { type: 'function_call', call_id: 'a', name: 'look', arguments: '{"at":"sky"}' },
  { type: 'function_call_output', call_id: 'a', output: 'blue' },
];

test('the first line of a script is the first call', async () => {
  const { output } = await reply('/responses', { input: ask });
  expect(output).toMatchObject([
    { type: 'function_call', name: 'look', arguments: '{"at":"sky"}' },
  ]);
});

test('the next lines follow its result, with custom tools in namespaces', async () => {
  const { output } = await reply('/responses', { input: [...ask, ...first] });
  expect(output).toMatchObject([
    { type: 'custom_tool_call', name: 'exec', namespace: 'functions', input: 'text(1)' },
    { type: 'function_call', name: 'look', arguments: '{"at":"sea"}' },
  ]);
});

test('after the last result the script is done', async () => {
  const results = ['b', 'c'].map((id) => ({
    ...{ type: 'function_call_output', call_id: id, output: 'seen' },
  }));
  const calls = [{ type: 'custom_tool_call', call_id: 'b', name: 'exec', input: 'text(1)' }];
  const { output } = await reply('/responses', { input: [...ask, ...first, ...calls, ...results] });
  expect(output[0].content[0].text).toMatch(/^The script is done\./);
});

test('where a namespace is part of the name, a text is the only argument', async () => {
  const tools = [{ type: 'function', function: { name: 'functions__exec' } }];
  const messages = [{ role: 'user', content: 'Run this.\n> exec "text(1)"' }];
  const { choices } = await reply('/chat/completions', { messages, tools });
  expect(choices[0].message.tool_calls[0].function).toEqual({
    name: 'functions__exec',
    arguments: '{"input":"text(1)"}',
  });
});
