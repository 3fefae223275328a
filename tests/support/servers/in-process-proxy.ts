import { onTestFinished } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '#lib/demo/models/model-server.ts';
import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import { createKeyRegister } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { makeKeyInput } from '../factories/key-services.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { startMarqueeInProcess, startTable, toTableSettings } from './marquee-server.ts';

export type InProcessProxyOptions = Readonly<{
  environment?: Environment | ((modelServer: ModelServer) => Environment);
  models?: Partial<ModelServerOptions>;
  now?: () => number;
}>;

/** A recognizable upstream key: tests check that no response and no log contains it. */
export const upstreamKey = 'sk-upstream-secret-0123456789';

export const chatPath = '/proxy/v1/chat/completions';
export const responsesPath = '/proxy/v1/responses';
export const messagesPath = '/proxy/v1/messages';

/** The types of errors in Anthropic's form, by status. */
export const messagesErrorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  502: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** Starts the proxy in this process, with a local model server and keys in SQLite. */
export async function startInProcessProxy({
  environment,
  models,
  now,
}: InProcessProxyOptions = {}) {
  const folder = makeTemporaryFolder();
  const modelServer = await startModelServer({ key: upstreamKey, ...models });
  const server = await startMarqueeInProcess(
    {
      DATA_DIR: folder.path,
      AI_UPSTREAM_URL: modelServer.url,
      AI_UPSTREAM_KEY: upstreamKey,
      AI_MODELS: 'lantern-demo/*,fault/*',
      PROXY_REQUESTS_PER_MINUTE: '1000000',
      PROXY_TOKENS_PER_DAY: '999999999',
      ...(typeof environment === 'function' ? environment(modelServer) : environment),
    },
    now === undefined ? {} : { now },
  );
  await server.services.database.open();
  const database = await openDatabase({ databaseUrl: null, dataDir: folder.path });
  const toHash = createKeyHasher(loadPepper({ keyPepper: null, dataDir: folder.path }));
  const register = createKeyRegister({ keys: database.keys, toHash, now: now ?? Date.now });
  let keyCount = 0;

  async function makeKey(input: Partial<CreateKeyInput> = {}) {
    keyCount += 1;
    return register.create(makeKeyInput({ name: `key ${keyCount}`, ...input }));
  }

  return {
    ...server,
    modelServer,
    register,
    database,
    makeKey,
    dataDir: folder.path,
    /** Posts JSON with a key; `init` may replace headers. */
    post(path: string, key: string, body: unknown, init: RequestInit = {}): Promise<Response> {
      return fetch(server.url + path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...init.headers,
        },
      });
    },
    async [Symbol.asyncDispose]() {
      try {
        await server.stop();
      } finally {
        await database.close();
        await modelServer.close();
        folder[Symbol.dispose]();
      }
    },
  };
}

/** The same with the sample table, until the test has finished. */
export async function startSiteInProcess({
  environment,
  models = {},
}: Readonly<{
  environment?: Environment;
  models?: Partial<ModelServerOptions>;
}> = {}): Promise<InProcessProxy> {
  const table = await startTable();
  onTestFinished(() => table.close());
  const proxy = await startInProcessProxy({
    environment: { ...toTableSettings(table), ...environment },
    models,
  });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

export type InProcessProxy = Awaited<ReturnType<typeof startInProcessProxy>>;

/** The request body of an API, by its path. */
export function toRequestJson(
  path: string,
  model: string,
  isStream = false,
  content = 'count to 30',
) {
  const common = { model, stream: isStream };
  const messages = [{ role: 'user', content }];
  if (path === chatPath) return { ...common, messages };
  return path === messagesPath
    ? { ...common, messages, max_tokens: 4096 }
    : { ...common, input: content };
}

export const rateLimitHeaders = ['requests', 'tokens'].flatMap((what) =>
  ['limit', 'remaining', 'reset'].map((kind) => `x-ratelimit-${kind}-${what}`),
);
