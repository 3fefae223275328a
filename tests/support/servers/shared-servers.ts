import type { TestProject } from 'vitest/node';
import type { Environment } from '#lib/config/config.ts';
import type { UpstreamKind } from './in-process-proxy.ts';
import { startTable, toTableSettings } from './marquee-server.ts';
import { type ProxyServer, startProxyServer } from './proxy-server.ts';

/** A server that all test files share. */
export type SharedServer = Readonly<{
  url: string;
  port: number;
  /** For another server with the same table and models. */
  settings: Environment;
  /** The base URL for OpenAI clients. */
  baseUrl: string;
  key: string;
}>;

declare module 'vitest' {
  interface ProvidedContext {
    servers: Readonly<Record<UpstreamKind, SharedServer>>;
  }
}

/**
 * Starts the servers that all read-only API tests share: the build with the sample table and the demo's
 * models, with and without support for Responses.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const table = await startTable();
  const start = (upstream: UpstreamKind) =>
    startProxyServer({ upstream, environment: toTableSettings(table) });
  const [native, chat] = await Promise.all([start('native'), start('chat')]);
  const toShared = ({ url, port, baseUrl, key, settings }: ProxyServer): SharedServer => {
    const { DATA_DIR: _, ...shared } = settings;
    return { url, port, settings: shared, baseUrl, key };
  };
  provide('servers', { native: toShared(native), chat: toShared(chat) });
  return async () => {
    await Promise.all([native, chat].map((server) => server[Symbol.asyncDispose]()));
    await table.close();
  };
}
