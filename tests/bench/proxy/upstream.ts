import { createServer, type ServerResponse } from 'node:http';

/**
 * The upstream of the proxy's benchmark: answers made beforehand, so that it costs as little as it can.
 * The model's name says what comes: `json` a reply of 1 kB; `burst` 200 chunks at once; `paced` 100
 * chunks, one every 10 ms, each with the moment it left (ms, monotonic for all processes of a machine).
 */
const text = 'a'.repeat(600);
const usage = { prompt_tokens: 10, completion_tokens: 200, total_tokens: 210 };
const chatHead = { id: 'chatcmpl-bench', created: 1_780_000_000, model: 'bench/model' };

const chatReply = JSON.stringify({
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
const done = { ...message, status: 'completed', content: [part] };
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
  output: [done],
  usage: responsesUsage,
};

let number = 0;
function toEvent(type: string, fields: object): string {
  return `event: ${type}\n${toFrame({ type, sequence_number: number++, ...fields })}`;
}

const place = { item_id: message.id, output_index: 0, content_index: 0 };
const begun = { ...responseHead, status: 'in_progress', output: [], usage: null };
const item = { ...message, status: 'in_progress', content: [] };

function toResponsesFrames(deltas: readonly string[]): string[] {
  number = 0;
  const start = [
    toEvent('response.created', { response: begun }),
    toEvent('response.in_progress', { response: begun }),
    toEvent('response.output_item.added', { output_index: 0, item }),
    toEvent('response.content_part.added', { ...place, part: { ...part, text: '' } }),
  ];
  const middle = deltas.map((delta) =>
    toEvent('response.output_text.delta', { ...place, delta, logprobs: [] }),
  );
  const end = [
    toEvent('response.output_text.done', { ...place, text: deltas.join(''), logprobs: [] }),
    toEvent('response.content_part.done', { ...place, part }),
    toEvent('response.output_item.done', { output_index: 0, item: done }),
    toEvent('response.completed', { response }),
  ];
  return [start.join(''), ...middle, `${end.join('')}data: [DONE]\n\n`];
}

function toChatFrames(deltas: readonly string[]): string[] {
  return [chatStart, ...deltas.map((content) => toChatChunk({ content })), chatEnd];
}

const words = Array.from({ length: 200 }, (_, index) => `word ${index} `);
const bursts = {
  chat: toChatFrames(words).join(''),
  responses: toResponsesFrames(words).join(''),
};

function toFrame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

const server = createServer({ keepAliveTimeout: 75_000 }, (request, reply) => {
  const isChat = request.url?.endsWith('/chat/completions') ?? false;
  if (request.method === 'GET') {
    send(reply, JSON.stringify({ object: 'list', data: [] }));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const [, kind] = /"model":\s*"bench\/(\w+)"/.exec(body) ?? [];
    if (kind === 'json') send(reply, isChat ? chatReply : JSON.stringify(response));
    else if (kind === 'burst') stream(reply).end(isChat ? bursts.chat : bursts.responses);
    else void sendPaced(stream(reply), isChat);
  });
});

function send(reply: ServerResponse, body: string): void {
  const length = Buffer.byteLength(body);
  reply.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
  reply.end(body);
}

function stream(reply: ServerResponse): ServerResponse {
  reply.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  return reply;
}

async function sendPaced(reply: ServerResponse, isChat: boolean): Promise<void> {
  const toFrames = isChat ? toChatFrames : toResponsesFrames;
  const [start = '', ...rest] = toFrames(Array.from({ length: 100 }, () => ' word'));
  reply.write(start);
  let next = 0;
  const timer = setInterval(() => {
    reply.write(rest[next++] ?? '');
    if (next < rest.length && !reply.destroyed) return;
    clearInterval(timer);
    reply.end();
  }, 10);
}

server.listen(Number(process.env.PORT), '127.0.0.1');
