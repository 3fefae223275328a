import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import { postJson } from '../clients/post-json.ts';
import { makeKeyInput } from '../factories/key-services.ts';
import { startTestModels, type TestModels, type TestModelsOptions } from '../models/test-models.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { copyDatabase } from './copy-database.ts';
import { openRegister, unlimited } from './make-key.ts';
import { startMarqueeInProcess, startTable, toTableSettings } from './marquee-server.ts';

/** Whether the upstream supports `/responses` and `/messages`, or the proxy translates to chat. */
export type UpstreamKind = 'native' | 'chat';

export const upstreamKinds: readonly UpstreamKind[] = ['native', 'chat'];

export type InProcessProxyOptions = Readonly<{
  upstream?: UpstreamKind;
  environment?: Environment | ((modelServer: TestModels) => Environment);
  models?: Partial<TestModelsOptions>;
  now?: () => number;
}>;

/** A recognizable upstream key: tests check that no response and no log contains it. */
export const upstreamKey = 'sk-of-the-upstream-0123456789';

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

/** A local model server, and the settings of a proxy before it. @param kind by default those of the settings. */
export async function startUpstream(
  kind: UpstreamKind | null,
  options: Partial<TestModelsOptions> = {},
) {
  const modelServer = await startTestModels({
    key: upstreamKey,
    isChatOnly: kind === 'chat',
    ...options,
  });
  const settings = {
    AI_UPSTREAM_URL: modelServer.url,
    AI_UPSTREAM_KEY: upstreamKey,
    ...(kind && { AI_UPSTREAM_RESPONSES: kind, AI_UPSTREAM_MESSAGES: kind }),
  };
  return { modelServer, settings };
}

/** Starts the proxy in this process, with a local model server, keys in SQLite, and one without limits. */
export async function startInProcessProxy({
  upstream,
  environment,
  models,
  now,
}: InProcessProxyOptions = {}) {
  const { modelServer, settings } = await startUpstream(upstream ?? null, models);
  const own = typeof environment === 'function' ? environment(modelServer) : environment;
  const proxy = await startProxy({
    settings: { ...settings, AI_MODELS: 'lantern-demo/*,fault/*', ...own },
    now,
  });
  return {
    ...proxy,
    modelServer,
    async [Symbol.asyncDispose]() {
      try {
        await proxy[Symbol.asyncDispose]();
      } finally {
        await modelServer.close();
      }
    },
  };
}

/** The same before the upstreams of a file, whose key is in `UPSTREAM_KEY`. */
export async function startProxyWith(file: object, environment: Environment = {}) {
  const folder = makeTemporaryFolder();
  const path = join(folder.path, 'upstreams.json');
  writeFileSync(path, JSON.stringify(file));
  const settings = { AI_UPSTREAMS_FILE: path, UPSTREAM_KEY: 'sk-upstream', ...environment };
  const proxy = await startProxy({ settings });
  return {
    ...proxy,
    /** For further processes with the same database. */
    settings: { ...settings, DATA_DIR: proxy.dataDir },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

type ProxyOptions = Readonly<{ settings: Environment; now?: (() => number) | undefined }>;

async function startProxy({ settings, now = Date.now }: ProxyOptions) {
  const folder = makeTemporaryFolder();
  await copyDatabase(folder.path);
  const server = await startMarqueeInProcess(
    {
      DATA_DIR: folder.path,
      PROXY_REQUESTS_PER_MINUTE: '1000000',
      PROXY_TOKENS_PER_DAY: '999999999',
      ...settings,
    },
    { now },
  );
  await server.services.database.open();
  const database = await openDatabase({ databaseUrl: null, dataDir: folder.path });
  const register = openRegister(database, { dataDir: folder.path, now });
  let keyCount = 0;

  async function makeKey(input: Partial<CreateKeyInput> = {}) {
    keyCount += 1;
    return register.create(makeKeyInput({ name: `key ${keyCount}`, ...input }));
  }

  return {
    ...server,
    /** The base URL for OpenAI clients. */
    baseUrl: `${server.url}/proxy/v1`,
    key: (await makeKey(unlimited)).text,
    register,
    database,
    makeKey,
    dataDir: folder.path,
    /** Posts JSON with a key; `init` may replace the body and headers. */
    post: (path: string, key: string, body: unknown, init: RequestInit = {}) =>
      postJson(server.url + path, key, body, init),
    /** What a key sees of itself. Usage of the last second is written first. */
    view: (key: string) =>
      fetch(`${server.url}/proxy/v1/key`, { headers: { authorization: `Bearer ${key}` } }),
    async [Symbol.asyncDispose]() {
      try {
        await server.stop();
      } finally {
        await database.close();
        folder[Symbol.dispose]();
      }
    },
  };
}

/** The same with the sample table, until the test has finished. */
export async function startProxySite(
  environment: Environment = {},
  models: Partial<TestModelsOptions> = {},
): Promise<InProcessProxy> {
  const table = await startTable();
  onTestFinished(() => table.close());
  const settings = { ...toTableSettings(table), ...environment };
  const proxy = await startInProcessProxy({ environment: settings, models });
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
