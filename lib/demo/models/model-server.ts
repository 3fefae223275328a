import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { faultCanary } from '../airtable/faults.ts';
import { readJson } from '../read-json.ts';
import { toFaultyReply } from './faults/fault-models.ts';
import { handleEmbeddings } from './handle-embeddings.ts';
import {
  handleCountTokens,
  handleGeneration,
  handleModelList,
  toErrorReply,
} from './handle-model-request.ts';
import { createModelStats, type ModelStats } from './model-stats.ts';
import { type Reply, sendReply, toJsonReply } from './reply.ts';

export type ModelServerOptions = Readonly<{
  /** 0, the default, picks any free port. */
  port?: number;
  key: string;
  /** False simulates an upstream with Chat Completions only. */
  hasResponses?: boolean;
  /** False simulates an upstream without the Messages API. */
  hasMessages?: boolean;
  /** False simulates an upstream with one list for all models. */
  hasEmbeddingsList?: boolean;
  /** With names and prices as from OpenRouter, or with ids only as from OpenAI. */
  listFormat?: 'rich' | 'plain';
  /** Between two frames of a stream, ms. */
  paceMs?: number;
  now?: () => number;
}>;

/** A fault for the next requests to a path, whatever model they name. */
export type PathFault = Readonly<{ path: string; name: string; times: number }>;

export type ModelServer = Readonly<{
  /** With the version, without a trailing slash. */
  url: string;
  key: string;
  /** Applies a connection or response fault to the next requests to a path, such as `/models`. */
  setPathFault: (fault: PathFault | null) => void;
  stats: () => ModelStats;
  /** Closes the server and all connections, hanging ones too. */
  close: () => Promise<void>;
}>;

const base = '/api/v1';
const bodyBytesMax = 64 * 1024 * 1024;

/**
 * Starts a local upstream: Chat Completions, Responses, Messages, embeddings and model lists over HTTP, with
 * generated replies, and faults by model name (see `faultTable`).
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { key, paceMs = 0, now = Date.now } = options;
  const stats = createModelStats();
  let pathFault: PathFault | null = null;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pathname = (request.url ?? '').split('?')[0] ?? '';
    const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
    stats.open(`${request.method} ${path}`, response);
    const body = request.method === 'POST' ? await readJson(request, bodyBytesMax) : undefined;
    const reply = applyPathFault(path, toReply(request, path, body));
    await sendReply(response, { ...reply, paceMs: reply.paceMs || paceMs }, stats.addBytes);
  }

  function toReply(request: IncomingMessage, path: string, body: unknown): Reply {
    if (request.headers.authorization !== `Bearer ${key}`) return invalidKey;
    const meta = { id: stats.read().requests.toString(36), createdAt: Math.floor(now() / 1000) };
    const {
      listFormat = 'rich',
      hasEmbeddingsList = true,
      hasResponses = true,
      hasMessages = true,
    } = options;
    if (!request.url?.startsWith(base)) return unknownUrl;
    switch (`${request.method} ${path}`) {
      case 'POST /chat/completions':
        return handleGeneration('chat', body, meta);
      case 'POST /responses':
        return hasResponses ? handleGeneration('responses', body, meta) : unknownUrl;
      case 'POST /messages':
        return hasMessages ? handleGeneration('messages', body, meta) : unknownUrl;
      case 'POST /messages/count_tokens':
        return hasMessages ? handleCountTokens(body) : unknownUrl;
      case 'POST /embeddings':
        return handleEmbeddings(body);
      case 'GET /models':
        return handleModelList(hasEmbeddingsList ? 'language' : 'all', listFormat);
      case 'GET /embeddings/models':
        return hasEmbeddingsList ? handleModelList('embedding', listFormat) : unknownUrl;
      default:
        return unknownUrl;
    }
  }

  function applyPathFault(path: string, reply: Reply): Reply {
    if (pathFault?.path !== path || pathFault.times < 1) return reply;
    pathFault = { ...pathFault, times: pathFault.times - 1 };
    return toFaultyReply(pathFault.name, reply);
  }

  const server = createServer((request, response) => {
    // No client should see any header of the upstream.
    response.setHeader('openai-organization', `org-${faultCanary}`);
    response.setHeader('set-cookie', `session=${faultCanary}`);
    response.statusMessage = `Canary ${faultCanary}`;
    handle(request, response).catch(() => response.destroy());
  });
  server.on('connection', stats.connect);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;

  return {
    url: `http://127.0.0.1:${port}${base}`,
    key,
    setPathFault(fault) {
      pathFault = fault;
    },
    stats: stats.read,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const invalidKey = toErrorReply({
  status: 401,
  message: `Incorrect API key provided: sk-${faultCanary}.`,
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
