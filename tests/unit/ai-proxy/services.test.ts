import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadUpstreamsFile } from '#lib/config/upstreams-file.ts';
import { forTests } from '../../support/for-tests.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import {
  documentedJson,
  embeddingServices,
  type ServiceRow,
  serviceRows,
  startServicesProxy,
  toServiceModel,
} from '../../support/servers/service-proxy.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { callIdOf, services as knownServices } from '../../support/upstreams/services.ts';
import { thinkingSignature } from '../../support/upstreams/stand-in/messages-form.ts';
import { readRequest } from '../../support/upstreams/stand-in/read-request.ts';
import { encryptedContent } from '../../support/upstreams/stand-in/responses-form.ts';

type Item = Readonly<Record<string, unknown>>;

const services = forTests(startServicesProxy);

test('the file of the documentation is valid, and its table has a row for each protocol of a service', () => {
  const path = join(makeTestFolder(), 'upstreams.json');
  writeFileSync(path, documentedJson);
  const keys = documentedJson.matchAll(/"keyEnv": "(\w+)"/g);
  const environment = Object.fromEntries([...keys].map(([, name]) => [name, 'k']));
  const { upstreams } = loadUpstreamsFile(path, environment);
  expect(Object.keys(knownServices)).toEqual(upstreams.map(({ name }) => name));
  const spoken = Object.entries(knownServices).flatMap(([name, { forms }]) =>
    Object.keys(forms).map((protocol) => [name, protocol]),
  );
  expect(serviceRows.map(({ name, protocol }) => [name, protocol])).toEqual(spoken);
  for (const { name, protocols } of upstreams) {
    const { forms, hasEmbeddings } = knownServices[name] ?? { forms: {} };
    const known = [...Object.keys(forms), ...(hasEmbeddings ? ['embeddings'] : [])];
    expect(known, name).toEqual(expect.arrayContaining([...protocols]));
  }
});

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const messages = [{ role: 'user', content: 'Hello' }];
const requests: readonly (readonly [path: string, body: object])[] = [
  [
    chatPath,
    {
      messages,
      tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
    },
  ],
  [
    responsesPath,
    {
      input: 'Hello',
      user: 'u1',
      prompt_cache_key: 'k1',
      max_output_tokens: 500,
      include: ['reasoning.encrypted_content'],
      text: { verbosity: 'low' },
      tools: [{ type: 'function', name: 'f', parameters: schema }],
    },
  ],
  [
    messagesPath,
    {
      max_tokens: 5000,
      messages,
      top_k: 5,
      thinking: { type: 'adaptive' },
      tools: [{ name: 'f', input_schema: schema }],
    },
  ],
];

const paths = { chat: chatPath, responses: responsesPath, messages: messagesPath } as const;

describe.each(serviceRows)('$name by $protocol', (row) => {
  const { protocol, tools, reasoning, streams, usage } = row;
  // By Chat Completions, it serves clients of all protocols.
  const served = requests.filter(([path]) => protocol === 'chat' || path === paths[protocol]);

  test.each(served)(
    '%s: text, a call, reasoning and usage, as JSON and streamed',
    async (...one) => {
      const [path, fields] = one;
      const body = { model: toServiceModel(row), ...fields };
      const { proxy } = services;
      const { key } = proxy;
      const whole = await proxy.post(path, key, body);
      const text = await whole.text();
      expect([whole.status, text]).toEqual([200, expect.stringContaining('Hello')]);
      const streamed = await proxy.post(path, key, { ...body, stream: true });
      const events = readEvents(await streamed.text());
      const found = readReply(JSON.parse(text));
      expect(services.upstreamOf(row).requests.at(-1)?.protocol).toBe(protocol);

      expect(tools).toBe('yes');
      expect(found.calls).toEqual([{ name: 'f', input: { city: 'Oslo' } }]);
      expect(streamed.status === 200 && streams).toBe('yes');
      expect(readStream(events)).toEqual({ text: 'Hello', arguments: '{"city":"Oslo"}' });
      if (path !== chatPath) {
        expect(found.reasoning === 'wondering' ? 'yes' : 'no').toBe(reasoning);
        expect(JSON.stringify(events).includes('"won"') ? 'yes' : 'no').toBe(reasoning);
      }
      expect(usage).toBe('reported');
      expect(found.tokens).toBe(112);
      if (path === messagesPath) await playNextTurn(row, body, JSON.parse(text));
      if (path === responsesPath) await playNextResponse(row, body, JSON.parse(text));
    },
  );
});

const chatRows = serviceRows.filter(({ protocol }) => protocol === 'chat');

test.each(chatRows)(
  '$name: a client of Responses gets JSON, and by a schema that is not strict',
  async (row) => {
    const { proxy } = services;
    for (const format of [{ type: 'json_object' }, { type: 'json_schema', name: 'city', schema }]) {
      const body = { model: toServiceModel(row), input: 'Hello in JSON', text: { format } };
      const response = await proxy.post(responsesPath, proxy.key, body);
      expect(response.status, format.type).toBe(200);
      const sent = JSON.stringify(services.upstreamOf(row).requests.at(-1)?.body);
      expect(sent).toMatch(/"response_format":|Reply only with JSON/);
      if (format.type === 'json_schema') expect(sent).toContain('city');
    }
  },
);

test.each(embeddingServices)('%s: embeddings', async (name) => {
  const { proxy } = services;
  const model = toServiceModel({ name, protocol: 'embeddings' });
  const request = { model, input: 'Hello' };
  const response = await proxy.post('/proxy/v1/embeddings', proxy.key, request);
  expect(await response.json()).toMatchObject({
    data: [{ embedding: [0.5, -0.5] }],
    usage: { prompt_tokens: 3 },
  });
});

/** The fields that the services get back. */
const returned = {
  thought_signature: ['gemini'],
  reasoning_details: ['openrouter'],
  reasoning: ['groq', 'ollama'],
  reasoning_content: ['deepseek', 'vllm', 'llama-cpp', 'lm-studio'],
};

/** The upstream gets back what it has sent, in the fields in which it takes it. */
async function playNextTurn(row: ServiceRow, body: object, reply: Item): Promise<void> {
  const sentBody = await sendNext(row, messagesPath, { ...body, ...toNextMessages(reply) });
  const sent = sentBody?.messages as readonly Item[];
  const { name, protocol } = row;
  if (protocol === 'messages') {
    const { lacksSignature } = knownServices[name]?.forms.messages ?? {};
    const signature = lacksSignature ? '' : thinkingSignature;
    const thought = { type: 'thinking', thinking: 'wondering', signature };
    expect(sent[1]).toMatchObject({
      role: 'assistant',
      content: expect.arrayContaining([thought]),
    });
    return;
  }
  const [, sentReply] = sent;
  const fields = { role: 'assistant', content: 'Hello' };
  expect(sentReply).toMatchObject({ ...fields, tool_calls: [{ id: callIdOf(row) }] });
  for (const [field, names] of Object.entries(returned)) {
    expect(JSON.stringify(sentReply).includes(`"${field}":`), field).toBe(names.includes(name));
  }
}

async function playNextResponse(row: ServiceRow, body: object, reply: Item): Promise<void> {
  const sentBody = await sendNext(row, responsesPath, { ...body, ...toNextInput(reply) });
  if (row.protocol !== 'responses') return;
  const { hasReasoningText } = knownServices[row.name]?.forms.responses ?? {};
  const reasoning = hasReasoningText
    ? { content: [{ type: 'reasoning_text', text: 'wondering' }] }
    : { encrypted_content: encryptedContent };
  expect(sentBody?.input).toContainEqual(expect.objectContaining(reasoning));
}

/** What the upstream gets of the next turn: it has the call and its result. */
async function sendNext(row: ServiceRow, path: string, body: object) {
  const { proxy } = services;
  const response = await proxy.post(path, proxy.key, body);
  expect(response.status).toBe(200);
  const last = services.upstreamOf(row).requests.at(-1);
  const id = callIdOf(row);
  expect(last && readRequest(last)).toMatchObject({
    calls: [{ id, name: 'f', input: { city: 'Oslo' } }],
    results: [{ id, text: 'rain' }],
  });
  return last?.body;
}

/** By Chat Completions, if it has them. */
const sources = [...new Map(serviceRows.toReversed().map((row) => [row.name, row])).values()];
const clientPaths = [responsesPath, messagesPath];
const firstReplies = new Map<string, Promise<Item>>();

/** What a client of a protocol got in its first turn. */
function begin(source: ServiceRow, path: string, fields: object): Promise<Item> {
  const model = toServiceModel(source);
  const name = `${model} ${path}`;
  const { proxy } = services;
  const reply =
    firstReplies.get(name) ??
    proxy.post(path, proxy.key, { model, ...fields }).then((response) => response.json());
  firstReplies.set(name, reply);
  return reply;
}

describe.each(serviceRows)('$name by $protocol goes on with a conversation', (row) => {
  const served = clientPaths.filter(
    (path) => row.protocol === 'chat' || path === paths[row.protocol],
  );

  test.each(served)('%s: that any other service has begun', async (path) => {
    const [, fields = {}] = requests.find(([own]) => own === path) ?? [];
    const speakers = sources.filter(
      ({ protocol }) => protocol === 'chat' || path === paths[protocol],
    );
    for (const source of speakers) {
      const reply = await begin(source, path, fields);
      const next = path === messagesPath ? toNextMessages(reply) : toNextInput(reply);
      const body = { model: toServiceModel(row), ...fields, ...next };
      const { proxy } = services;
      const response = await proxy.post(path, proxy.key, body);
      const text = await response.text();
      expect([response.status, text], source.name).toEqual([200, expect.stringContaining('Done')]);
      const last = services.upstreamOf(row).requests.at(-1);
      const { calls = [], results = [] } = last ? readRequest(last) : {};
      expect(calls, source.name).toMatchObject([{ name: 'f', input: { city: 'Oslo' } }]);
      expect(results, source.name).toEqual([{ id: calls[0]?.id, text: 'rain' }]);
    }
  });
});

function toNextMessages({ content }: Item): object {
  const call = (content as readonly Item[]).find(({ type }) => type === 'tool_use');
  const result = { type: 'tool_result', tool_use_id: call?.id, content: 'rain' };
  return {
    messages: [...messages, { role: 'assistant', content }, { role: 'user', content: [result] }],
  };
}

function toNextInput({ output }: Item): object {
  const items = output as readonly Item[];
  const call = items.find(({ type }) => type === 'function_call');
  const result = { type: 'function_call_output', call_id: call?.call_id, output: 'rain' };
  return { input: [{ role: 'user', content: 'Hello' }, ...items, result] };
}

function readEvents(text: string): Item[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}

/** The text and arguments of a stream, in any of the three protocols. */
function readStream(events: readonly Item[]) {
  const all = { text: '', arguments: '' };
  for (const event of events) {
    const { type, delta } = event;
    if (type === 'response.output_text.delta') all.text += delta;
    if (type === 'response.function_call_arguments.delta') all.arguments += delta;
    if (type === 'content_block_delta') {
      const { text = '', partial_json: json = '' } = delta as Item;
      all.text += text;
      all.arguments += json;
    }
    const choices = (event.choices ?? []) as readonly Readonly<{ delta: Item }>[];
    for (const choice of choices) {
      const { content, tool_calls: calls = [] } = choice.delta;
      if (typeof content === 'string') all.text += content;
      for (const call of calls as readonly Item[]) {
        all.arguments += (call.function as Item).arguments ?? '';
      }
    }
  }
  return all;
}

/** Calls, reasoning and tokens of a reply, in any of the three protocols. */
function readReply(reply: Item) {
  const usage = reply.usage as Readonly<Record<string, number>>;
  const tokens = usage.total_tokens ?? (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  if (reply.choices !== undefined) {
    const [choice] = reply.choices as readonly Readonly<{ message: Item }>[];
    const calls = (choice?.message.tool_calls ?? []) as readonly Readonly<{ function: Item }>[];
    return {
      tokens,
      reasoning: null,
      calls: calls.map((call) => toCall(call.function.name, call.function.arguments)),
    };
  }
  const items = (reply.output ?? reply.content) as readonly Item[];
  const thought = items.find(({ type }) => type === 'reasoning' || type === 'thinking');
  const parts = [thought?.summary, thought?.content].flat() as readonly (Item | undefined)[];
  const shown = parts.find((part) => part !== undefined);
  return {
    tokens,
    reasoning: thought?.thinking ?? shown?.text ?? null,
    calls: items
      .filter(({ type }) => type === 'function_call' || type === 'tool_use')
      .map((item) => toCall(item.name, item.arguments ?? item.input)),
  };
}

function toCall(name: unknown, input: unknown) {
  return { name, input: typeof input === 'string' ? JSON.parse(input) : input };
}
