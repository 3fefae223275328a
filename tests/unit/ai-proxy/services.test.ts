import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadUpstreamsFile } from '#lib/config/upstreams-file.ts';
import {
  chatPath,
  messagesPath,
  responsesPath,
  startInProcessProxy,
} from '../../support/servers/in-process-proxy.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { services, startService } from '../../support/upstreams/services.ts';

type Entry = Readonly<{ name: string; url: string; keyEnv: string; protocols: readonly string[] }>;
type Item = Readonly<Record<string, unknown>>;

const page = new URL('../../../lib/representations/docs/upstreams.md', import.meta.url);
const [, section = ''] = readFileSync(page, 'utf8').split('## Entries for well-known services');
const json = section.slice(section.indexOf('```json') + 7, section.indexOf('\n```\n'));
const documented: Readonly<{ upstreams: readonly Entry[] }> = JSON.parse(json);
const table = section
  .split('\n## ')[0]
  ?.split('\n')
  .filter((line) => /^\| [a-z-]+ /.test(line) && !line.startsWith('| ---'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const rows = table?.map(([, name = '', spoken = '', ...cells]) => ({ name, spoken, cells })) ?? [];

test('the file of the documentation is valid, and its table has a row for each entry', () => {
  const path = join(makeTestFolder(), 'upstreams.json');
  writeFileSync(path, json);
  const environment = Object.fromEntries(documented.upstreams.map(({ keyEnv }) => [keyEnv, 'k']));
  const { upstreams } = loadUpstreamsFile(path, environment);
  expect(rows.map(({ name }) => name)).toEqual(upstreams.map(({ name }) => name));
  expect(Object.keys(services)).toEqual(rows.map(({ name }) => name));
  const generating = { chat: 'Chat', responses: 'Responses', messages: 'Messages' } as const;
  for (const [index, { protocols }] of upstreams.entries()) {
    const names = protocols.flatMap((one) => (one === 'embeddings' ? [] : [generating[one]]));
    expect(rows[index]?.spoken).toBe(names.join(', '));
  }
});

/** A stand-in under the entry of the documentation, speaking Chat Completions. */
async function start(name: string) {
  const service = services[name];
  const entry = documented.upstreams.find((one) => one.name === name);
  if (service === undefined || entry === undefined) throw new Error(`There is no ${name}.`);
  const upstream = await startService(service);
  const { pathname, search } = new URL(entry.url);
  const url = upstream.origin + pathname + search;
  const path = join(makeTestFolder(), 'upstreams.json');
  const upstreams = [{ ...entry, url, protocols: ['chat'] }];
  const models = [{ id: 'm', targets: [{ upstream: name }] }];
  writeFileSync(path, JSON.stringify({ upstreams, models }));
  const proxy = await startInProcessProxy({
    environment: {
      AI_UPSTREAM_URL: '',
      AI_UPSTREAM_KEY: '',
      AI_MODELS: '',
      AI_UPSTREAMS_FILE: path,
      [entry.keyEnv]: 'sk-service',
    },
  });
  onTestFinished(async () => {
    await proxy[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });
  return { proxy, upstream };
}

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const messages = [{ role: 'user', content: 'Hello' }];
const requests: readonly (readonly [path: string, body: object])[] = [
  [
    chatPath,
    {
      model: 'm',
      messages,
      tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
    },
  ],
  [
    responsesPath,
    {
      model: 'm',
      input: 'Hello',
      user: 'u1',
      prompt_cache_key: 'k1',
      max_output_tokens: 500,
      text: { verbosity: 'low' },
      tools: [{ type: 'function', name: 'f', parameters: schema }],
    },
  ],
  [
    messagesPath,
    {
      model: 'm',
      max_tokens: 5000,
      messages,
      top_k: 5,
      thinking: { type: 'adaptive' },
      tools: [{ name: 'f', input_schema: schema }],
    },
  ],
];

describe.each(rows)('$name', ({ name, cells: [tools, reasoning, streams, usage] }) => {
  test.each(requests)(
    '%s: text, a call, reasoning and usage, as JSON and streamed',
    async (...one) => {
      const [path, body] = one;
      const { proxy, upstream } = await start(name);
      const { key } = proxy;
      const whole = await proxy.post(path, key, body);
      const text = await whole.text();
      expect([whole.status, text]).toEqual([200, expect.stringContaining('Hello')]);
      const streamed = await proxy.post(path, key, { ...body, stream: true });
      const events = readEvents(await streamed.text());
      const found = readReply(JSON.parse(text));

      expect(found.calls, tools).toEqual([{ name: 'f', input: { city: 'Oslo' } }]);
      expect(streamed.status === 200 && streams).toBe('yes');
      expect(readStream(events)).toEqual({ text: 'Hello', arguments: '{"city":"Oslo"}' });
      if (path !== chatPath) {
        expect(found.reasoning === 'wondering' ? 'yes' : 'no').toBe(reasoning);
        expect(JSON.stringify(events).includes('"wonder"') ? 'yes' : 'no').toBe(reasoning);
      }
      expect(usage).toBe('reported');
      expect(found.tokens).toBe(112);
      if (path === messagesPath)
        await playNextTurn({ name, proxy, upstream }, body, JSON.parse(text));
    },
  );
});

/** The fields that the services get back. */
const returned = {
  thought_signature: ['gemini'],
  reasoning_details: ['openrouter'],
  reasoning: ['groq', 'ollama'],
  reasoning_content: ['deepseek', 'vllm', 'llama-cpp', 'lm-studio'],
};

/** The upstream gets back what it has sent, in the fields in which it takes it. */
async function playNextTurn(
  { name, proxy, upstream }: Awaited<ReturnType<typeof start>> & Readonly<{ name: string }>,
  body: object,
  { content }: Readonly<{ content: readonly Item[] }>,
): Promise<void> {
  const call = content.find(({ type }) => type === 'tool_use');
  const result = { type: 'tool_result', tool_use_id: call?.id, content: 'rain' };
  const next = [...messages, { role: 'assistant', content }, { role: 'user', content: [result] }];
  const response = await proxy.post(messagesPath, proxy.key, { ...body, messages: next });
  expect(response.status).toBe(200);
  const sent = upstream.requests.at(-1)?.messages as readonly Item[];
  const [, reply] = sent;
  const fields = { role: 'assistant', content: 'Hello' };
  expect(reply).toMatchObject({ ...fields, tool_calls: [{ id: 'call_1' }] });
  for (const [field, names] of Object.entries(returned)) {
    expect(JSON.stringify(reply).includes(`"${field}":`), field).toBe(names.includes(name));
  }
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
  const [summary] = (thought?.summary ?? []) as readonly Item[];
  return {
    tokens,
    reasoning: thought?.thinking ?? summary?.text ?? null,
    calls: items
      .filter(({ type }) => type === 'function_call' || type === 'tool_use')
      .map((item) => toCall(item.name, item.arguments ?? item.input)),
  };
}

function toCall(name: unknown, input: unknown) {
  return { name, input: typeof input === 'string' ? JSON.parse(input) : input };
}
