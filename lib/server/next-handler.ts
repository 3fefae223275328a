import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import createNext from 'next';

/** Next's own request handler. */
export type NextHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** In development Next reloads what changes, so nothing of it is cached. */
export const isDevelopment = process.env.NODE_ENV !== 'production';

/** Starts Next as a renderer: the build in `.next`, or with reload in development. */
export async function createNextHandler(httpServer: Server, port: number): Promise<NextHandler> {
  const app = createNext({
    dev: isDevelopment,
    dir: `${import.meta.dirname}/../..`,
    hostname: 'localhost',
    port,
    // For reload by WebSocket. In production Next must not take over `upgrade` requests.
    ...(isDevelopment && { httpServer }),
  });
  await app.prepare();
  return app.getRequestHandler();
}
