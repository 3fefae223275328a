import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatRequest } from '#lib/site/playground/chat-request.ts';
import {
  type ReplyEvent,
  readReplyEvents,
  streamReply,
} from '#lib/site/playground/stream-reply.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { openFileServer } from '../../../support/servers/file-server.ts';

const request: ChatRequest = {
  api: 'chat',
  model: 'demo/small',
  turns: [{ role: 'user', content: 'Say “é”.' }],
};

const chunk = (content: string) => `data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`;

async function listen(siteUrl: string, signal = new AbortController().signal) {
  const events: ReplyEvent[] = [];
  const key = 'mq_test';
  await streamReply(request, { siteUrl, key, signal, onEvent: (event) => events.push(event) });
  return events;
}

test('a reply arrives word by word, split characters included', async () => {
  let received = { key: '', body: '' };
  const proxy = await openFileServer(async (incoming, outgoing) => {
    const { authorization: key = '' } = incoming.headers;
    received = { key, body: await readText(incoming) };
    outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const bytes = Buffer.from(`${chunk('é')}: silence\n\n${chunk('!')}data: [DONE]\n\n`);
    for (const byte of bytes) {
      outgoing.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    outgoing.end();
  });
  expect(await listen(proxy.url)).toEqual([
    { kind: 'text', text: 'é' },
    { kind: 'text', text: '!' },
    { kind: 'ended' },
  ]);
  expect(proxy.requestedPaths).toEqual(['/proxy/v1/chat/completions']);
  expect(received.key).toBe('Bearer mq_test');
  expect(JSON.parse(received.body)).toEqual({
    model: 'demo/small',
    messages: request.turns,
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('an error before the stream has its code and status', async () => {
  const proxy = await openFileServer((_, outgoing) => {
    outgoing.writeHead(402, { 'Content-Type': 'application/json' });
    outgoing.end(
      '{"error":{"message":"Spent.","type":"x","param":null,"code":"insufficient_quota"}}',
    );
  });
  expect(await listen(proxy.url)).toEqual([
    { kind: 'failed', error: { status: 402, code: 'insufficient_quota', message: 'Spent.' } },
  ]);
});

test('an error that is not JSON has its status, and nothing of its text', async () => {
  const proxy = await openFileServer((_, outgoing) => {
    outgoing.writeHead(502).end('<html>secret</html>');
  });
  const [event] = await listen(proxy.url);
  expect(event).toMatchObject({ kind: 'failed', error: { status: 502, code: null } });
  expect(JSON.stringify(event)).not.toContain('secret');
});

test('a stream without an end event has failed, and keeps the text so far', async () => {
  const proxy = await openFileServer((_, outgoing) => {
    outgoing.writeHead(200).end(chunk('half'));
  });
  expect(await listen(proxy.url)).toMatchObject([
    { kind: 'text', text: 'half' },
    { kind: 'failed', error: { code: 'stream_cut' } },
  ]);
});

test('an error in mid-stream is the last event', async () => {
  const proxy = await openFileServer((_, outgoing) => {
    const error = 'data: {"error":{"message":"It broke.","code":"upstream_error"}}\n\n';
    outgoing.writeHead(200).end(`${chunk('half')}${error}data: [DONE]\n\n`);
  });
  const events = await listen(proxy.url);
  expect(events.map(({ kind }) => kind)).toEqual(['text', 'failed']);
});

test('stopping closes the connection, and is reported as an abort', async () => {
  const controller = new AbortController();
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const proxy = await openFileServer((_, outgoing) => {
    outgoing.once('close', () => resolve());
    outgoing.writeHead(200).write(chunk('a'));
    setImmediate(() => controller.abort());
  });
  await expect(listen(proxy.url, controller.signal)).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }),
  );
  await left;
});

const read = (event: unknown) => readReplyEvents(JSON.stringify(event));

test('text is read from both protocols', () => {
  const text = [{ kind: 'text', text: 'Orion' }];
  expect(read({ type: 'response.output_text.delta', delta: 'Orion' })).toEqual(text);
  expect(read({ choices: [{ index: 0, delta: { content: 'Orion' } }] })).toEqual(text);
});

test('a refusal is text too', () => {
  const text = [{ kind: 'text', text: 'No.' }];
  expect(read({ type: 'response.refusal.delta', delta: 'No.' })).toEqual(text);
  expect(read({ choices: [{ delta: { refusal: 'No.', content: null } }] })).toEqual(text);
});

test('tokens are read from both protocols', () => {
  const usage = [{ kind: 'usage', usage: { tokensIn: 5, tokensOut: 7 } }];
  expect(
    read({
      type: 'response.completed',
      response: { usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } },
    }),
  ).toEqual(usage);
  expect(read({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } })).toEqual(usage);
});

test('a truncated reply has its reason, the same in both protocols', () => {
  const cut = { kind: 'cut', reason: 'max_output_tokens' };
  expect(
    read({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' }, usage: null },
    }),
  ).toEqual([cut]);
  expect(read({ choices: [{ delta: {}, finish_reason: 'length' }] })).toEqual([cut]);
  expect(read({ choices: [{ delta: {}, finish_reason: 'stop' }] })).toEqual([]);
});

test('an error in mid-stream is read from both protocols', () => {
  const shown = { status: 200, code: 'upstream_error', message: 'It broke.' };
  const failed = [{ kind: 'failed', error: shown }];
  const error = { message: 'It broke.', type: 'server_error', param: null, code: 'upstream_error' };
  expect(read({ error })).toEqual(failed);
  expect(read({ type: 'error', sequence_number: 4, error })).toEqual(failed);
  expect(read({ type: 'response.failed', response: { error } })).toEqual(failed);
});

test('the end is recognized, and unknown events are ignored', () => {
  expect(readReplyEvents('[DONE]')).toEqual([{ kind: 'ended' }]);
  const unknown = ['{"type":"response.created"}', '{"choices":{}}'];
  for (const data of ['', 'null', '[]', '7', '{', ...unknown]) {
    expect(readReplyEvents(data)).toEqual([]);
  }
});

test('no event makes it throw', () => {
  fc.assert(fc.property(fc.json(), (json) => Array.isArray(readReplyEvents(json))));
  fc.assert(fc.property(anyText(), (text) => Array.isArray(readReplyEvents(text))));
});

test('a stream of Messages has its text, tokens, end and errors', () => {
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: 5, cache_read_input_tokens: 2 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Vega' } },
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ];
  expect(events.flatMap((event) => readReplyEvents(JSON.stringify(event)))).toEqual([
    { kind: 'usage', usage: { tokensIn: 7 } },
    { kind: 'text', text: 'Vega' },
    { kind: 'usage', usage: { tokensOut: 3 } },
    { kind: 'cut', reason: 'max_output_tokens' },
    { kind: 'ended' },
  ]);
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } };
  expect(readReplyEvents(JSON.stringify(error))).toEqual([
    { kind: 'failed', error: { status: 200, code: 'server_is_overloaded', message: 'Busy.' } },
  ]);
});
