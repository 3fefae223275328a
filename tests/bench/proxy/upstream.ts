import { createServer, type ServerResponse } from 'node:http';

/**
 * The upstream of the proxy's benchmark: prebuilt responses. The model's name chooses: `json` is 1 kB at
 * once (8 kB for embeddings), `burst` 200 chunks, `calls` those of a call, `paced` 100, one every 10 ms.
 */
const text = 'a'.repeat(600);
const usage = { prompt_tokens: 10, completion_tokens: 200, total_tokens: 210 };
const chatHead = { id: 'chatcmpl-bench', created: 1_780_000_000, model: 'bench/model' };

const chatCompletion = JSON.stringify({
  ...chatHead,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: text, refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage,
});

function toChatChunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return toFrame({ ...chatHead, object: 'chat.completion.chunk', choices });
}

const chatStart = toChatChunk({ role: 'assistant', content: '' });
const chatEnd = `${toChatChunk({}, 'stop')}${toFrame({ ...chatHead, object: 'chat.completion.chunk', choices: [], usage })}data: [DONE]\n\n`;

const message = { type: 'message', id: 'msg_bench', role: 'assistant' };
const part = { type: 'output_text', text, annotations: [], logprobs: [] };
const outputItem = { ...message, status: 'completed', content: [part] };
const responseHead = {
  id: 'resp_bench',
  object: 'response',
  created_at: 1_780_000_000,
  model: 'bench/model',
};
const responsesUsage = { input_tokens: 10, output_tokens: 200, total_tokens: 210 };
const response = {
  ...responseHead,
  status: 'completed',
  output: [outputItem],
  usage: responsesUsage,
};

/** One vector of 384 numbers: 8 kB. */
const embeddings = JSON.stringify({
  object: 'list',
  data: [
    {
      object: 'embedding',
      index: 0,
      embedding: Array.from({ length: 384 }, (_, index) => Math.sin(index)),
    },
  ],
  model: 'bench/model',
  usage: { prompt_tokens: 10, total_tokens: 10 },
});

const messagesUsage = { input_tokens: 10, output_tokens: 200 };
const messageHead = {
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'bench/model',
  stop_sequence: null,
};
const wholeMessage = JSON.stringify({
  ...messageHead,
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: messagesUsage,
});

let sequenceNumber = 0;
function toEvent(type: string, fields: object): string {
  return `event: ${type}\n${toFrame({ type, sequence_number: sequenceNumber++, ...fields })}`;
}

const position = { item_id: message.id, output_index: 0, content_index: 0 };
const created = { ...responseHead, status: 'in_progress', output: [], usage: null };
const emptyItem = { ...message, status: 'in_progress', content: [] };

function toResponsesFrames(deltas: readonly string[]): string[] {
  sequenceNumber = 0;
  const start = [
    toEvent('response.created', { response: created }),
    toEvent('response.in_progress', { response: created }),
    toEvent('response.output_item.added', { output_index: 0, item: emptyItem }),
    toEvent('response.content_part.added', { ...position, part: { ...part, text: '' } }),
  ];
  const middle = deltas.map((delta) =>
    toEvent('response.output_text.delta', { ...position, delta, logprobs: [] }),
  );
  const end = [
    toEvent('response.output_text.done', { ...position, text: deltas.join(''), logprobs: [] }),
    toEvent('response.content_part.done', { ...position, part }),
    toEvent('response.output_item.done', { output_index: 0, item: outputItem }),
    toEvent('response.completed', { response }),
  ];
  return [start.join(''), ...middle, `${end.join('')}data: [DONE]\n\n`];
}

function toChatFrames(deltas: readonly string[]): string[] {
  return [chatStart, ...deltas.map((content) => toChatChunk({ content })), chatEnd];
}

function toMessagesEvent(type: string, fields: object = {}): string {
  return `event: ${type}\n${toFrame({ type, ...fields })}`;
}

function toMessagesFrames(deltas: readonly string[]): string[] {
  const usage = { ...messagesUsage, output_tokens: 1 };
  const start = { ...messageHead, content: [], stop_reason: null, usage };
  const block = { index: 0, content_block: { type: 'text', text: '' } };
  const end = [
    toMessagesEvent('content_block_stop', { index: 0 }),
    toMessagesEvent('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: messagesUsage,
    }),
    toMessagesEvent('message_stop'),
  ];
  return [
    toMessagesEvent('message_start', { message: start }) +
      toMessagesEvent('content_block_start', block),
    ...deltas.map((delta) =>
      toMessagesEvent('content_block_delta', {
        index: 0,
        delta: { type: 'text_delta', text: delta },
      }),
    ),
    end.join(''),
  ];
}

const called = { id: 'call_bench', name: 'write_file' };

function toChatCall(deltas: readonly string[]): string[] {
  const toDelta = (call: object) => toChatChunk({ tool_calls: [{ index: 0, ...call }] });
  return [
    toDelta({ id: called.id, function: { name: called.name, arguments: '' } }),
    ...deltas.map((text) => toDelta({ function: { arguments: text } })),
    chatEnd.replace('"stop"', '"tool_calls"'),
  ];
}

function toResponsesCall(deltas: readonly string[]): string[] {
  sequenceNumber = 0;
  const item = { type: 'function_call', id: 'fc_1', call_id: called.id, name: called.name };
  const place = { item_id: item.id, output_index: 0 };
  const complete = { ...item, arguments: deltas.join('') };
  const type = 'response.function_call_arguments';
  return [
    ...['created', 'in_progress'].map((name) => toEvent(`response.${name}`, { response: created })),
    toEvent('response.output_item.added', { output_index: 0, item: { ...item, arguments: '' } }),
    ...deltas.map((delta) => toEvent(`${type}.delta`, { ...place, delta })),
    toEvent(`${type}.done`, { ...place, arguments: complete.arguments }),
    toEvent('response.output_item.done', { output_index: 0, item: complete }),
    toEvent('response.completed', { response: { ...response, output: [complete] } }),
  ];
}

function toMessagesCall(deltas: readonly string[]): string[] {
  const [first = '', ...rest] = toMessagesFrames(deltas);
  const block = { type: 'tool_use', ...called, input: {} };
  return [
    first.replace('{"type":"text","text":""}', JSON.stringify(block)),
    ...rest.map((frame) => frame.replace('text_delta","text', 'input_json_delta","partial_json')),
  ];
}

/** The JSON and the frames of an API. */
const replies = {
  chat: { whole: chatCompletion, toFrames: toChatFrames },
  responses: { whole: JSON.stringify(response), toFrames: toResponsesFrames },
  messages: { whole: wholeMessage, toFrames: toMessagesFrames },
} as const;
type Api = keyof typeof replies;

const words = Array.from({ length: 200 }, (_, index) => `word ${index} `);
const bursts = {
  chat: toChatFrames(words).join(''),
  responses: toResponsesFrames(words).join(''),
  messages: toMessagesFrames(words).join(''),
};

const pieces = ['{"text":"', ...words, '"}'];
const calls = {
  chat: toChatCall(pieces).join(''),
  responses: toResponsesCall(pieces).join(''),
  messages: toMessagesCall(pieces).join(''),
};

function toFrame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

const server = createServer({ keepAliveTimeout: 75_000 }, (request, outgoing) => {
  const api = toApi(request.url ?? '');
  if (request.method === 'GET') {
    send(outgoing, JSON.stringify({ object: 'list', data: [] }));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const [, kind] = /"model":\s*"bench\/(\w+)"/.exec(body) ?? [];
    if (request.url?.endsWith('/embeddings')) send(outgoing, embeddings);
    else if (kind === 'json') send(outgoing, replies[api].whole);
    else if (kind === 'burst') stream(outgoing).end(bursts[api]);
    else if (kind === 'calls') stream(outgoing).end(calls[api]);
    else void sendPaced(stream(outgoing), api);
  });
});

function toApi(url: string): Api {
  if (url.endsWith('/chat/completions')) return 'chat';
  return url.endsWith('/messages') ? 'messages' : 'responses';
}

function send(outgoing: ServerResponse, body: string): void {
  const length = Buffer.byteLength(body);
  outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
  outgoing.end(body);
}

function stream(outgoing: ServerResponse): ServerResponse {
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  return outgoing;
}

async function sendPaced(outgoing: ServerResponse, api: Api): Promise<void> {
  const [start = '', ...rest] = replies[api].toFrames(Array.from({ length: 100 }, () => ' word'));
  outgoing.write(start);
  let next = 0;
  const timer = setInterval(() => {
    outgoing.write(rest[next++] ?? '');
    if (next < rest.length && !outgoing.destroyed) return;
    clearInterval(timer);
    outgoing.end();
  }, 10);
}

server.listen(Number(process.env.PORT), '127.0.0.1');
