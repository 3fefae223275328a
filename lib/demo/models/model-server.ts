import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type LocalServer, listen } from '../listen.ts';
import { handleEmbeddings } from './handle-embeddings.ts';
import {
  handleCountTokens,
  handleGeneration,
  handleModelList,
  toErrorReply,
} from './handle-model-request.ts';
import { type Reply, sendPieces, toJsonReply } from './reply.ts';

type ModelServerOptions = Readonly<{
  key: string;
  /** Between two frames of a stream, ms. */
  paceMs: number;
}>;

export type ModelRequest = Readonly<{
  method: string;
  /** Below the base URL; empty outside of it. */
  path: string;
  authorization: string | undefined;
  body: unknown;
}>;

/** The path of the base URL. */
export const basePath = '/api/v1';
const bodyBytesMax = 64 * 1024 * 1024;

/** Starts a local upstream. Its `url` is the base URL of clients. */
export async function startModelServer({ key, paceMs }: ModelServerOptions): Promise<LocalServer> {
  const handle = createModelHandler(key);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = handle(await readModelRequest(request));
    await sendPieces(response, reply, paceMs);
    response.end();
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(server);
  return { url: url + basePath, close };
}

export async function readModelRequest(request: IncomingMessage): Promise<ModelRequest> {
  const { method = '', url = '', headers } = request;
  const [pathname = ''] = url.split('?');
  const { authorization } = headers;
  const body = method === 'POST' ? await readJson(request) : undefined;
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : '';
  return { method, path, authorization, body };
}

/** Parses a request's JSON body; undefined if it is empty, too long or not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Chat Completions, Responses, Messages, embeddings and model lists, with generated replies. */
export function createModelHandler(key: string): (request: ModelRequest) => Reply {
  let requests = 0;
  return ({ method, path, authorization, body }) => {
    if (authorization !== `Bearer ${key}`) return invalidKey;
    requests += 1;
    const meta = { id: requests.toString(36), createdAt: Math.floor(Date.now() / 1000) };
    switch (`${method} ${path}`) {
      case 'POST /chat/completions':
        return handleGeneration('chat', body, meta);
      case 'POST /responses':
        return handleGeneration('responses', body, meta);
      case 'POST /messages':
        return handleGeneration('messages', body, meta);
      case 'POST /messages/count_tokens':
        return handleCountTokens(body);
      case 'POST /embeddings':
        return handleEmbeddings(body);
      case 'GET /models':
        return handleModelList('language');
      case 'GET /embeddings/models':
        return handleModelList('embedding');
      default:
        return unknownUrl;
    }
  };
}

const invalidKey = toErrorReply({
  status: 401,
  message: 'Incorrect API key provided.',
  type: 'invalid_request_error',
  param: null,
  code: 'invalid_api_key',
});

const unknownUrl = toJsonReply(404, {
  error: {
    message: 'Unknown request URL.',
    type: 'invalid_request_error',
    param: null,
    code: 'unknown_url',
  },
});
