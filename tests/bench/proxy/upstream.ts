import { createServer, type ServerResponse } from 'node:http';
import type { Completion } from '#lib/demo/models/completion/completion.ts';
import {
  type ResponseMeta,
  toChatFrames,
  toChatResult,
} from '#lib/demo/models/protocols/chat-format.ts';
import { toMessagesFrames, toMessagesResult } from '#lib/demo/models/protocols/messages-format.ts';
import {
  toResponsesFrames,
  toResponsesResult,
} from '#lib/demo/models/protocols/responses-format.ts';
import { jsonHeaders, sendPieces, toStreamReply } from '#lib/demo/models/reply.ts';

/**
 * The upstream of the proxy's benchmark: prebuilt responses, in the formats of the demo's models. The model's name
 * chooses: `json` is 1 to 2 kB at once (8 kB for embeddings), `burst` 200 chunks, `short` 40, `calls` those of a call,
 * `paced` 100, one every 10 ms.
 */
const meta: ResponseMeta = {
  id: 'bench',
  createdAt: 1_780_000_000,
  model: 'bench/model',
  request: {},
};

const formats = {
  chat: {
    toResult: toChatResult,
    toFrames: (completion: Completion) => toChatFrames(completion, meta, { includeUsage: true }),
  },
  responses: { toResult: toResponsesResult, toFrames: toResponsesFrames },
  messages: { toResult: toMessagesResult, toFrames: toMessagesFrames },
};

const plain = { calls: [], reasoning: [], finish: 'stop', promptTokens: 10, outputTokens: 200 };
const toText = (...pieces: string[]) => ({ ...plain, pieces }) as Completion;
/** The arguments come in pieces of nine characters. */
const written = JSON.stringify({ text: 'a'.repeat(200 * 9 - '{"text":""}'.length) });
const called: Completion = {
  ...toText(),
  calls: [{ id: 'call_bench', name: 'write_file', arguments: written }],
  finish: 'tool_calls',
};
const words = Array.from({ length: 200 }, (_, index) => `word ${index} `);

/** The responses of an API: bodies, and a stream in its pieces. */
function toResponses({ toResult, toFrames }: (typeof formats)[keyof typeof formats]) {
  const toStream = (completion: Completion) => toStreamReply(toFrames(completion, meta));
  return {
    json: JSON.stringify(toResult(toText('a'.repeat(600)), meta)),
    burst: [...toStream(toText(...words)).pieces].join(''),
    short: [...toStream(toText(...words.slice(0, 40))).pieces].join(''),
    calls: [...toStream(called).pieces].join(''),
    paced: toStream(toText(...Array.from({ length: 100 }, () => ' word'))),
  };
}

const responses = {
  chat: toResponses(formats.chat),
  responses: toResponses(formats.responses),
  messages: toResponses(formats.messages),
};

/** One vector of 384 numbers: 8 kB. */
const embedding = Array.from({ length: 384 }, (_, index) => Math.sin(index));
const embeddings = JSON.stringify({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding }],
  model: 'bench/model',
  usage: { prompt_tokens: 10, total_tokens: 10 },
});

const server = createServer({ keepAliveTimeout: 75_000 }, (request, outgoing) => {
  const { json, burst, short, calls, paced } = responses[toApi(request.url ?? '')];
  if (request.method === 'GET') {
    sendJson(outgoing, JSON.stringify({ object: 'list', data: [] }));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const [, kind] = /"model":\s*"bench\/(\w+)"/.exec(body) ?? [];
    if (request.url?.endsWith('/embeddings')) sendJson(outgoing, embeddings);
    else if (kind === 'json') sendJson(outgoing, json);
    else if (kind === 'paced') void sendPieces(outgoing, paced, 10).then(() => outgoing.end());
    else outgoing.writeHead(200, paced.headers).end({ calls, short }[kind ?? ''] ?? burst);
  });
});

function toApi(url: string): keyof typeof responses {
  if (url.endsWith('/chat/completions')) return 'chat';
  return url.endsWith('/messages') ? 'messages' : 'responses';
}

function sendJson(outgoing: ServerResponse, body: string): void {
  const length = { 'content-length': Buffer.byteLength(body) };
  outgoing.writeHead(200, { ...jsonHeaders, ...length }).end(body);
}

server.listen(Number(process.env.PORT), '127.0.0.1');
