import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect } from 'vitest';
import { forTests } from '../for-tests.ts';
import { type Api, type BilledReply, toFrames, toJsonReply } from '../upstreams/billed-replies.ts';
import type { ModelRequest } from '../upstreams/billing-upstream.ts';
import { eventStream, startRawUpstream } from '../upstreams/raw-upstream.ts';
import { chatPath, messagesPath, responsesPath, startProxyWith } from './in-process-proxy.ts';

type Json = Readonly<Record<string, unknown>>;

/** The upstreams, and what they have. */
const upstreams = {
  native: { protocols: ['chat', 'responses', 'messages'] },
  chat: { protocols: ['chat'] },
  responses: { protocols: ['responses'] },
  messages: { protocols: ['messages'] },
  'chat-responses': { protocols: ['chat', 'responses'] },
  'chat-messages': { protocols: ['chat', 'messages'] },
  embeddings: { protocols: ['embeddings'] },
  accepting: { protocols: ['chat'], accepts: ['developer', 'metadata', 'prompt_cache_key'] },
} as const;

type UpstreamName = keyof typeof upstreams;

/** A message that an upstream of chat gets. */
export type SentMessage = Json &
  Readonly<{ role: string; content?: unknown; tool_calls?: unknown; reasoning_content?: unknown }>;

/** The JSON that an upstream gets, in the form of Chat Completions or of Responses. */
type ReceivedRequest = ModelRequest &
  Readonly<{ messages: readonly SentMessage[]; input: readonly Json[] }>;

/** A request as the upstream got it: its text, byte by byte. */
export type SentRequest = Readonly<{ path: string; text: string; headers: IncomingHttpHeaders }>;

/** A reply of Chat Completions, written as the request wants it. */
type ChatReply = Readonly<{
  message: Json;
  /** The same reply in a stream. Default: the message in one piece. */
  deltas?: readonly Json[];
  finish?: string;
}>;

/** What is not a 200. */
export type ErrorReply = Readonly<{ status: number; body: string | object }>;

/** What a request gets: the text of a 200, JSON or frames; or a reply, by default `Hello` in its own protocol. */
export type Reply = string | ErrorReply | ChatReply | BilledReply | null;

type ToReply = (request: ReceivedRequest, sent: SentRequest) => Reply;

/** A prompt in the form of each endpoint. */
export const prompts: Readonly<Record<string, Json>> = {
  [chatPath]: { messages: [{ role: 'user', content: 'Hello' }] },
  [responsesPath]: { input: 'Hello' },
  [messagesPath]: { max_tokens: 2000, messages: [{ role: 'user', content: 'Hello' }] },
};

const modelsMax = 300;
const unknownModel = '{"type":"error","error":{"type":"not_found_error","message":"model: x"}}';

/**
 * Starts one proxy for the tests of a file. @returns a function that adds a model to one of its upstreams: what the
 * proxy learns of a model does not reach the next test.
 */
export function setUpModels() {
  const proxy = forTests(startProxy);
  return (upstream: UpstreamName, toReply: ToReply) => proxy.addModel(upstream, toReply);
}

/** A model that replies to one test, and the proxy before it. */
export type TestModel = ReturnType<ReturnType<typeof setUpModels>>;

/** The first request is sent again after an error, repaired; those after it are repaired before. */
export async function expectLearned(model: TestModel, path: string, body: string | object) {
  for (const requests of [2, 3]) {
    const { status } = await model.send(path, body);
    expect([status, model.requests.length]).toEqual([200, requests]);
  }
}

async function startProxy() {
  const models = new Map<string, Readonly<{ toReply: ToReply; sent: SentRequest[] }>>();
  const server = await startRawUpstream((response, { method, url = '', headers }, text) => {
    const [, upstream = '', path = ''] = /^\/v1\/([\w-]+)(.*)/.exec(url) ?? [];
    if (method === 'GET') return respond(response, 200, listModels(upstream));
    const request: ReceivedRequest = JSON.parse(text);
    const model = models.get(String(request.model));
    if (model === undefined) return respond(response, 404, unknownModel);
    const sent = { path, text, headers };
    model.sent.push(sent);
    const reply = model.toReply(request, sent);
    if (typeof reply === 'string') return respond(response, 200, reply);
    if (reply === null || 'counts' in reply) {
      return respond(response, 200, writeReply(path, request, reply ?? plainReply));
    }
    if ('message' in reply) return respond(response, 200, writeChatReply(request, reply));
    const { status, body } = reply;
    return respond(response, status, typeof body === 'string' ? body : JSON.stringify(body));
  });
  const proxy = await startProxyWith(toFile(server.url));
  const { url, baseUrl, key } = proxy;
  return {
    addModel(upstream: UpstreamName, toReply: ToReply) {
      const name = toName(upstream, models.size);
      const sent: SentRequest[] = [];
      models.set(name, { toReply, sent });
      return {
        name,
        /** What the upstream got, in order. */
        sent,
        get requests() {
          return sent.map(({ text }): ReceivedRequest => JSON.parse(text));
        },
        /** What a client gets; `body` of JSON. The name of the model is added to the request. */
        async send(
          path: string,
          body: string | object,
          headers: Readonly<Record<string, string>> = {},
        ) {
          const text = typeof body === 'string' ? body : JSON.stringify(body);
          const response = await fetch(url + path, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${key}`,
              'content-type': 'application/json',
              ...headers,
            },
            body: text.replace('{', `{"model":"${name}",`),
          });
          const received = await response.text();
          const isJson = response.headers.get('content-type')?.includes('json') === true;
          return {
            status: response.status,
            text: received,
            body: isJson ? JSON.parse(received) : null,
          };
        },
        /** What was recorded for it. Usage of the last second is written first. */
        async charge() {
          await (await proxy.view(key)).bytes();
          const used = await proxy.database.run((db) =>
            db
              .selectFrom('marquee_usage')
              .select(['tokens_in', 'tokens_out'])
              .where('model', '=', name)
              .execute(),
          );
          const tokens = used.reduce((sum, row) => sum + row.tokens_in + row.tokens_out, 0);
          return { records: used.length, tokens };
        },
        openai: () => new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 }),
        anthropic: () =>
          new Anthropic({ baseURL: `${url}/proxy`, apiKey: key, authToken: null, maxRetries: 0 }),
      };
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function toFile(url: string): object {
  const entries = Object.entries(upstreams).map(([name, settings]) => {
    return { name, url: `${url}/${name}`, keyEnv: 'UPSTREAM_KEY', ...settings };
  });
  return { upstreams: entries };
}

function toName(upstream: string, index: number): string {
  if (index >= modelsMax) throw new RangeError('No upstream lists so many models.');
  return `${upstream}/${index}`;
}

function listModels(upstream: string): string {
  const data = Array.from({ length: modelsMax }, (_, index) => ({ id: toName(upstream, index) }));
  return JSON.stringify({ data });
}

function respond(response: ServerResponse, status: number, body: string): void {
  const isStream = /^(?:event|data):/.test(body);
  response.writeHead(status, isStream ? eventStream : { 'content-type': 'application/json' });
  response.end(body);
}

const plainReply: BilledReply = { counts: { input: 100, output: 12 } };

function writeReply(path: string, { stream }: ModelRequest, reply: BilledReply): string {
  const api = path === chatPath.slice('/proxy/v1'.length) ? 'chat' : (path.slice(1) as Api);
  return stream === true
    ? toFrames(api, reply)
        .map((frame) => frame.text)
        .join('')
    : JSON.stringify(toJsonReply(api, reply));
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function writeChatReply({ model, stream }: ModelRequest, reply: ChatReply): string {
  const { message, deltas = [withIndexes(message)] } = reply;
  const { finish = message.tool_calls === undefined ? 'stop' : 'tool_calls' } = reply;
  const head = { id: 'chatcmpl-1', created: 1, model };
  if (stream !== true) {
    const complete = { role: 'assistant', content: null, ...message };
    const choices = [{ index: 0, message: complete, finish_reason: finish }];
    return JSON.stringify({ ...head, object: 'chat.completion', choices, usage });
  }
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage },
  ].map((chunk) => JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk }));
  return [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function withIndexes(message: Json): Json {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call: Json, index) => ({ index, ...call })) };
}
