import OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '#lib/demo/models/model-server.ts';

/** A model server that closes after its test. */
export async function openModelServer(
  options: Partial<ModelServerOptions> = {},
): Promise<ModelServer> {
  const server = await startModelServer({ key: 'sk-of-the-test', ...options });
  onTestFinished(() => server.close());
  return server;
}

/** The same, with OpenAI's own client. */
export async function openWithClient(options: Partial<ModelServerOptions> = {}) {
  const server = await openModelServer(options);
  const client = new OpenAI({ baseURL: server.url, apiKey: server.key, maxRetries: 0 });
  return { server, client };
}

/** Posts a body with the server's own key. */
export function post(server: ModelServer, path: string, body: unknown, init: RequestInit = {}) {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    ...init,
  });
}
