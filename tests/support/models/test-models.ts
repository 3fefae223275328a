import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { demoModels } from '#lib/demo/models/catalog.ts';
import {
  basePath,
  createModelHandler,
  type ModelRequest,
  readModelRequest,
} from '#lib/demo/models/model-server.ts';
import { type Reply, toJsonReply } from '#lib/demo/models/reply.ts';
import { faultCanary } from '../fault-canary.ts';
import { listenOnLoopback } from '../servers/loopback-server.ts';
import { applyFault, replyWithFault } from './fault-models.ts';
import { type FaultyReply, sendFaulty } from './faulty-reply.ts';
import { createModelStats, type ModelStats } from './model-stats.ts';

export type TestModelsOptions = Readonly<{
  /** By default any free port. */
  port?: number;
  key: string;
  /** Whether the upstream has Chat Completions only, as many do. */
  isChatOnly?: boolean;
  /** Whether one list has the ids of all models and nothing else, as at OpenAI. */
  hasBareList?: boolean;
  /** Between two frames of a stream, ms. */
  paceMs?: number;
}>;

/** A fault for the next requests to a path, whatever model they name. */
export type PathFault = Readonly<{ path: string; name: string; times: number }>;

export type TestModels = Readonly<{
  /** With the version, without a trailing slash. */
  url: string;
  key: string;
  /** Applies a fault to the next requests to a path, such as `/models`. */
  setPathFault: (fault: PathFault | null) => void;
  stats: () => ModelStats;
  /** Closes the server and all connections, hanging ones too. */
  close: () => Promise<void>;
}>;

/** Starts the demo's models with statistics, and with faults by model name (see `faultTable`) or path. */
export async function startTestModels(options: TestModelsOptions): Promise<TestModels> {
  const { port, key, isChatOnly = false, hasBareList = false, paceMs = 0 } = options;
  const demo = createModelHandler(key);
  const stats = createModelStats();
  let pathFault: PathFault | null = null;

  function handle(request: ModelRequest): Reply {
    const { path } = request;
    if (hasBareList && path === '/models') return bareList;
    const isMissing =
      (isChatOnly && /^\/(?:responses|messages)/.test(path)) ||
      (hasBareList && path === '/embeddings/models');
    return demo(isMissing ? { ...request, path: '' } : request);
  }

  function toReply(request: ModelRequest): FaultyReply {
    const reply = replyWithFault(request, handle);
    if (pathFault?.path !== request.path || pathFault.times < 1) return reply;
    pathFault = { ...pathFault, times: pathFault.times - 1 };
    return applyFault(pathFault.name, reply);
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const modelRequest = await readModelRequest(request);
    stats.open(`${modelRequest.method} ${modelRequest.path}`, response);
    const reply = toReply(modelRequest);
    await sendFaulty(response, { paceMs, ...reply, pieces: stats.countBytes(reply.pieces) });
  }

  const server = createServer((request, response) => {
    // No client should see any header of the upstream.
    response.setHeader('openai-organization', `org-${faultCanary}`);
    response.setHeader('set-cookie', `session=${faultCanary}`);
    response.statusMessage = `Canary ${faultCanary}`;
    respond(request, response).catch(() => response.destroy());
  });
  server.on('connection', stats.connect);
  const { url, close } = await listenOnLoopback(server, port);

  return {
    url: url + basePath,
    key,
    setPathFault(fault) {
      pathFault = fault;
    },
    stats: stats.read,
    close,
  };
}

const bareList = toJsonReply(200, {
  object: 'list',
  data: demoModels.map(({ id, created }) => ({
    id,
    object: 'model',
    created: Date.parse(`${created}T00:00:00Z`) / 1000,
    owned_by: id.split('/')[0],
  })),
});
