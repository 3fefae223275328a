import { type Checkout, createKey, makeDataDir, startCheckout } from '../servers/checkout.ts';
import {
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from '../servers/server-process.ts';

/** The path before those of the APIs. */
export const basePath = '/proxy/v1';

export const apiPaths = {
  chat: 'chat/completions',
  responses: 'responses',
  messages: 'messages',
  embeddings: 'embeddings',
} as const;
export type Api = keyof typeof apiPaths;
export const apis = Object.keys(apiPaths) as Api[];

/** What the upstream responds with (`upstream.ts`). */
export type ResponseKind = 'json' | 'burst' | 'short' | 'calls' | 'paced';

export function toBody(api: Api, kind: ResponseKind): string {
  const prompt = 'Say something that is about as long as this. '.repeat(4);
  return JSON.stringify({
    model: `bench/${kind}`,
    ...(api !== 'embeddings' && { stream: kind !== 'json' }),
    ...(api === 'messages' && { max_tokens: 1000 }),
    ...(api === 'chat' || api === 'messages'
      ? { messages: [{ role: 'user', content: prompt }] }
      : { input: prompt }),
  });
}

/** Shares the processor of the load, unless told otherwise. */
export function startUpstream(
  processor: ServerProcessOptions['processor'] = 'load',
): Promise<ServerProcess> {
  const options = { path: '/v1/models', processor };
  return startServerProcess(['tests/bench/proxy/upstream.ts'], options);
}

/** A key without limits, for the headers of requests, and the directory of its server. */
export function openKey(checkout: Checkout) {
  const dataDir = makeDataDir();
  const key = createKey(checkout, dataDir);
  return {
    dataDir,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
  };
}

export type ProxyServer = ReturnType<typeof openKey> & Readonly<{ server: ServerProcess }>;

/** `native` has Responses and Messages of its own; to `chat` they are translated. */
export type UpstreamProtocols = 'native' | 'chat';

/** The server of a checkout in front of one upstream, with further settings. */
export async function startProxy(
  checkout: Checkout,
  upstreamUrl: string,
  { protocols, ...options }: ServerProcessOptions & Readonly<{ protocols: UpstreamProtocols }>,
): Promise<ProxyServer> {
  const opened = openKey(checkout);
  const environment = {
    DATA_DIR: opened.dataDir,
    AI_UPSTREAM_URL: upstreamUrl,
    AI_UPSTREAM_KEY: 'sk-bench',
    AI_UPSTREAM_RESPONSES: protocols,
    AI_UPSTREAM_MESSAGES: protocols,
    AI_MODELS: 'bench/*',
    ...options.environment,
  };
  const path = `${basePath}/models`;
  return { ...opened, server: await startCheckout(checkout, { ...options, environment, path }) };
}
