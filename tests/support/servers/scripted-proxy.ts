import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import type { ModelRequest } from '../upstreams/billing-upstream.ts';
import { eventStream, startRawUpstream } from '../upstreams/raw-upstream.ts';
import { startInProcessProxy } from './in-process-proxy.ts';

type Json = Readonly<Record<string, unknown>>;

/** What one chat request gets: an error, or a reply. */
export type ScriptedReply =
  | Readonly<{ status: number; body: object }>
  | Readonly<{
      message: Json;
      /** The same reply in a stream. Default: the message in one piece. */
      deltas?: readonly Json[];
      finish?: string;
    }>;

export const scriptedModel = 'scripted/one';
const head = { id: 'chatcmpl-1', created: 1, model: scriptedModel };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** The proxy before an upstream with only Chat Completions, which replies as it is told. Both stop with the scope. */
export async function startScriptedProxy(toReply: (request: ModelRequest) => ScriptedReply) {
  const requests: ModelRequest[] = [];
  const upstream = await startRawUpstream((response, { method }, body) => {
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ id: scriptedModel }] }));
      return;
    }
    const request: ModelRequest = JSON.parse(body);
    requests.push(request);
    const reply = toReply(request);
    if ('status' in reply) {
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.body));
    } else if (request.stream === true) {
      response.writeHead(200, eventStream);
      response.end(toStream(reply));
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(toResult(reply));
    }
  });
  const folder = makeTemporaryFolder();
  const path = join(folder.path, 'upstreams.json');
  writeFileSync(path, JSON.stringify(toFile(upstream.url)));
  const proxy = await startInProcessProxy({
    environment: {
      AI_UPSTREAM_URL: '',
      AI_UPSTREAM_KEY: '',
      AI_MODELS: '',
      AI_UPSTREAMS_FILE: path,
      SCRIPT_KEY: 'sk-script',
    },
  });
  return {
    proxy,
    requests,
    /** What the client gets: JSON, or the text of a stream. */
    async send(path: string, body: object) {
      const sent = { model: scriptedModel, ...body };
      const response = await proxy.post(path, proxy.key, sent);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, text, body: isJson ? JSON.parse(text) : null };
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export type ScriptedProxy = Awaited<ReturnType<typeof startScriptedProxy>>;

function toFile(url: string): object {
  return { upstreams: [{ name: 'scripted', url, keyEnv: 'SCRIPT_KEY', protocols: ['chat'] }] };
}

type Reply = Exclude<ScriptedReply, { status: number }>;

function toFinish({ message, finish }: Reply): string {
  return finish ?? (message.tool_calls === undefined ? 'stop' : 'tool_calls');
}

function toResult(reply: Reply): string {
  const message = { role: 'assistant', content: null, ...reply.message };
  const choices = [{ index: 0, message, finish_reason: toFinish(reply) }];
  return JSON.stringify({ ...head, object: 'chat.completion', choices, usage });
}

function toStream(reply: Reply): string {
  const { message, deltas = [withIndexes(message)] } = reply;
  const chunks = [
    ...deltas.map((delta) => [{ index: 0, delta, finish_reason: null }]),
    [{ index: 0, delta: {}, finish_reason: toFinish(reply) }],
    [],
  ].map((choices) => ({ ...head, object: 'chat.completion.chunk', choices }));
  const frames = chunks.map((chunk) => (chunk.choices.length > 0 ? chunk : { ...chunk, usage }));
  return [...frames.map((frame) => JSON.stringify(frame)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

function withIndexes(message: Json): Json {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call: Json, index) => ({ index, ...call })) };
}
