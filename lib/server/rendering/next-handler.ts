import { existsSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import createNext from 'next';
import { ConfigError } from '#lib/config/read-settings.ts';

/** Next's own request handler. */
export type NextHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** In development Next reloads what changes, so nothing of it is cached. */
export const isDevelopment = process.env.NODE_ENV === 'development';

const root = `${import.meta.dirname}/../../..`;

/**
 * Starts Next as a renderer: the build in `.next`, or with reload in development.
 * @throws ConfigError if there is no build.
 */
export async function createNextHandler(httpServer: Server, port: number): Promise<NextHandler> {
  if (!isDevelopment && !existsSync(`${root}/.next/BUILD_ID`)) {
    throw new ConfigError('There is no build. Run `npm run build` first.');
  }
  const app = createNext({
    dev: isDevelopment,
    dir: root,
    hostname: 'localhost',
    port,
    // For reload by WebSocket. In production Next must not take over `upgrade` requests.
    ...(isDevelopment && { httpServer }),
  });
  await app.prepare();
  return app.getRequestHandler();
}
