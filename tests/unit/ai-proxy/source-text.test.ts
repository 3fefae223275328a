import { expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type SentRequest, setUpModels } from '../../support/servers/set-up-models.ts';

const addModel = setUpModels();
/** JSON that JavaScript would write otherwise: with other numbers, and the names in another order. */
const exact = '{"id":9007199254740993,"x":1.0,"b":1,"1":2}';
/** As a text within JSON. */
const quoted = JSON.stringify(exact).slice(1, -1);
const schema = `{"type":"object","properties":{"x":{"default":1.0},"1":{"type":"integer","maximum":9007199254740993}}}`;

const count = (text: string, part: string) => text.split(part).length - 1;

const completion = (message: string) =>
  `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":${message},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`;
const response = (output: string) =>
  `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":${output},"usage":{"input_tokens":1,"output_tokens":1}}`;
const message = (content: string) =>
  `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":${content},"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`;
const plain = {
  [chatPath]: completion('{"role":"assistant","content":"ok"}'),
  [responsesPath]: response('[]'),
  [messagesPath]: message('[{"type":"text","text":"ok"}]'),
};
const replyPlainly = (_: unknown, { path }: SentRequest) =>
  Object.entries(plain).find(([name]) => name.endsWith(path))?.[1] ?? '';

const frames = (...events: string[]) => events.map((event) => `data: ${event}\n\n`).join('');

const requests: Readonly<Record<string, { fields: string; wanted: Record<string, number> }>> = {
  [chatPath]: {
    fields: `"messages":[{"role":"user","content":"hi"},
      {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"${quoted}"},"extra_content":${exact}}]},
      {"role":"tool","tool_call_id":"a","content":"${quoted}"}],
      "tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}],
      "response_format":{"type":"json_schema","json_schema":{"name":"n","schema":${schema}}},
      "metadata":${exact}`,
    wanted: { [schema]: 2, [exact]: 2, [quoted]: 2 },
  },
  [responsesPath]: {
    fields: `"input":[{"role":"user","content":"hi"},
      {"type":"function_call","call_id":"a","name":"f","arguments":"${quoted}"},
      {"type":"function_call_output","call_id":"a","output":"${quoted}"}],
      "tools":[{"type":"function","name":"f","parameters":${schema}}],
      "text":{"format":{"type":"json_schema","name":"n","schema":${schema}}}`,
    wanted: { [schema]: 2, [quoted]: 2 },
  },
  [messagesPath]: {
    fields: `"max_tokens":100,"messages":[{"role":"user","content":"hi"},
      {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":${exact}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"${quoted}"}]}],
      "tools":[{"name":"f","input_schema":${schema}}],
      "output_config":{"format":{"type":"json_schema","schema":${schema}}}`,
    wanted: { [schema]: 2 },
  },
};

test.each(
  Object.keys(requests).flatMap((path) => [[path, 'native'] as const, [path, 'chat'] as const]),
)('the JSON of a request stays as it is: %s to %s', async (path, upstream) => {
  const model = addModel(upstream, replyPlainly);
  const { fields = '', wanted = {} } = requests[path] ?? {};
  await model.send(path, `{${fields}}`);

  const sent = model.sent[0]?.text ?? '';
  expect(JSON.parse(sent)).toMatchObject({ model: model.name });
  for (const [part, times] of Object.entries(wanted)) expect(count(sent, part), part).toBe(times);
  // The input of a call is an object in Messages, and a text in chat.
  if (path === messagesPath) {
    expect(count(sent, exact)).toBe(upstream === 'native' ? 1 : 0);
    expect(count(sent, quoted)).toBe(upstream === 'native' ? 1 : 2);
  }
});

const topNumbers = '"temperature":1.0,"top_p":0.50,"seed":9007199254740993';

test.each(
  Object.keys(requests).flatMap((path) => [[path, 'native'] as const, [path, 'chat'] as const]),
)('numbers at the top of a request stay as they are: %s to %s', async (path, upstream) => {
  const model = addModel(upstream, replyPlainly);
  await model.send(path, toPrompt(path).replace('{', `{${topNumbers},`));
  const sent = model.sent[0]?.text ?? '';
  for (const number of topNumbers.split(',')) expect(count(sent, number), number).toBe(1);
});

test('a bound of the reply is a whole number, and a number that was replaced is not repeated', async () => {
  const model = addModel('chat', replyPlainly);
  const prompt = toPrompt(chatPath);
  await model.send(chatPath, prompt.replace('"max_tokens":100', '"max_tokens":100.0'));
  await model.send(chatPath, prompt.replace('{', '{"seed":1.0,"seed":2,"n":1.0,"n":1,'));
  const [bounded, repeated] = model.sent.map(({ text }) => text);
  expect(bounded).toMatch(/"max_tokens":100[,}]/);
  expect(repeated).toMatch(/"seed":2[,}]/);
  expect(repeated).toMatch(/"n":1[,}]/);
});

test.each([
  [responsesPath, response('[]'), 'temperature'],
  [messagesPath, message('[{"type":"text","text":"ok"}]'), 'own'],
  [chatPath, completion('{"role":"assistant","content":"ok"}'), 'own'],
])('numbers at the top of a reply stay as they are: %s', async (path, reply, name) => {
  const model = addModel('native', () => reply.replace('{', `{"${name}":1.0,"id_of":1e3,`));
  const { text } = await model.send(path, toPrompt(path));
  expect(text).toContain(`"${name}":1.0`);
  expect(text).toContain('"id_of":1e3');
});

test('numbers of a chunk that is repaired stay as they are', async () => {
  const own = '"own":1.0,';
  const repaired = chunk('{"content":"ok"}')
    .replace('{', `{${own}`)
    .replace('"object":"chat.completion.chunk",', '');
  const model = addModel('chat', () => `${frames(repaired, chatEnd)}data: [DONE]\n\n`);
  const { text } = await model.send(chatPath, toPrompt(chatPath, true));
  expect(count(text, own.slice(0, -1))).toBe(1);
});

const call = (args: string) =>
  `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":${args}}}]}`;
const chunk = (delta: string, more = '') =>
  `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":null}]${more}}`;
const callDelta = (args: string) =>
  `{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":${args}}}]}`;
const chatEnd = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`;
const item = (args: string) =>
  `{"type":"function_call","id":"fc","call_id":"a","name":"f","arguments":${args},"status":"completed","more":${exact}}`;
const toolUse = `{"type":"tool_use","id":"a","name":"f","input":${exact}}`;

type Reply = readonly [
  what: string,
  path: string,
  upstream: 'native' | 'chat',
  reply: string,
  wanted: Readonly<Record<string, number>>,
];

const replies: readonly Reply[] = [
  ['chat', chatPath, 'chat', completion(call(exact)), { [quoted]: 1 }],
  [
    'chat, with a field of its own',
    chatPath,
    'chat',
    completion(`{"role":"assistant","content":"ok","own":${exact}}`),
    { [exact]: 1 },
  ],
  ['Responses', responsesPath, 'native', response(`[${item(exact)}]`), { [quoted]: 1, [exact]: 1 }],
  ['Messages', messagesPath, 'native', message(`[${toolUse}]`), { [exact]: 1 }],
  ['chat to Responses', responsesPath, 'chat', completion(call(`"${quoted}"`)), { [quoted]: 1 }],
  ['an object to Responses', responsesPath, 'chat', completion(call(exact)), { [quoted]: 1 }],
  ['chat to Messages', messagesPath, 'chat', completion(call(`"${quoted}"`)), { [exact]: 1 }],
  ['an object to Messages', messagesPath, 'chat', completion(call(exact)), { [exact]: 1 }],
];

test.each(replies)(
  'the JSON of a reply stays as it is: %s',
  async (_, path, upstream, reply, wanted) => {
    const model = addModel(upstream, () => reply);
    const { text } = await model.send(path, toPrompt(path));
    for (const [part, times] of Object.entries(wanted)) expect(count(text, part), part).toBe(times);
  },
);

const responseStream = (args: string) =>
  frames(
    `{"type":"response.created","response":{"id":"resp_1","own":${exact}}}`,
    `{"type":"response.output_item.added","output_index":0,"item":${item('""')}}`,
    `{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":0,"delta":${args}}`,
    `{"type":"response.output_item.done","output_index":0,"item":${item(args)}}`,
    `{"type":"response.completed","response":${response(`[${item(args)}]`)}}`,
  );
const inputDelta = `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${exact}}}`;
const messageStream = (...deltas: string[]) =>
  frames(
    `{"type":"message_start","message":${message('[]')}}`,
    `{"type":"content_block_start","index":0,"content_block":${toolUse}}`,
    ...deltas,
    `{"type":"content_block_stop","index":0}`,
    `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}`,
    `{"type":"message_stop"}`,
  );
const chatStream = (args: string, more?: string) =>
  `${frames(chunk(callDelta(args), more), chatEnd)}data: [DONE]\n\n`;

const streams: readonly Reply[] = [
  ['chat', chatPath, 'chat', chatStream(exact), { [quoted]: 1 }],
  [
    'chat, in a chunk that is repaired',
    chatPath,
    'chat',
    chatStream(exact, `,"own":${exact}`).replaceAll('"object":"chat.completion.chunk",', ''),
    { [quoted]: 1, [exact]: 1 },
  ],
  // Its arguments are in the delta, at their end, which is added, and in two items, the own field of the item in three,
  // that of the response in two.
  ['Responses', responsesPath, 'native', responseStream(exact), { [quoted]: 4, [exact]: 6 }],
  ['Messages', messagesPath, 'native', messageStream(inputDelta), { [quoted]: 1, [exact]: 0 }],
  ['Messages, whole', messagesPath, 'native', messageStream(), { [quoted]: 1, [exact]: 0 }],
  ['chat to Responses', responsesPath, 'chat', chatStream(exact), { [quoted]: 4 }],
  ['chat to Messages', messagesPath, 'chat', chatStream(exact), { [quoted]: 1 }],
];

test.each(streams)(
  'the JSON of a stream stays as it is: %s',
  async (_, path, upstream, stream, wanted) => {
    const model = addModel(upstream, () => stream);
    const { text } = await model.send(path, toPrompt(path, true));
    for (const [part, times] of Object.entries(wanted)) expect(count(text, part), part).toBe(times);
  },
);

test.each(['chat', 'native'] as const)(
  'a schema comes back in the response object, over lines in the request: %s',
  async (upstream) => {
    const model = addModel(upstream, () =>
      upstream === 'chat' ? chatStream('"{}"') : responseStream('"{}"'),
    );
    const lines = schema.replaceAll(',', ',\n\r\t ');
    const tools = `[{"type":"function","name":"f","parameters":${lines}}]`;
    const { text } = await model.send(
      responsesPath,
      `{"stream":true,"input":"hi","tools":${tools}}`,
    );
    expect(count(text, schema)).toBe(3);
    expect(text.split('\n\n').every((frame) => frame.split('\n').length <= 2)).toBe(true);
  },
);

function toPrompt(path: string, isStream = false): string {
  const common = `"stream":${isStream}`;
  if (path === responsesPath) return `{${common},"input":"hi"}`;
  return `{${common},"max_tokens":100,"messages":[{"role":"user","content":"hi"}]}`;
}
