import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { eventStream, startRawUpstream } from '../upstreams/raw-upstream.ts';
import { startInProcessProxy } from './in-process-proxy.ts';

/** A request as the upstream got it: its text, byte by byte. */
export type RawRequest = Readonly<{ path: string; text: string; headers: IncomingHttpHeaders }>;

/** An error response. */
export type RawError = Readonly<{ status: number; text: string }>;

/** The text of a reply: JSON, or frames where it begins with `event:` or `data:`. */
type ToText = (request: RawRequest) => string | RawError;

/** Models of an upstream that speaks all protocols or those that are named, and of one that has only Chat Completions. */
export const nativeModel = 'native/one';
export const chatModel = 'chat/one';

/** The proxy before two upstreams which reply with the texts that they are told. All stop with the scope. */
export async function startRawProxy(
  toText: ToText,
  {
    protocols = ['chat', 'responses', 'messages'],
  }: Readonly<{ protocols?: readonly string[] }> = {},
) {
  const requests: RawRequest[] = [];
  const listing = (model: string) =>
    startRawUpstream((response, { method, url = '', headers }, text) => {
      if (method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ data: [{ id: model }] }));
        return;
      }
      const request = { path: url.replace(/^\/v1/, ''), text, headers };
      requests.push(request);
      const reply = toText(request);
      const { status, text: body } =
        typeof reply === 'string' ? { status: 200, text: reply } : reply;
      const isStream = /^(?:event|data):/.test(body);
      response.writeHead(status, isStream ? eventStream : { 'content-type': 'application/json' });
      response.end(body);
    });
  const native = await listing(nativeModel);
  const chat = await listing(chatModel);
  const folder = makeTemporaryFolder();
  const path = join(folder.path, 'upstreams.json');
  const upstreams = [
    { name: 'native', url: native.url, keyEnv: 'RAW_KEY', protocols },
    { name: 'chat', url: chat.url, keyEnv: 'RAW_KEY', protocols: ['chat'] },
  ];
  writeFileSync(path, JSON.stringify({ upstreams }));
  const proxy = await startInProcessProxy({
    environment: {
      AI_UPSTREAM_URL: '',
      AI_UPSTREAM_KEY: '',
      AI_MODELS: '',
      AI_UPSTREAMS_FILE: path,
      RAW_KEY: 'sk-raw',
    },
  });
  return {
    requests,
    url: proxy.url,
    key: proxy.key,
    /** What the client gets, as text. */
    async send(
      path: string,
      body: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<string> {
      const response = await fetch(proxy.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${proxy.key}`,
          'content-type': 'application/json',
          ...headers,
        },
        body,
      });
      return response.text();
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await native[Symbol.asyncDispose]();
      await chat[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
