import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import createNext from 'next';

/** Next's own request handler. */
export type NextHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Whether Next reloads what changes: then no page may be kept, and none is as it will be. */
export const isDevelopment = process.env.NODE_ENV !== 'production';

/** Starts Next as a custom server's renderer: the build in `.next`, or with reload outside production. */
export async function createNextHandler(httpServer: Server, port: number): Promise<NextHandler> {
  const app = createNext({
    dev: isDevelopment,
    dir: `${import.meta.dirname}/../..`,
    hostname: 'localhost',
    port,
    httpServer,
  });
  await app.prepare();
  const handle = app.getRequestHandler();
  return (incoming, outgoing) => handle(incoming, outgoing);
}
